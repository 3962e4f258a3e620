import { formatPeriod } from '@sightline/contract/core/periods.ts';
import { redactionTexts } from '@sightline/evidence/bundle/redaction.ts';
import { definitions } from '@sightline/evidence/controls/catalog.ts';
import { countsText, statusLabels } from '@sightline/evidence/controls/verdicts.ts';
import type { SnapshotContent } from './snapshot-content.ts';

/** The limitations that every receiver of a snapshot gets. */
const limitations =
  'The ledger is tamper-evident. A valid bundle proves what Sightline received and how it was evaluated. It does not prove that the received data is true.';

/** The summary of a snapshot as JSON: results, checkpoints and bundle. Used by kinds that receive JSON. */
export const summaryOf = ({ snapshot, manifest, root, bundle, href }: SnapshotContent) => ({
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
  // `ledger` contains the results. `evaluated` is the checkpoint of the evaluated data; its root is the seed of every sample.
  ledger: { ...manifest.ledger, root },
  evaluated: manifest.evaluated,
  controls: snapshot.results.map(({ id, status, counts }) => ({ id, title: titleOf(id), status, counts })),
  bundle: { name: bundle.name, bytes: bundle.content.length, sha256: bundle.sha256, href },
  files: manifest.files,
  limits: limitations,
});

/** The same as text, for kinds that receive only a description. */
export function summaryTextOf(content: SnapshotContent): string {
  const { snapshot, manifest, root, bundle, href } = content;
  const { origin, epoch, size } = manifest.ledger;
  return [
    `${manifest.name}: evidence of ${formatPeriod(manifest.period)} of ${manifest.org.name}, created by Sightline${redactionTexts[manifest.redaction]}.`,
    '',
    ...snapshot.results.map(
      ({ id, status, counts }) => `${id} ${titleOf(id)}: ${statusLabels[status]} (${countsText(counts)})`,
    ),
    '',
    `Ledger ${origin}, epoch ${epoch}, ${size} entries, root ${root}. Samples use the seed ${manifest.evaluated.root}.`,
    `Bundle ${bundle.name}, SHA-256 ${bundle.sha256}.`,
    href,
    limitations,
  ].join('\n');
}

const titleOf = (id: string): string => definitions.find((one) => one.id === id)?.title ?? id;
