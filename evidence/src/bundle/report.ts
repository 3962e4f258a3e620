import { toBase64 } from '../ledger/bytes.ts';
import type { CanonicalValue } from '../ledger/canonical.ts';
import { parseCheckpoint } from '../ledger/checkpoint.ts';
import { splitNote } from '../ledger/note.ts';
import { lastCensusAt, recordsOfContents } from './files.ts';
import { bundleIdOf } from './manifest.ts';
import { recordedText, unrecordedRepositories } from './repositories.ts';
import type { BundleContents } from './scope.ts';
import { limitationTexts } from './sentence.ts';

/**
 * Builds the data of the PDF report: texts, numbers and lists, without disclosures of personal data. `at`: time of the
 * snapshot in seconds since 1970.
 */
export function reportOf(contents: BundleContents): { readonly at: number; readonly data: CanonicalValue } {
  const { scope, ledger, evaluated, checkpoint } = contents;
  const frozen = lastCensusAt(contents.entries);
  const head = parseCheckpoint(splitNote(checkpoint).text);
  return {
    at: Math.floor(Date.parse(frozen) / 1000),
    data: {
      name: scope.name,
      organization: scope.org.name,
      period: { ...scope.period },
      frozen,
      scope: [
        ['Repositories', scope.repositories === null ? 'All' : scope.repositories.join(', ')],
        [
          'People',
          scope.redaction === 'people'
            ? 'Redacted: the bundle discloses no committed personal data'
            : 'Titles and reasons are in the bundle. This report names no person',
        ],
        ['Supersedes', scope.supersedes ?? 'None'],
        ['Bundle', bundleIdOf(scope, ledger, evaluated)],
      ],
      ledger: [
        ['Ledger', head.origin],
        ['Checkpoint', `${head.size} entries`],
        ['Root', toBase64(head.root)],
        ['Evaluated', `${evaluated.size} entries`],
        ['Evaluated root', evaluated.root],
        [
          'Timestamp',
          contents.stamp === undefined ? 'None' : 'In the bundle, verifiable with the certificate of the authority',
        ],
      ],
      anchors: contents.anchors.map(({ kind, party, size, at }) => [kind, party, String(size), at]),
      limits: limitsHere(contents),
      controls: contents.runs.map(({ report }) => report),
      records: recordsHere(contents),
    },
  };
}

function limitsHere({ anchors }: BundleContents): readonly string[] {
  return [
    limitationTexts.received,
    anchors.length === 0
      ? limitationTexts.alone
      : 'Checkpoints were published to the anchors in the table. This report does not verify that. Ask the anchors.',
    limitationTexts.two,
    limitationTexts.people,
    'This report is a copy for readers. Verifiers do not recreate it. If it differs from the items, the items apply.',
  ];
}

/** Summarizes the unrecorded repositories, policies, waivers and digests of the period. */
function recordsHere(contents: BundleContents): CanonicalValue {
  const { repositories, policies, waivers, digests } = recordsOfContents(contents);
  return {
    unrecorded: unrecordedRepositories(repositories, contents.scope.period).map((one) => [
      one.name,
      one.id,
      recordedText(one),
    ]),
    policies: policies.map(({ name, version, kind, mode, made, ended }) => [
      String(name),
      String(version),
      String(kind),
      String(mode),
      made?.at ?? 'earlier',
      ended?.at ?? '',
    ]),
    waivers: waivers.map(({ about, decided, ended, until }) => [
      String(about.subject ?? `finding ${String(about.finding)}`),
      String(about.control ?? ''),
      ended?.as ?? decided?.as ?? 'requested',
      until,
    ]),
    digests: digests.map(({ id, made, reviews }) => [
      id,
      made.at,
      String(reviews.length),
      reviews.find(({ completes }) => completes === true)?.at ?? 'not signed off',
    ]),
  };
}
