import { formatPeriod } from '@sightline/contract/core/periods.ts';
import { definitions } from '@sightline/evidence/controls/catalog.ts';
import { countsText, statusLabels } from '@sightline/evidence/controls/verdicts.ts';
import type { FrozenSnapshot } from './frozen-snapshot.ts';

/** Said wherever a snapshot goes. */
const limits =
  'The ledger is tamper-evident. A valid bundle proves what Sightline received and how it was evaluated. It does not prove that the received data is true.';

/** A snapshot in numbers: what was evaluated, as of which checkpoint, and where the proof is. */
export const summaryOf = ({ snapshot, manifest, root, bundle, href }: FrozenSnapshot) => ({
  snapshot: {
    id: snapshot.id,
    name: manifest.name,
    href,
    takenAt: snapshot.takenAt,
    redaction: manifest.redaction,
  },
  organization: manifest.org,
  period: manifest.period,
  repositories: manifest.repositories,
  // What the results are in, and what was evaluated; the root of the latter is the seed of every sample.
  ledger: { ...manifest.ledger, root },
  evaluated: manifest.evaluated,
  controls: snapshot.results.map(({ id, status, counts }) => ({ id, title: titleOf(id), status, counts })),
  bundle: { name: bundle.name, bytes: bundle.content.length, sha256: bundle.sha256, href },
  files: manifest.files,
  limits,
});

/** The same in a few sentences, for where only text is taken. */
export function sentencesOf(frozen: FrozenSnapshot): string {
  const { snapshot, manifest, root, bundle, href } = frozen;
  const { origin, epoch, size } = manifest.ledger;
  return [
    `${manifest.name}: evidence of ${formatPeriod(manifest.period)} of ${manifest.org.name}, created by Sightline${manifest.redaction === 'people' ? ' with redacted personal data' : ''}.`,
    '',
    ...snapshot.results.map(
      ({ id, status, counts }) => `${id} ${titleOf(id)}: ${statusLabels[status]} (${countsText(counts)})`,
    ),
    '',
    `Ledger ${origin}, epoch ${epoch}, ${size} entries, root ${root}. Samples use the seed ${manifest.evaluated.root}.`,
    `Bundle ${bundle.name}, SHA-256 ${bundle.sha256}.`,
    href,
    limits,
  ].join('\n');
}

const titleOf = (id: string): string => definitions.find((one) => one.id === id)?.title ?? id;
