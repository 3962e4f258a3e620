import { chg01 } from '../../controls/chg-01.ts';
import { independentCount, withoutIndependentCount } from '../../controls/completeness.ts';
import type { EvaluatedRow } from '../../controls/evidence-line.ts';
import { byCodeUnits } from '../../controls/order.ts';
import { defaultsOf } from '../../controls/parameters.ts';
import type { PopulationRow } from '../../controls/rows.ts';
import type { SettingVersion } from '../../controls/run.ts';
import { type Bytes, concat, fromBase64, fromBase64url, textOf, toBase64url, utf8 } from '../../ledger/bytes.ts';
import { canonicalJson } from '../../ledger/canonical.ts';
import { signCheckpoint } from '../../ledger/checkpoint.ts';
import { publicKeyOf, signatureLine, signerOf, signNote, verifierOf } from '../../ledger/note.ts';
import { unsignedTimestampOf } from '../../ledger/testing/timestamp.ts';
import {
  bundleIdOf,
  bundleNote,
  listFile,
  type Manifest,
  manifestBytes,
  manifestPath,
  parseManifest,
  signaturePath,
} from '../manifest.ts';
import { valuesOf } from '../parsed-entries.ts';
import { retestedKind } from '../remediations.ts';
import type { BundleRun, PlacedDisclosure } from '../scope.ts';
import { openZip } from '../zip-read.ts';
import { packZipFile, zipWriter } from '../zip-write.ts';
import { appendEvaluation, appendRemediation, digestId, remediationData } from './recorded.ts';
import {
  appendChanges,
  buildTestBundle,
  bytesOf,
  createTestLedger,
  origin,
  secretKey,
  sign,
  type TestBundle,
  type TestLedger,
  type Unpacked,
} from './scene.ts';

/** A forgery by an operator with the signing key, against a checkpoint that was published to others. */
export interface Attack {
  name: string;
  /** The step of the verification that rejects it. */
  step: number;
  cook: (made: TestBundle) => Promise<Bytes> | Bytes;
}

type Texts = Map<string, string>;

/** Changes files directly, recomputes all hashes and signs again. */
export function signAgain(
  bundle: Bytes,
  edit: (texts: Texts, binary: Map<string, Bytes>) => void,
  of: (manifest: Manifest) => Manifest = (manifest) => manifest,
  signed: (text: string) => string = sign,
): Bytes {
  const archive = openZip(bundle);
  const texts: Texts = new Map();
  const binary = new Map<string, Bytes>();
  for (const path of archive.paths) {
    if (path === signaturePath || path === manifestPath) continue;
    if (/\.(pdf|tsr)$/.test(path)) binary.set(path, archive.file(path));
    else texts.set(path, textOf(archive.file(path)));
  }
  edit(texts, binary);
  const files = [...texts, ...binary].map(
    ([path, content]) => [path, typeof content === 'string' ? utf8(content) : content] as const,
  );
  files.sort(([one], [other]) => byCodeUnits(one, other));
  const cooked = of({
    ...parseManifest(archive.file(manifestPath)),
    files: files.map(([path, content]) => listFile(path, content)),
  });
  const manifest = manifestBytes({ ...cooked, bundleId: bundleIdOf(cooked, cooked.ledger, cooked.evaluated) });
  return archiveOf([...files, [manifestPath, manifest]], signed);
}

function archiveOf(
  files: readonly (readonly [path: string, content: Bytes])[],
  signed: (text: string) => string,
): Bytes {
  const zip = zipWriter();
  const all = files.toSorted(([one], [other]) => byCodeUnits(one, other));
  const manifest = new Map(all).get(manifestPath) ?? new Uint8Array();
  const before = concat(...all.flatMap(([path, content]) => zip.add(packZipFile(path, content))));
  return concat(before, ...zip.end(signaturePath, utf8(signed(bundleNote(manifest, before)))));
}

/** Signs the files of a forgery with another key, as someone without the key of the log can. */
export function signWithOtherKey(bundle: Bytes): Bytes {
  const { paths, file } = openZip(bundle);
  const files = paths.filter((path) => path !== signaturePath).map((path) => [path, file(path)] as const);
  return archiveOf(files, (text) => signNote(text, signerOf(origin, other)));
}

const edit =
  (path: string, change: (text: string) => string) =>
  ({ bundle }: TestBundle): Bytes =>
    signAgain(bundle, (texts) => {
      const text = texts.get(path) ?? '';
      const changed = change(text);
      if (changed === text) throw new Error(`No changes in ${path}`);
      texts.set(path, changed);
    });

const withManifest =
  (of: (manifest: Manifest) => Manifest) =>
  ({ bundle }: TestBundle): Bytes =>
    signAgain(bundle, () => undefined, of);

/** Builds the entire bundle again from other contents, with our own code. */
const again =
  (change: (contents: Unpacked) => Unpacked) =>
  ({ contents }: TestBundle): Promise<Bytes> =>
    bytesOf(change(contents));

const withRuns = (contents: Unpacked, change: (run: BundleRun) => BundleRun): Unpacked => ({
  ...contents,
  runs: contents.runs.map(change),
});
const withRows = (contents: Unpacked, change: (rows: readonly EvaluatedRow[]) => readonly EvaluatedRow[]): Unpacked =>
  withRuns(contents, (run) => ({ ...run, rows: change(run.rows) }));

const failingRowIn = (rows: readonly EvaluatedRow[]): EvaluatedRow => {
  const row = rows.find(({ verdict }) => verdict === 'fail') ?? rows[0];
  if (!row) throw new Error('There is no row to attack');
  return row;
};
const failingRowOf = ({ runs }: Unpacked): EvaluatedRow => failingRowIn(runs[0]?.rows ?? []);
const without = (row: EvaluatedRow) => (rows: readonly EvaluatedRow[]) =>
  rows.filter(({ row: one }) => one.leaf !== row.row.leaf);

