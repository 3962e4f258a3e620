import { toBase64 } from '../ledger/bytes.ts';
import type { Plain } from '../ledger/canonical.ts';
import { parseCheckpoint } from '../ledger/checkpoint.ts';
import { partsOf } from '../ledger/note.ts';
import { frozenAt, recordsOfContents } from './files.ts';
import { bundleIdOf } from './manifest.ts';
import type { Contents } from './scope.ts';
import { limits } from './sentence.ts';

/**
 * What the report for people says, ready to be drawn: texts, numbers and lists alone. It holds nothing that opens what is committed about
 * people. `at`: when it was frozen, in seconds since 1970.
 */
export function reportOf(contents: Contents): { readonly at: number; readonly data: Plain } {
  const { scope, ledger, judged, checkpoint } = contents;
  const frozen = frozenAt(contents.entries);
  const head = parseCheckpoint(partsOf(checkpoint).text);
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
            ? 'Withheld: the bundle opens nothing that is committed about them'
            : 'Titles and reasons are in the bundle; this report names nobody',
        ],
        ['Stands in for', scope.supersedes ?? 'No earlier bundle'],
        ['Bundle', bundleIdOf(scope, ledger, judged)],
      ],
      ledger: [
        ['Ledger', head.origin],
        ['Checkpoint', `${head.size} entries`],
        ['Root', toBase64(head.root)],
        ['Judged', `${judged.size} entries`],
        ['Root judged', judged.root],
        [
          'Time stamp',
          contents.stamp === undefined ? 'None' : 'In the bundle, to be checked with the authority’s certificate',
        ],
      ],
      anchors: contents.anchors.map(({ kind, party, size, at }) => [kind, party, String(size), at]),
      limits: limitsHere(contents),
      controls: contents.runs.map(({ report }) => report),
      records: recordsHere(contents),
    },
  };
}

function limitsHere({ anchors }: Contents): readonly string[] {
  return [
    limits.received,
    anchors.length === 0
      ? limits.alone
      : 'Checkpoints were left with others, as the table says; this report does not check that. Ask them.',
    limits.two,
    limits.people,
    'This report is a copy for people. It was not drawn again by whoever verified the bundle: where it says otherwise than the rows, the rows count.',
  ];
}

/** Policies, exceptions and digests of the period, in short. */
function recordsHere(contents: Contents): Plain {
  const { policies, exceptions, digests } = recordsOfContents(contents);
  return {
    policies: policies.map(({ name, version, kind, mode, made, ended }) => [
      String(name),
      String(version),
      String(kind),
      String(mode),
      made?.at ?? 'earlier',
      ended?.at ?? '',
    ]),
    exceptions: exceptions.map(({ about, decided, ended, until }) => [
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
