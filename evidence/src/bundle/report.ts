import { definitions } from '../controls/catalogue.ts';
import { frameworks } from '../controls/crosswalk.ts';
import type { JudgedRow } from '../controls/evidence-line.ts';
import { drawSample, sampleSeed } from '../controls/sample.ts';
import type { statuses } from '../controls/verdicts.ts';
import { tellReason } from '../controls/words.ts';
import { toBase64 } from '../ledger/bytes.ts';
import { isRecord, type Plain } from '../ledger/canonical.ts';
import { parseCheckpoint } from '../ledger/checkpoint.ts';
import { partsOf } from '../ledger/note.ts';
import type { Told } from './derived.ts';
import { frozenAt, recordsOfContents, toldOf } from './files.ts';
import { happenedAt, sampleSize } from './judged.ts';
import { bundleIdOf } from './manifest.ts';
import type { Contents } from './scope.ts';
import { limits } from './sentence.ts';

/** How many rows of a control stand in the report; the file of its evidence has all. */
export const mostRows = 1_000;

const statusWords: Readonly<Record<(typeof statuses)[number], string>> = {
  met: 'Met',
  not_met: 'Not met',
  gap: 'Gap',
  no_population: 'No population',
};

/**
 * What the report for people says, ready to be drawn: texts, numbers and lists alone. It holds nothing that opens what is committed about
 * people. `at`: when it was frozen, in seconds since 1970.
 */
export function reportOf(contents: Contents): { readonly at: number; readonly data: Plain } {
  const { scope, ledger, judged, checkpoint } = contents;
  const told = contents.runs.map(toldOf);
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
      controls: told.map((one) => controlOf(one, contents)),
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

function controlOf({ id, rows, run, settings }: Told, { scope, judged }: Contents): Plain {
  const definition = definitions.find((one) => one.id === id);
  const drawn = drawSample(
    rows.map(({ row }) => row),
    sampleSeed({ root: judged.root, control: id, period: scope.period }),
    sampleSize,
  );
  const shown = shownOf(rows);
  const codes = new Set(shown.flatMap(({ reasons }) => reasons));
  return {
    id,
    title: definition?.title ?? id,
    rule: definition?.rule ?? '',
    status: run.status,
    statusSays: statusWords[run.status],
    counts: { ...run.counts },
    completeness: run.completeness.map(({ source, expected, found }) => [
      source,
      expected === null ? 'not known' : String(expected),
      String(found),
    ]),
    settings: settingsOf(settings),
    requirements: Object.entries(definition?.crosswalk ?? {}).flatMap(([framework, ids]) =>
      ids === undefined || ids.length === 0
        ? []
        : [`${frameworks[framework as keyof typeof frameworks]}: ${(ids as readonly string[]).join(', ')}`],
    ),
    sample: drawn.map(({ leaf, subject }) => [leaf === null ? '' : String(leaf), subject]),
    rows: shown.map(({ row, verdict, reasons }) => [
      row.leaf === null ? '' : String(row.leaf),
      row.subject,
      happenedAt(id, row),
      verdict,
      reasons.join(' '),
    ]),
    left: rows.length - shown.length,
    reasons: [...new Map([...codes].flatMap((code) => wordsOf(code)))].map(([code, says]) => [code, says]),
  };
}

/** All rows where they are few; else those that did not pass, as many as there is place for. */
const shownOf = (rows: readonly JudgedRow[]): readonly JudgedRow[] =>
  rows.length <= mostRows ? rows : rows.filter(({ verdict }) => verdict !== 'pass').slice(0, mostRows);

function wordsOf(reason: string): (readonly [string, string])[] {
  const said = tellReason(reason);
  return said ? [[said.code, said.says]] : [];
}

/** What a control was set to, and since when; empty: by its defaults all the time. */
const settingsOf = (settings: readonly unknown[]): Plain =>
  settings.flatMap((one) => {
    const { version = 0, from = '', until = null, repositories = null, setting = {} } = one as { [key: string]: Plain };
    const said = isRecord(setting) ? Object.entries(setting).map(([name, value]) => `${name}: ${plainly(value)}`) : [];
    return [
      [
        String(version),
        `${String(from)} to ${until === null ? 'now' : String(until)}`,
        repositories === null ? 'All' : plainly(repositories),
        said.join('; '),
      ],
    ];
  });

const plainly = (value: Plain): string =>
  Array.isArray(value)
    ? value.map(plainly).join(', ') || 'none'
    : typeof value === 'object'
      ? JSON.stringify(value)
      : String(value);

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