const digest = `digests/${digestId}.json`;
const withoutKinds = (contents: Unpacked, ...kinds: readonly string[]): Unpacked =>
  withEntries(contents, ({ entry }) => !kinds.some((kind) => entry.includes(`"kind":"${kind}"`)));

/** Omits entries with their disclosures. */
function withEntries(contents: Unpacked, isKept: (one: Unpacked['entries'][number]) => boolean): Unpacked {
  const entries = contents.entries.filter(isKept);
  const kept = new Set(entries.map(({ index }) => index));
  return { ...contents, entries, disclosures: contents.disclosures.filter(({ index }) => kept.has(index)) };
}

/** Changes the disclosures whose content matches, or omits them. */
const withDisclosures = (matches: RegExp, change: (content: string, index: number) => string | undefined) =>
  edit('ledger/disclosures.jsonl', (text) =>
    joined(
      lines(text).flatMap((line) => {
        const { index, disclosure } = JSON.parse(line) as PlacedDisclosure;
        const content = opened(disclosure);
        if (!matches.test(content)) return [line];
        const changed = change(content, index);
        return changed === undefined ? [] : [canonicalJson({ index, disclosure: toBase64url(utf8(changed)) })];
      }),
    ),
  );

type Append = TestLedger['append'];

/** Builds a bundle of a ledger in which the operator recorded what no server records. */
const recording = (record: (append: Append) => void) => async (): Promise<Bytes> => {
  const log = createTestLedger();
  const rows = appendChanges(log, 24);
  record(log.append);
  return (await buildTestBundle(log, rows)).bundle;
};

const forgedId = '0198f000-0000-7000-8000-00000000000f';
const assigned = { owner: 'per_author', dueOn: null, ticketUrl: null, isRemediated: true };
/** An evaluation in which change_17 failed. */
const failingEvaluation = (append: Append) =>
  appendEvaluation(append, { control: 'CHG-01', size: 20, at: '2026-07-05T03:17:00.000Z' });
/** Records the remediation of change_17, and returns what its entries repeat. */
function assignFailure(append: Append) {
  const data = remediationData('change:change_17', failingEvaluation(append));
  appendRemediation(append, forgedId, { ...data, ...assigned }, { at: '2026-07-05T09:00:00.000Z' });
  return data;
}
const manualPass = { result: 'pass', evaluation: null };
const passedOn = (at: string) => ({ at, kind: retestedKind });

const opened = (disclosure: string): string => textOf(fromBase64url(disclosure));
const lines = (text: string): string[] => text.split('\n').slice(0, -1);
const joined = (texts: readonly string[]): string => texts.map((text) => `${text}\n`).join('');
const other = new Uint8Array(32).fill(8);
const { id: logKeyId } = verifierOf(origin, publicKeyOf(secretKey));

/** A forged waiver. */
const forgedWaiver = {
  id: 'exc_made_up',
  requestedBy: 'per_1',
  decidedBy: 'per_2',
  decidedAt: '2020-01-01T00:00:00.000Z',
  from: '2020-01-01T00:00:00.000Z',
  until: '2030-01-01T00:00:00.000Z',
};
const loose: SettingVersion<unknown> = {
  version: 1,
  from: '2020-01-01T00:00:00.000Z',
  until: null,
  repositories: null,
  setting: { ...defaultsOf(chg01.parameters), branches: ['**'] },
};

/** Attacks on the names of repositories and persons. */
const nameAttacks: readonly Attack[] = [
  {
    name: 'the names of two repositories are swapped',
    step: 5,
    cook: withDisclosures(/"name repo_/, (content) =>
      content.replace(/hidden"\]|gone"\]/, (name) => (name === 'gone"]' ? 'hidden"]' : 'gone"]')),
    ),
  },
  {
    name: 'the names of two repositories are swapped in their table',
    step: 8,
    cook: edit('csv/names.csv', (text) =>
      text.replace(/acme\/(hidden|gone)/g, (_, name: string) => (name === 'gone' ? 'acme/hidden' : 'acme/gone')),
    ),
  },
  {
    name: 'the opening of a name is that of another repository',
    step: 5,
    cook: again((contents) => {
      const named = contents.disclosures.filter(({ disclosure }) => opened(disclosure).includes('"name repo_'));
      const [first, ...rest] = named.map(({ index }) => index);
      return {
        ...contents,
        disclosures: contents.disclosures.map((one) => ({
          ...one,
          index: one === named[0] ? (rest.at(-1) ?? 0) : one === named.at(-1) ? (first ?? 0) : one.index,
        })),
      };
    }),
  },
  {
    name: 'the name of a repository is not disclosed',
    step: 5,
    cook: again((contents) => ({
      ...contents,
      disclosures: contents.disclosures.filter(({ disclosure }) => !opened(disclosure).includes('"name repo_hidden"')),
    })),
  },
  {
    name: 'a later name of a repository is not disclosed',
    step: 5,
    cook: again((contents) => {
      const named = contents.disclosures.filter(({ disclosure }) => opened(disclosure).includes('acme/widgets'));
      return { ...contents, disclosures: contents.disclosures.filter((one) => one !== named.at(-1)) };
    }),
  },
  {
    name: 'the operator records the name of another repository with a repository',
    step: 5,
    cook: recording((append) => {
      const names = [
        ['repo_hidden', 'acme/hidden'],
        ['repo_gone', 'acme/hidden'],
      ] as const;
      append('repository.listed', { repositories: ['repo_hidden'] }, { names });
    }),
  },
  {
    name: 'the name of a person is that of another person',
    step: 5,
    cook: withDisclosures(/"name per_author"/, (content) => content.replace('Ada Author', 'Rita Reviewer')),
  },
  {
    name: 'the table of names has another person',
    step: 8,
    cook: edit('csv/names.csv', (text) => text.replace('Ada Author', 'Rita Reviewer')),
  },
  {
    name: 'a bundle without names of people contains one',
    step: 5,
    cook: withManifest((manifest) => ({ ...manifest, redaction: 'names' })),
  },
];

export const attacks: readonly Attack[] = [
  {
    name: 'a verdict is changed in the evidence',
    step: 7,
    cook: edit('evidence/CHG-01.jsonl', (text) => text.replace('"verdict":"fail"', '"verdict":"pass"')),
  },
  {
    name: 'a verdict is changed, and all files are derived from it',
    step: 7,
    cook: again((contents) =>
      withRows(contents, (rows) => rows.map((row) => (row === failingRowIn(rows) ? { ...row, verdict: 'pass' } : row))),
    ),
  },
  {
    name: 'a reason is omitted',
    step: 7,
    cook: edit('evidence/CHG-01.jsonl', (text) => text.replace('"no_independent_approval"', '"independent_approval"')),
  },
  {
    name: 'a failing change is omitted from the evidence',
    step: 7,
    cook: again((contents) => withRows(contents, without(failingRowOf(contents)))),
  },
  {
    name: 'a failing change is omitted with its entry and disclosures',
    step: 5,
    cook: again((contents) => {
      const row = failingRowOf(contents);
      const isKept = ({ index }: { index: number }) => index !== row.row.leaf;
      return {
        ...withRows(contents, without(row)),
        entries: contents.entries.filter(isKept),
        disclosures: contents.disclosures.filter(isKept),
      };
    }),
  },
  {
    name: 'an entire range is omitted with its census',
    step: 6,
    cook: again((contents) => {
      const [, second = 0, third = 0] = contents.entries
        .filter(({ entry }) => entry.includes('"kind":"census"'))
        .map(({ index }) => index);
      const isLost = (index: number) => index > second && index <= third;
      return {
        ...withRows(contents, (rows) => rows.filter(({ row }) => row.leaf === null || !isLost(row.leaf))),
        entries: contents.entries.filter(({ index }) => !isLost(index)),
        disclosures: contents.disclosures.filter(({ index }) => !isLost(index)),
      };
    }),
  },
  {
    name: 'an entry is rewritten',
    step: 4,
    cook: again((contents) => ({
      ...contents,
      entries: contents.entries.map((one) =>
        one.index === failingRowOf(contents).row.leaf
          ? { ...one, entry: one.entry.replace('per_author', 'per_someone') }
          : one,
      ),
    })),
  },
  {
    name: 'two entries are swapped',
    step: 4,
    cook: again((contents) => {
      const [one, two, ...rest] = contents.entries;
      if (!one || !two) return contents;
      return { ...contents, entries: [{ ...one, entry: two.entry }, { ...two, entry: one.entry }, ...rest] };
    }),
  },
  {
    name: 'a disclosure has another value',
    step: 5,
    cook: withDisclosures(/"title"/, (content) => content.replace('Title', 'Other')),
  },
  {
    name: 'a field is disclosed twice',
    step: 5,
    cook: edit('ledger/disclosures.jsonl', (text) => joined([...lines(text), lines(text)[0] ?? ''])),
  },
  {
    name: 'a disclosure is attached to another entry',
    step: 5,
    cook: edit('ledger/disclosures.jsonl', (text) =>
      text.replace(/"index":(\d+)/, (_, index: string) => `"index":${Number(index) + 1}`),
    ),
  },
  {
    name: 'a redacted bundle contains disclosures',
    step: 5,
    cook: ({ bundle }) =>
      signAgain(
        bundle,
        () => undefined,
        (manifest) => ({ ...manifest, redaction: 'people' }),
      ),
  },
  {
    name: 'the signature names another manifest',
    step: 1,
    cook: ({ bundle }) =>
      signAgain(
        bundle,
        () => undefined,
        (manifest) => manifest,
        (text) => sign(text.replace(/^sha256 .+$/m, `sha256 ${'0'.repeat(64)}`)),
      ),
  },
  {
    name: 'a file is added',
    step: 2,
    cook: ({ bundle }) => signAgain(bundle, (texts) => texts.set('changes/note.txt', 'All is well.')),
  },
  {
    name: 'a file is removed',
    step: 2,
    cook: ({ bundle }) => signAgain(bundle, (texts) => void texts.delete('missing-evidence.json')),
  },
  {
    name: 'a sample is selected manually',
    step: 7,
    cook: edit('controls/CHG-01.json', (text) =>
      text.replace(
        /"rows":\[\{("leaf":\d+,"subject":"[^"]+")\},\{("leaf":\d+,"subject":"[^"]+")\}/,
        '"rows":[{$2},{$1}',
      ),
    ),
  },
  {
    name: 'the seed of a sample is chosen',
    step: 7,
    cook: edit('controls/CHG-01.json', (text) => text.replace(/"seed":"[^"]+"/, '"seed":"mine"')),
  },
  {
    name: 'a count is changed',
    step: 7,
    cook: edit('controls/CHG-01.json', (text) => text.replace(/"fail":\d+/, '"fail":0')),
  },
  {
    name: 'a status is changed',
    step: 7,
    cook: edit('controls/CHG-01.json', (text) => text.replace('"status":"failing"', '"status":"passing"')),
  },
  {
    name: 'a setting is loosened afterwards',
    step: 7,
    cook: again((contents) =>
      withRuns(contents, (run) => (run.control === 'CHG-01' ? { ...run, settings: [loose] } : run)),
    ),
  },
  {
    name: 'the expected number of rows is changed',
    step: 7,
    cook: again((contents) =>
      withRuns(contents, (run) => ({ ...run, completeness: [independentCount('pushes', { expected: 0, found: 9 })] })),
    ),
  },
  {
    name: 'an independent count is omitted',
    step: 7,
    cook: again((contents) =>
      withRuns(contents, (run) => ({
        ...run,
        completeness: run.completeness.map(({ source, found }) => withoutIndependentCount(source, found)),
      })),
    ),
  },
  {
    name: 'an excluded row is omitted',
    step: 7,
    cook: again((contents) => withRuns(contents, (run) => ({ ...run, excluded: run.excluded.slice(1) }))),
  },
  {
    name: 'the number of excluded rows is changed',
    step: 7,
    cook: edit('controls/CHG-06.json', (text) => text.replace(/"items":\d+/, '"items":1')),
  },
  {
    name: 'an excluded row is attributed to another parameter',
    step: 7,
    cook: edit('excluded/CHG-06.jsonl', (text) => text.replace('"exemptBranches"', '"exemptLabels"')),
  },
  {
    name: 'a row is moved to the excluded rows',
    step: 7,
    cook: ({ bundle }) =>
      signAgain(bundle, (texts) => {
        const [first = '', ...rest] = lines(texts.get('evidence/CHG-06.jsonl') ?? '');
        const excluded = first
          .replace(/"reasons":.*?,"row"/, '"isExcludedByDefault":false,"parameters":["branches"],"row"')
          .replace(/,"verdict":"[a-z_]+"/, '');
        texts.set('evidence/CHG-06.jsonl', joined(rest));
        texts.set('excluded/CHG-06.jsonl', joined([excluded, ...lines(texts.get('excluded/CHG-06.jsonl') ?? '')]));
      }),
  },
  {
    name: 'a weakening is omitted',
    step: 7,
    cook: again((contents) => withRuns(contents, (run) => ({ ...run, weakenings: run.weakenings.slice(1) }))),
  },
  {
    name: 'a weakening is stated as approved',
    step: 7,
    cook: edit('controls/CHG-06.json', (text) => text.replace('"approver":null', '"approver":"per_2"')),
  },
  {
    name: 'an approval by the author is not stated',
    step: 7,
    cook: edit('controls/CHG-06.json', (text) => text.replace('"selfApproved":true', '"selfApproved":false')),
  },
  {
    name: 'the CSV file of exclusions contradicts the evidence',
    step: 8,
    cook: edit('csv/excluded.csv', (text) => text.replace('exemptBranches', 'exemptLabels')),
  },
  {
    name: 'the period is changed to exclude a failing change',
    step: 5,
    cook: again((contents) => ({
      ...contents,
      scope: { ...contents.scope, period: { ...contents.scope.period, to: '2026-07-02T00:00:00.000Z' } },
    })),
  },
  {
    name: 'the scope is narrowed to a repository',
    step: 5,
    cook: again((contents) => ({ ...contents, scope: { ...contents.scope, repositories: ['repo_1'] } })),
  },
  {
    name: 'a waiver is forged',
    step: 7,
    cook: again((contents) =>
      withRows(contents, (rows) => rows.map((row) => (row === failingRowIn(rows) ? waived(row) : row))),
    ),
  },
  {
    name: 'the facts of a row differ from its entry',
    step: 7,
    cook: again((contents) =>
      withRows(contents, (rows) => {
        const passingRow = rows.find(({ verdict }) => verdict === 'pass');
        const { subject, leaf, leaves } = failingRowIn(rows).row;
        return rows.map((row) =>
          passingRow && row === failingRowIn(rows)
            ? { ...passingRow, row: { ...passingRow.row, subject, leaf, leaves } }
            : row,
        );
      }),
    ),
  },
  {
    name: 'the parts of a change are changed',
    step: 7,
    cook: edit('changes.jsonl', (text) => text.replace('per_author', 'per_someone')),
  },
  {
    name: 'the parts of a change are omitted with its rows',
    step: 7,
    cook: again((contents) => ({
      ...withRows(contents, without(failingRowOf(contents))),
      parts: contents.parts.filter(({ index }) => index !== failingRowOf(contents).row.leaf),
    })),
  },
  {
    name: 'a row depends on an entry that is not included',
    step: 7,
    cook: again((contents) =>
      withRows(contents, (rows) =>
        rows.map((row, index) => (index === 0 ? { ...row, row: { ...row.row, leaves: [0, 100_000] } } : row)),
      ),
    ),
  },
  {
    name: 'a row points to the entry of another change',
    step: 7,
    cook: again((contents) => {
      const passingRow = contents.runs[0]?.rows.find(({ verdict }) => verdict === 'pass')?.row.leaf ?? null;
      return withRows(contents, (rows) =>
        rows.map((row) => (row === failingRowIn(rows) ? { ...row, row: { ...row.row, leaf: passingRow } } : row)),
      );
    }),
  },
  {
    name: 'the start of the census is later',
    step: 6,
    cook: withManifest((manifest) => ({ ...manifest, population: { ...manifest.population, from: 20 } })),
  },
  {
    name: 'the end of the census is earlier',
    step: 6,
    cook: withManifest((manifest) => ({ ...manifest, population: { ...manifest.population, to: 20 } })),
  },
  {
    name: 'the manifest lists no complete kinds',
    step: 6,
    cook: withManifest((manifest) => ({ ...manifest, population: { ...manifest.population, kinds: [] } })),
  },
  {
    name: 'a smaller tree is claimed as evaluated',
    step: 3,
    cook: withManifest((manifest) => ({ ...manifest, evaluated: { ...manifest.evaluated, size: 10 } })),
  },
  {
    name: 'another root is claimed as evaluated',
    step: 3,
    cook: withManifest((manifest) => ({
      ...manifest,
      evaluated: {
        ...manifest.evaluated,
        root: `${manifest.evaluated.root.startsWith('A') ? 'B' : 'A'}${manifest.evaluated.root.slice(1)}`,
      },
    })),
  },
  {
    name: 'the consistency proofs are removed',
    step: 3,
    cook: ({ bundle }) => signAgain(bundle, (texts) => texts.set('ledger/consistency.jsonl', '')),
  },
  {
    name: 'the proof of an earlier tree is repeated',
    step: 3,
    cook: ({ bundle }) =>
      signAgain(bundle, (texts) => {
        const [first = ''] = (texts.get('ledger/consistency.jsonl') ?? '').split('\n');
        texts.set('ledger/consistency.jsonl', `${first}\n${texts.get('ledger/consistency.jsonl')}`);
      }),
  },
  {
    name: 'the checkpoint is that of another log of the same operator',
    step: 3,
    cook: again((contents) => ({
      ...contents,
      checkpoint: signCheckpoint(
        { size: contents.ledger.size, root: fromBase64(contents.evaluated.root) },
        signerOf(`${origin}x`, secretKey),
      ),
    })),
  },
  {
    name: 'the checkpoint is signed again with another root',
    step: 3,
    cook: again((contents) => ({
      ...contents,
      checkpoint: signCheckpoint(
        { size: contents.ledger.size, root: fromBase64(contents.evaluated.root) },
        signerOf(origin, secretKey),
      ),
    })),
  },
  {
    name: 'another epoch is claimed',
    step: 7,
    cook: withManifest((manifest) => ({ ...manifest, ledger: { ...manifest.ledger, epoch: 2 } })),
  },
  {
    name: 'another organization is claimed',
    step: 4,
    cook: withManifest((manifest) => ({ ...manifest, org: { ...manifest.org, id: 'org_2' } })),
  },
  {
    name: 'a control of the files is omitted',
    step: 2,
    cook: withManifest((manifest) => ({ ...manifest, controls: manifest.controls.slice(1) })),
  },
  {
    name: 'a CSV file contradicts the evidence',
    step: 8,
    cook: edit('csv/CHG-01.csv', (text) => text.replace('"fail"', '"pass"')),
  },
  {
    name: 'a CSV file contains a formula',
    step: 8,
    cook: edit('csv/CHG-01.csv', (text) => text.replace('"change:change_1"', '"=1+1"')),
  },
  {
    name: 'the link of a change leads to another pull request',
    step: 8,
    cook: edit('csv/CHG-01.csv', (text) => text.replace('/pull/3"', '/pull/4"')),
  },
  {
    name: 'OSCAL states satisfied',
    step: 8,
    cook: edit('oscal/assessment-results.json', (text) => text.replace('"not-satisfied"', '"satisfied"')),
  },
  {
    name: 'OSCAL links a file by another hash',
    step: 8,
    cook: edit('oscal/assessment-results.json', (text) =>
      text.replace(/"value":"(.)(?=[0-9a-f]{63}")/, (_, first) => `"value":"${first === 'f' ? 'e' : 'f'}`),
    ),
  },
  {
    name: 'the assessment plan covers another period',
    step: 8,
    cook: edit('oscal/assessment-plan.json', (text) => text.replace(/"end":"20/, '"end":"21')),
  },
  {
    name: 'the OSCAL catalog states another objective',
    step: 8,
    cook: edit('oscal/catalog.json', (text) => text.replace('"prose":"', '"prose":"Not ')),
  },
  {
    name: 'the OSCAL catalog is omitted',
    step: 2,
    cook: ({ bundle }) => signAgain(bundle, (texts) => void texts.delete('oscal/catalog.json')),
  },
  {
    name: 'the assessment plan is omitted',
    step: 2,
    cook: ({ bundle }) => signAgain(bundle, (texts) => void texts.delete('oscal/assessment-plan.json')),
  },
  {
    name: 'OSCAL refers to a missing observation',
    step: 8,
    cook: edit('oscal/assessment-results.json', (text) =>
      text.replace(/"observation-uuid":"(.)/, (_, first) => `"observation-uuid":"${first === 'f' ? 'e' : 'f'}`),
    ),
  },
  {
    name: 'a digest is omitted',
    step: 8,
    cook: ({ bundle }) => signAgain(bundle, (texts) => void texts.delete(digest)),
  },
  {
    name: 'a digest is omitted with its entries',
    step: 6,
    cook: again((contents) => withoutKinds({ ...contents, digests: [] }, 'digest.created', 'audit.digest.reviewed')),
  },
  {
    name: 'a digest has fewer flagged items',
    step: 8,
    cook: edit(digest, (text) => text.replace(/"flags":\[.*?\}\]/, '"flags":[]')),
  },
  {
    name: 'a follow-up of a digest becomes a sign-off',
    step: 8,
    cook: edit(digest, (text) => text.replace('"decision":"follow_up"', '"decision":"reviewed"')),
  },
  {
    name: 'a digest has another decision',
    step: 8,
    cook: edit(digest, (text) => text.replace('"accepted"', '"wrong"')),
  },
  {
    name: 'a review of a digest is omitted with its entry',
    step: 6,
    cook: again((contents) => withoutKinds(contents, 'audit.digest.reviewed')),
  },
  {
    name: 'a digest is forged',
    step: 8,
    cook: ({ bundle }) =>
      signAgain(bundle, (texts) => texts.set(digest.replace('2.json', '9.json'), texts.get(digest) ?? '')),
  },
  {
    name: 'a policy has a weaker parameter',
    step: 8,
    cook: edit('policies.jsonl', (text) => text.replace('"approvals":2', '"approvals":1')),
  },
  {
    name: 'a policy has another start',
    step: 8,
    cook: edit('policies.jsonl', (text) => text.replace(/"at":"2026-06-30/, '"at":"2026-01-01')),
  },
  {
    name: 'a policy version is omitted',
    step: 8,
    cook: edit('policies.jsonl', (text) => joined(lines(text).slice(1))),
  },
  {
    name: 'policies are omitted with their entries',
    step: 6,
    cook: again((contents) => withoutKinds(contents, 'audit.policy.created', 'audit.policy.changed')),
  },
  {
    name: 'an approval is changed to a refusal',
    step: 8,
    cook: edit('waivers.jsonl', (text) => text.replace('"as":"approved"', '"as":"refused"')),
  },
  {
    name: 'the approver is changed',
    step: 8,
    cook: edit('waivers.jsonl', (text) => text.replace('"by":null', '"by":"per_someone"')),
  },
  { name: 'a waiver is omitted', step: 8, cook: edit('waivers.jsonl', (text) => joined(lines(text).slice(1))) },
  {
    name: 'waivers are omitted with their entries',
    step: 6,
    cook: again((contents) =>
      withoutKinds(contents, 'audit.waiver.requested', 'audit.waiver.approved', 'audit.waiver.refused'),
    ),
  },
  {
    name: 'a remediation is omitted',
    step: 8,
    cook: edit('remediations.jsonl', (text) => joined(lines(text).slice(1))),
  },
  {
    name: 'remediations are omitted with their entries',
    step: 6,
    cook: again((contents) => withoutKinds(contents, 'audit.remediation.changed', retestedKind)),
  },
  {
    name: 'a failed retest is omitted with its entry',
    step: 6,
    cook: again((contents) => withoutKinds(contents, retestedKind)),
  },
  {
    name: 'the evaluation in which a remediated row failed is omitted',
    step: 8,
    cook: again((contents) => withoutKinds(contents, 'control.evaluated')),
  },
  {
    name: 'a remediated failure is stated as passed',
    step: 8,
    cook: edit('remediations.jsonl', (text) => text.replace('"verdict":"fail"', '"verdict":"pass"')),
  },
  {
    name: 'a retest has another result',
    step: 8,
    cook: edit('remediations.jsonl', (text) => text.replace('"result":"fail"', '"result":"pass"')),
  },
  {
    name: 'a retest is dated earlier',
    step: 8,
    cook: edit('remediations.jsonl', (text) => text.replace('"at":"2026-07-03T', '"at":"2026-07-01T')),
  },
  {
    name: 'the due date of a remediation is later',
    step: 8,
    cook: edit('remediations.jsonl', (text) => text.replace('"dueOn":"2026-07-10"', '"dueOn":"2026-09-10"')),
  },
  {
    name: 'a row passes because it was remediated',
    step: 7,
    cook: again((contents) =>
      withRows(contents, (rows) =>
        rows.map((one) =>
          one.row.subject === 'change:change_3' ? { ...one, verdict: 'pass', reasons: ['independent_approval'] } : one,
        ),
      ),
    ),
  },
  {
    name: 'the CSV file of a control states no failure of a remediated row',
    step: 8,
    cook: edit('csv/CHG-01.csv', (text) => text.replace('"failed, remediated', '"passed, remediated')),
  },
  {
    name: 'the CSV file of remediations has another owner',
    step: 8,
    cook: edit('csv/remediations.csv', (text) => text.replace('"per_author"', '"per_someone"')),
  },
  {
    name: 'the plan of action closes an open risk',
    step: 8,
    cook: edit('oscal/poam.json', (text) => text.replace('"status":"open"', '"status":"closed"')),
  },
  {
    name: 'the plan of action is omitted',
    step: 8,
    cook: ({ bundle }) => signAgain(bundle, (texts) => void texts.delete('oscal/poam.json')),
  },
  {
    name: 'the operator records a retest without its failure',
    step: 8,
    cook: recording((append) => {
      const data = remediationData('change:change_17', failingEvaluation(append));
      appendRemediation(append, forgedId, { ...data, ...manualPass }, passedOn('2026-07-06T09:00:00.000Z'));
    }),
  },
  {
    name: 'the operator records a retest of another failure',
    step: 8,
    cook: recording((append) => {
      const other = { ...assignFailure(append), subject: 'change:change_10', ...manualPass };
      appendRemediation(append, forgedId, other, passedOn('2026-07-06T09:00:00.000Z'));
    }),
  },
  {
    name: 'the operator records a retest before its failure',
    step: 8,
    cook: recording((append) =>
      appendRemediation(
        append,
        forgedId,
        { ...assignFailure(append), ...manualPass },
        passedOn('2026-07-04T09:00:00.000Z'),
      ),
    ),
  },
  {
    name: 'the operator records an earlier evaluation as retest',
    step: 8,
    cook: recording((append) => {
      const evaluation = appendEvaluation(append, { control: 'CHG-01', size: 19, at: '2026-07-05T03:18:00.000Z' });
      const data = { ...assignFailure(append), result: 'pass', evaluation };
      appendRemediation(append, forgedId, data, { ...passedOn('2026-07-06T09:00:00.000Z'), person: null });
    }),
  },
  {
    name: 'the operator records an evaluation of another control as retest',
    step: 8,
    cook: recording((append) => {
      const evaluation = appendEvaluation(append, { control: 'CHG-03', size: 22, at: '2026-07-06T03:17:00.000Z' });
      const data = { ...assignFailure(append), result: 'pass', evaluation };
      appendRemediation(append, forgedId, data, { ...passedOn('2026-07-06T09:00:00.000Z'), person: null });
    }),
  },
  {
    name: 'the operator records an evaluation without a passing row as retest',
    step: 8,
    cook: recording((append) => {
      const evaluation = appendEvaluation(append, {
        control: 'CHG-01',
        size: 22,
        at: '2026-07-06T03:17:00.000Z',
        fail: 24,
      });
      const data = { ...assignFailure(append), result: 'pass', evaluation };
      appendRemediation(append, forgedId, data, { ...passedOn('2026-07-06T09:00:00.000Z'), person: null });
    }),
  },
  {
    name: 'the operator records a retest without a person or an evaluation',
    step: 8,
    cook: recording((append) =>
      appendRemediation(
        append,
        forgedId,
        { ...assignFailure(append), ...manualPass },
        { ...passedOn('2026-07-06T09:00:00.000Z'), person: null },
      ),
    ),
  },
  {
    name: 'the operator records a remediation that changes the original result',
    step: 8,
    cook: recording((append) => {
      const data = assignFailure(append);
      const changed = { ...data, failure: { ...valuesOf(data.failure), reasons: ['no_required_check'] }, ...assigned };
      appendRemediation(append, forgedId, changed, { at: '2026-07-06T09:00:00.000Z' });
    }),
  },
  {
    name: 'the operator records a remediation of a row that passed',
    step: 8,
    cook: recording((append) => {
      const data = remediationData('change:change_17', failingEvaluation(append));
      const changed = { ...data, failure: { ...valuesOf(data.failure), verdict: 'pass' }, ...assigned };
      appendRemediation(append, forgedId, changed, { at: '2026-07-06T09:00:00.000Z' });
    }),
  },
  {
    name: 'the operator records a remediation of an evaluation that did not happen',
    step: 8,
    cook: recording((append) => {
      const evaluation = { ...failingEvaluation(append), id: 'entry-1' };
      const data = { ...remediationData('change:change_17', evaluation), ...assigned };
      appendRemediation(append, forgedId, data, { at: '2026-07-06T09:00:00.000Z' });
    }),
  },
  {
    name: 'the operator records a remediation of an evaluation at another size',
    step: 8,
    cook: recording((append) => {
      const evaluation = { ...failingEvaluation(append), size: 2 };
      const data = { ...remediationData('change:change_17', evaluation), ...assigned };
      appendRemediation(append, forgedId, data, { at: '2026-07-06T09:00:00.000Z' });
    }),
  },
  {
    name: 'the ledger entry of records is omitted',
    step: 6,
    cook: again((contents) => withoutKinds(contents, 'snapshot.records')),
  },
  {
    name: 'a disabled repository is omitted',
    step: 8,
    cook: edit('repositories.jsonl', (text) => joined(lines(text).slice(0, -1))),
  },
  {
    name: 'repositories are omitted with their entries',
    step: 6,
    cook: again((contents) => withoutKinds(contents, 'repository.listed')),
  },
  {
    name: 'a pause of a repository is omitted with its entries',
    step: 6,
    cook: again((contents) => {
      const switches = contents.entries.filter(({ entry }) => entry.includes('"kind":"audit.repository.'));
      return withEntries(contents, (one) => !switches.slice(1).includes(one));
    }),
  },
  {
    name: 'a row states no pause of its repository',
    step: 7,
    cook: again((contents) =>
      withRuns(contents, (run) =>
        run.control === 'CHG-04'
          ? { ...run, rows: run.rows.map((one) => ({ ...one, row: { ...one.row, disabled: [] } as PopulationRow })) }
          : run,
      ),
    ),
  },
  {
    name: 'the week of a pause is omitted',
    step: 7,
    cook: again((contents) => withRuns(contents, (run) => (run.control === 'SCN-02' ? { ...run, rows: [] } : run))),
  },
  {
    name: 'the day of a pause is omitted',
    step: 7,
    cook: again((contents) =>
      withRuns(contents, (run) => (run.control === 'CHG-04' ? { ...run, rows: run.rows.slice(1) } : run)),
    ),
  },
  {
    name: 'the operator evaluates without a day of a repository',
    step: 7,
    cook: async () => {
      const log = createTestLedger();
      return (await buildTestBundle(log, appendChanges(log, 24), { hidesDay: true })).bundle;
    },
  },
  {
    name: 'another superseded bundle is claimed',
    step: 1,
    cook: withManifest((manifest) => ({ ...manifest, supersedes: '' })),
  },
  {
    name: 'the changes of a self-managed code host are attributed to github.com',
    step: 8,
    cook: withManifest((manifest) => ({
      ...manifest,
      codeHosts: manifest.codeHosts.map((one) => ({ ...one, host: `www.${one.host}` })),
    })),
  },
  {
    name: 'a change is attributed to the account of another person',
    step: 8,
    cook: withManifest((manifest) => ({
      ...manifest,
      people: manifest.people.map((one) => ({ ...one, accounts: one.accounts.map((of) => ({ ...of, id: '1' })) })),
    })),
  },
  { name: 'a disclosed account is omitted', step: 8, cook: withManifest((manifest) => ({ ...manifest, people: [] })) },
  {
    name: 'a missing report is claimed',
    step: 2,
    cook: ({ bundle }) => signAgain(bundle, (_texts, binary) => void binary.delete('report.pdf')),
  },
  {
    name: 'the PDF is replaced',
    step: 8,
    cook: ({ bundle }) =>
      signAgain(bundle, (_texts, binary) => binary.set('report.pdf', utf8('%PDF-1.7 of no failure'))),
  },
  { name: 'the PDF is omitted', step: 8, cook: again((contents) => ({ ...contents, report: undefined })) },
  {
    name: 'a wrong signature of the same key follows under the checkpoint',
    step: 3,
    cook: edit('ledger/checkpoint', (text) => `${text}${signatureLine(origin, concat(logKeyId, new Uint8Array(64)))}`),
  },
  {
    name: 'a signature of an unknown key in the name of the log follows under the checkpoint',
    step: 3,
    cook: edit('ledger/checkpoint', (text) => `${text}${signatureLine(origin, new Uint8Array(68))}`),
  },
  {
    name: 'a wrong signature of the same key follows its signature',
    step: 1,
    cook: ({ bundle }) =>
      signAgain(
        bundle,
        () => undefined,
        undefined,
        (text) => `${sign(text)}${signatureLine(origin, concat(logKeyId, new Uint8Array(64)))}`,
      ),
  },
  {
    name: 'a signature of an unknown key follows its signature',
    step: 1,
    cook: ({ bundle }) =>
      signAgain(
        bundle,
        () => undefined,
        undefined,
        (text) => `${sign(text)}${signatureLine('auditor.example', new Uint8Array(68))}`,
      ),
  },
  {
    name: 'the timestamp is no timestamp',
    step: 3,
    cook: again((contents) => ({ ...contents, stamp: utf8('2026-10-01') })),
  },
  {
    name: 'the timestamp is one of another checkpoint',
    step: 3,
    cook: again((contents) => ({ ...contents, stamp: unsignedTimestampOf(utf8(`${origin}\n1\n`)) })),
  },
  {
    name: 'a verification page is added',
    step: 2,
    cook: ({ bundle }) => signAgain(bundle, (texts) => texts.set('verify.html', '<h1>Valid</h1>')),
  },
  {
    name: 'an anchor is invented',
    step: 8,
    cook: edit(
      'ledger/anchors.json',
      () => '[{"at":"2026-07-02T00:00:00.000Z","kind":"witness","party":"BSI","size":3}]',
    ),
  },
  {
    name: 'a title is not disclosed',
    step: 5,
    cook: withDisclosures(/"title"/, () => undefined),
  },
  ...nameAttacks,
  {
    name: 'the account of a person is disclosed for no change',
    step: 5,
    cook: again((contents) => ({
      ...contents,
      people: contents.people.slice(1),
      disclosures: contents.disclosures.filter(
        ({ disclosure }) => !opened(disclosure).includes('"account per_author"'),
      ),
    })),
  },
  {
    name: 'a person without disclosures is not counted',
    step: 8,
    cook: again((contents) => ({
      ...contents,
      people: contents.people.slice(0, 1),
      disclosed: contents.disclosed.slice(0, 1),
      disclosures: contents.disclosures.filter(({ disclosure }) => !opened(disclosure).includes('per_reviewer')),
    })),
  },
  {
    name: 'a failing control is omitted with its files',
    step: 8,
    cook: again((contents) => ({
      ...contents,
      scope: { ...contents.scope, controls: contents.scope.controls.slice(1) },
      runs: contents.runs.slice(1),
    })),
  },
  {
    name: 'the snapshot is renamed',
    step: 8,
    cook: again((contents) => ({ ...contents, scope: { ...contents.scope, name: 'All controls passed' } })),
  },
  {
    name: 'the organization is renamed',
    step: 8,
    cook: again((contents) => ({
      ...contents,
      scope: { ...contents.scope, org: { ...contents.scope.org, name: 'B' } },
    })),
  },
  {
    name: 'a superseded bundle is invented',
    step: 8,
    cook: again((contents) => ({ ...contents, scope: { ...contents.scope, supersedes: 'bundle_1' } })),
  },
  { name: 'missing evidence is omitted', step: 8, cook: edit('missing-evidence.json', () => '[]') },
  {
    name: 'the text of a control is changed',
    step: 8,
    cook: edit('controls/catalog.json', (text) => text.replace('Independent approval', 'Approval')),
  },
  {
    name: 'another catalog is claimed',
    step: 1,
    cook: withManifest((manifest) => ({ ...manifest, catalog: '0.0.1' })),
  },
  {
    name: 'the README claims that everything is proven',
    step: 8,
    cook: edit('README.txt', (text) =>
      text.replace('It does not prove\nthat the data is true', 'It proves\nthat the data is true'),
    ),
  },
  { name: 'the included key is changed', step: 1, cook: edit('keys/vkey.txt', (text) => `${text}x`) },
  {
    name: 'it is signed by another key of the same name',
    step: 1,
    cook: ({ bundle }) =>
      signAgain(
        bundle,
        () => undefined,
        undefined,
        (text) => signNote(text, signerOf(origin, other)),
      ),
  },
  {
    name: 'it is signed by the key of another log',
    step: 1,
    cook: ({ bundle }) =>
      signAgain(
        bundle,
        () => undefined,
        undefined,
        (text) => signNote(text, signerOf(`${origin}x`, secretKey)),
      ),
  },
  {
    name: 'the size of the checkpoint is written in digits of another script',
    step: 3,
    cook: edit('ledger/checkpoint', (text) => {
      const [name = '', size = '', ...rest] = text.slice(0, text.indexOf('\n\n') + 1).split('\n');
      return sign(
        [name, size.replaceAll(/(?<=\d)\d/g, (digit) => String.fromCodePoint(0x660 + Number(digit))), ...rest].join(
          '\n',
        ),
      );
    }),
  },
  {
    name: 'its signature is that of its checkpoint',
    step: 1,
    cook: ({ bundle, contents }) =>
      signAgain(
        bundle,
        () => undefined,
        undefined,
        () => contents.checkpoint,
      ),
  },
  {
    name: 'its signature states another hash of the manifest',
    step: 1,
    cook: ({ bundle }) =>
      signAgain(
        bundle,
        () => undefined,
        undefined,
        (text) => sign(text.replace(/(?<=^sha256 )./m, (digit) => (digit === '0' ? '1' : '0'))),
      ),
  },
  {
    name: 'its signature is that of another bundle',
    step: 1,
    cook: ({ bundle }) =>
      signAgain(
        bundle,
        (texts) => texts.set('missing-evidence.json', '[]'),
        undefined,
        () => textOf(openZip(bundle).file(signaturePath)),
      ),
  },
];

const waived = (row: EvaluatedRow): EvaluatedRow => ({
  ...row,
  row: { ...row.row, waivers: [forgedWaiver] },
  verdict: 'waived',
  reasons: [`approved_waiver:${forgedWaiver.id}`, ...row.reasons],
});
export const otherKey = verifierOf(origin, publicKeyOf(other));
