import { chg01 } from '../../controls/chg-01.ts';
import type { EvaluatedRow } from '../../controls/evidence-line.ts';
import { byCodeUnits } from '../../controls/order.ts';
import { defaultsOf } from '../../controls/parameters.ts';
import type { SettingVersion } from '../../controls/run.ts';
import { type Bytes, concat, fromBase64, fromBase64url, textOf, toBase64url, utf8 } from '../../ledger/bytes.ts';
import { signCheckpoint } from '../../ledger/checkpoint.ts';
import { publicKeyOf, signerOf, signNote, verifierOf } from '../../ledger/note.ts';
import {
  bundleIdOf,
  bundleNote,
  listed,
  type Manifest,
  manifestBytes,
  manifestPath,
  parseManifest,
  signaturePath,
} from '../manifest.ts';
import type { BundleRun } from '../scope.ts';
import { openZip } from '../zip-read.ts';
import { packed, zipWriter } from '../zip-write.ts';
import { digestId } from './recorded.ts';
import { bytesOf, origin, secretKey, sign, type TestBundle, type Unpacked } from './scene.ts';

/** What an operator does who holds the key and would like a bundle to say something else, against a checkpoint that was seen outside. */
export interface Attack {
  name: string;
  cook: (made: TestBundle) => Promise<Bytes> | Bytes;
}

type Texts = Map<string, string>;

/** Changes files as they are, repairs every hash and signs again. */
export function resigned(
  bundle: Bytes,
  edit: (texts: Texts) => void,
  of: (manifest: Manifest) => Manifest = (manifest) => manifest,
  signed: (text: string) => string = sign,
): Bytes {
  const archive = openZip(bundle);
  const texts: Texts = new Map();
  const binary = new Map<string, Bytes>();
  for (const path of archive.paths) {
    if (path === signaturePath || path === manifestPath) continue;
    if (path.endsWith('.pdf')) binary.set(path, archive.file(path));
    else texts.set(path, textOf(archive.file(path)));
  }
  edit(texts);
  const files = [...texts, ...binary].map(
    ([path, content]) => [path, typeof content === 'string' ? utf8(content) : content] as const,
  );
  files.sort(([one], [other]) => byCodeUnits(one, other));
  const cooked = of({
    ...parseManifest(archive.file(manifestPath)),
    files: files.map(([path, content]) => listed(path, content)),
  });
  const manifest = manifestBytes({ ...cooked, bundleId: bundleIdOf(cooked, cooked.ledger, cooked.evaluated) });
  const zip = zipWriter();
  const all = [...files, [manifestPath, manifest] as const].sort(([one], [other]) => byCodeUnits(one, other));
  const before = concat(...all.flatMap(([path, content]) => zip.add(packed(path, content))));
  return concat(before, ...zip.end(signaturePath, utf8(signed(bundleNote(manifest, before)))));
}

const edit =
  (path: string, change: (text: string) => string) =>
  ({ bundle }: TestBundle): Bytes =>
    resigned(bundle, (texts) => {
      const text = texts.get(path) ?? '';
      const changed = change(text);
      if (changed === text) throw new Error(`No changes in ${path}`);
      texts.set(path, changed);
    });

const said =
  (of: (manifest: Manifest) => Manifest) =>
  ({ bundle }: TestBundle): Bytes =>
    resigned(bundle, () => undefined, of);

/** Makes all of the bundle again from other contents, by our own program. */
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

const bad = (rows: readonly EvaluatedRow[]): EvaluatedRow => {
  const row = rows.find(({ verdict }) => verdict === 'fail') ?? rows[0];
  if (!row) throw new Error('There is no row to attack');
  return row;
};
const worst = ({ runs }: Unpacked): EvaluatedRow => bad(runs[0]?.rows ?? []);
const without = (row: EvaluatedRow) => (rows: readonly EvaluatedRow[]) =>
  rows.filter(({ row: one }) => one.leaf !== row.row.leaf);

const digest = `digests/${digestId}.json`;
const withoutKinds = (contents: Unpacked, ...kinds: readonly string[]): Unpacked => ({
  ...contents,
  entries: contents.entries.filter(({ entry }) => !kinds.some((kind) => entry.includes(`"kind":"${kind}"`))),
});

const lines = (text: string): string[] => text.split('\n').slice(0, -1);
const joined = (texts: readonly string[]): string => texts.map((text) => `${text}\n`).join('');
const other = new Uint8Array(32).fill(8);

/** A leave that nobody gave. */
const leave = {
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

export const attacks: readonly Attack[] = [
  {
    name: 'a verdict is turned in the evidence',
    cook: edit('evidence/CHG-01.jsonl', (text) => text.replace('"verdict":"fail"', '"verdict":"pass"')),
  },
  {
    name: 'a verdict is turned, and everything made again from that',
    cook: again((contents) =>
      withRows(contents, (rows) => rows.map((row) => (row === bad(rows) ? { ...row, verdict: 'pass' } : row))),
    ),
  },
  {
    name: 'a reason is left out',
    cook: edit('evidence/CHG-01.jsonl', (text) => text.replace('"no_independent_approval"', '"independent_approval"')),
  },
  {
    name: 'a bad change is left out of the evidence',
    cook: again((contents) => withRows(contents, without(worst(contents)))),
  },
  {
    name: 'a bad change is left out with its entry and what it discloses',
    cook: again((contents) => {
      const row = worst(contents);
      const kept = ({ index }: { index: number }) => index !== row.row.leaf;
      return {
        ...withRows(contents, without(row)),
        entries: contents.entries.filter(kept),
        disclosures: contents.disclosures.filter(kept),
      };
    }),
  },
  {
    name: 'a whole stretch is left out with its census',
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
    name: 'an entry is written anew',
    cook: again((contents) => ({
      ...contents,
      entries: contents.entries.map((one) =>
        one.index === worst(contents).row.leaf
          ? { ...one, entry: one.entry.replace('per_author', 'per_someone') }
          : one,
      ),
    })),
  },
  {
    name: 'two entries change places',
    cook: again((contents) => {
      const [one, two, ...rest] = contents.entries;
      if (!one || !two) return contents;
      return { ...contents, entries: [{ ...one, entry: two.entry }, { ...two, entry: one.entry }, ...rest] };
    }),
  },
  {
    name: 'what is disclosed gets another value',
    cook: edit('ledger/disclosures.jsonl', (text) =>
      text.replace(
        /"disclosure":"([^"]+)"/,
        (_, disclosure: string) =>
          `"disclosure":"${toBase64url(utf8(textOf(fromBase64url(disclosure)).replace('Title', 'Other')))}"`,
      ),
    ),
  },
  {
    name: 'something is disclosed twice',
    cook: edit('ledger/disclosures.jsonl', (text) => joined([...lines(text), lines(text)[0] ?? ''])),
  },
  {
    name: 'a disclosure is hung onto another entry',
    cook: edit('ledger/disclosures.jsonl', (text) =>
      text.replace(/"index":(\d+)/, (_, index: string) => `"index":${Number(index) + 1}`),
    ),
  },
  {
    name: 'a withheld bundle discloses',
    cook: ({ bundle }) =>
      resigned(
        bundle,
        () => undefined,
        (manifest) => ({ ...manifest, redaction: 'people' }),
      ),
  },
  {
    name: 'the signature names another manifest',
    cook: ({ bundle }) =>
      resigned(
        bundle,
        () => undefined,
        (manifest) => manifest,
        (text) => sign(text.replace(/^sha256 .+$/m, `sha256 ${'0'.repeat(64)}`)),
      ),
  },
  {
    name: 'a file is added',
    cook: ({ bundle }) => resigned(bundle, (texts) => texts.set('changes/note.txt', 'All is well.')),
  },
  {
    name: 'a file is taken away',
    cook: ({ bundle }) => resigned(bundle, (texts) => void texts.delete('missing-evidence.json')),
  },
  {
    name: 'a sample is picked by hand',
    cook: edit('controls/CHG-01.json', (text) =>
      text.replace(
        /"rows":\[\{("leaf":\d+,"subject":"[^"]+")\},\{("leaf":\d+,"subject":"[^"]+")\}/,
        '"rows":[{$2},{$1}',
      ),
    ),
  },
  {
    name: 'the seed of a sample is chosen',
    cook: edit('controls/CHG-01.json', (text) => text.replace(/"seed":"[^"]+"/, '"seed":"mine"')),
  },
  {
    name: 'a count is turned',
    cook: edit('controls/CHG-01.json', (text) => text.replace(/"fail":\d+/, '"fail":0')),
  },
  {
    name: 'a status is turned',
    cook: edit('controls/CHG-01.json', (text) => text.replace('"status":"failing"', '"status":"passing"')),
  },
  {
    name: 'a setting is loosened afterwards',
    cook: again((contents) =>
      withRuns(contents, (run) => (run.control === 'CHG-01' ? { ...run, settings: [loose] } : run)),
    ),
  },
  {
    name: 'rows are said to be expected that were not',
    cook: again((contents) =>
      withRuns(contents, (run) => ({ ...run, completeness: [{ source: 'pushes', expected: 0, found: 9 }] })),
    ),
  },
  {
    name: 'the period is drawn around a bad change',
    cook: again((contents) => ({
      ...contents,
      scope: { ...contents.scope, period: { ...contents.scope.period, to: '2026-07-02T00:00:00.000Z' } },
    })),
  },
  {
    name: 'the scope is narrowed to a repository',
    cook: again((contents) => ({ ...contents, scope: { ...contents.scope, repositories: ['repo_1'] } })),
  },
  {
    name: 'a leave is made up',
    cook: again((contents) => withRows(contents, (rows) => rows.map((row) => (row === bad(rows) ? waived(row) : row)))),
  },
  {
    name: 'the facts of a row are other than its entry tells',
    cook: again((contents) =>
      withRows(contents, (rows) => {
        const good = rows.find(({ verdict }) => verdict === 'pass');
        const { subject, leaf, leaves } = bad(rows).row;
        return rows.map((row) =>
          good && row === bad(rows) ? { ...good, row: { ...good.row, subject, leaf, leaves } } : row,
        );
      }),
    ),
  },
  {
    name: 'the parts of a change are others',
    cook: edit('changes.jsonl', (text) => text.replace('per_author', 'per_someone')),
  },
  {
    name: 'the parts of a change are left out with its rows',
    cook: again((contents) => ({
      ...withRows(contents, without(worst(contents))),
      parts: contents.parts.filter(({ index }) => index !== worst(contents).row.leaf),
    })),
  },
  {
    name: 'a row rests on an entry that is not shown',
    cook: again((contents) =>
      withRows(contents, (rows) =>
        rows.map((row, index) => (index === 0 ? { ...row, row: { ...row.row, leaves: [0, 100_000] } } : row)),
      ),
    ),
  },
  {
    name: 'a row points to the entry of another change',
    cook: again((contents) => {
      const good = contents.runs[0]?.rows.find(({ verdict }) => verdict === 'pass')?.row.leaf ?? null;
      return withRows(contents, (rows) =>
        rows.map((row) => (row === bad(rows) ? { ...row, row: { ...row.row, leaf: good } } : row)),
      );
    }),
  },
  {
    name: 'the census is said to begin later',
    cook: said((manifest) => ({ ...manifest, population: { ...manifest.population, from: 20 } })),
  },
  {
    name: 'the census is said to end earlier',
    cook: said((manifest) => ({ ...manifest, population: { ...manifest.population, to: 20 } })),
  },
  {
    name: 'the bundle claims to be whole in nothing',
    cook: said((manifest) => ({ ...manifest, population: { ...manifest.population, kinds: [] } })),
  },
  {
    name: 'a smaller tree is said to have been evaluated',
    cook: said((manifest) => ({ ...manifest, evaluated: { ...manifest.evaluated, size: 10 } })),
  },
  {
    name: 'another root is said to have been evaluated',
    cook: said((manifest) => ({
      ...manifest,
      evaluated: {
        ...manifest.evaluated,
        root: `${manifest.evaluated.root.startsWith('A') ? 'B' : 'A'}${manifest.evaluated.root.slice(1)}`,
      },
    })),
  },
  {
    name: 'the proofs that the ledger only grew are taken away',
    cook: ({ bundle }) => resigned(bundle, (texts) => texts.set('ledger/consistency.jsonl', '')),
  },
  {
    name: 'the checkpoint is that of another log of the same operator',
    cook: again((contents) => ({
      ...contents,
      checkpoint: signCheckpoint(
        { size: contents.ledger.size, root: fromBase64(contents.evaluated.root) },
        signerOf(`${origin}x`, secretKey),
      ),
    })),
  },
  {
    name: 'the checkpoint is one that was signed anew with another root',
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
    cook: said((manifest) => ({ ...manifest, ledger: { ...manifest.ledger, epoch: 2 } })),
  },
  {
    name: 'another organization is claimed',
    cook: said((manifest) => ({ ...manifest, org: { ...manifest.org, id: 'org_2' } })),
  },
  {
    name: 'a control is left out that the files tell of',
    cook: said((manifest) => ({ ...manifest, controls: manifest.controls.slice(1) })),
  },
  {
    name: 'a table for people says otherwise',
    cook: edit('csv/CHG-01.csv', (text) => text.replace('"fail"', '"pass"')),
  },
  {
    name: 'a table for people gets a formula',
    cook: edit('csv/CHG-01.csv', (text) => text.replace('"change:change_1"', '"=1+1"')),
  },
  {
    name: 'OSCAL says satisfied',
    cook: edit('oscal/assessment-results.json', (text) => text.replace('"not-satisfied"', '"satisfied"')),
  },
  {
    name: 'OSCAL names an observation that is not there',
    cook: edit('oscal/assessment-results.json', (text) =>
      text.replace(/"observation-uuid":"(.)/, (_, first) => `"observation-uuid":"${first === 'f' ? 'e' : 'f'}`),
    ),
  },
  { name: 'a digest is left out', cook: ({ bundle }) => resigned(bundle, (texts) => void texts.delete(digest)) },
  {
    name: 'a digest is left out with its entries',
    cook: again((contents) => withoutKinds({ ...contents, digests: [] }, 'digest.created', 'audit.digest.reviewed')),
  },
  {
    name: 'a digest flagged less than it did',
    cook: edit(digest, (text) => text.replace(/"flags":\[.*?\}\]/, '"flags":[]')),
  },
  {
    name: 'a follow-up of a digest becomes a sign-off',
    cook: edit(digest, (text) => text.replace('"decision":"follow_up"', '"decision":"reviewed"')),
  },
  {
    name: 'a digest was decided otherwise',
    cook: edit(digest, (text) => text.replace('"accepted"', '"wrong"')),
  },
  {
    name: 'a review of a digest is left out with its entry',
    cook: again((contents) => withoutKinds(contents, 'audit.digest.reviewed')),
  },
  {
    name: 'a digest is added that nobody made',
    cook: ({ bundle }) =>
      resigned(bundle, (texts) => texts.set(digest.replace('2.json', '9.json'), texts.get(digest) ?? '')),
  },
  {
    name: 'a policy asked for less',
    cook: edit('policies.jsonl', (text) => text.replace('"approvals":2', '"approvals":1')),
  },
  {
    name: 'a policy held from another time on',
    cook: edit('policies.jsonl', (text) => text.replace(/"at":"2026-06-30/, '"at":"2026-01-01')),
  },
  { name: 'a version of a policy is left out', cook: edit('policies.jsonl', (text) => joined(lines(text).slice(1))) },
  {
    name: 'policies are left out with their entries',
    cook: again((contents) => withoutKinds(contents, 'audit.policy.created', 'audit.policy.changed')),
  },
  {
    name: 'what was approved is said to be refused',
    cook: edit('waivers.jsonl', (text) => text.replace('"as":"approved"', '"as":"refused"')),
  },
  {
    name: 'somebody else is said to have approved',
    cook: edit('waivers.jsonl', (text) => text.replace('"by":null', '"by":"per_someone"')),
  },
  { name: 'an exception is left out', cook: edit('waivers.jsonl', (text) => joined(lines(text).slice(1))) },
  {
    name: 'waivers are left out with their entries',
    cook: again((contents) =>
      withoutKinds(contents, 'audit.exception.requested', 'audit.exception.approved', 'audit.exception.refused'),
    ),
  },
  {
    name: 'what the ledger holds of records is left out',
    cook: again((contents) => withoutKinds(contents, 'snapshot.records')),
  },
  {
    name: 'another bundle is said to be superseded',
    cook: said((manifest) => ({ ...manifest, supersedes: '' })),
  },
  {
    name: 'the changes of an own code host are said to come from github.com',
    cook: said((manifest) => ({
      ...manifest,
      codeHosts: manifest.codeHosts.map((one) => ({ ...one, host: `www.${one.host}` })),
    })),
  },
  {
    name: 'the account of another person is said to have made a change',
    cook: said((manifest) => ({
      ...manifest,
      people: manifest.people.map((one) => ({ ...one, accounts: one.accounts.map((of) => ({ ...of, id: '1' })) })),
    })),
  },
  { name: 'an account that is disclosed is left out', cook: said((manifest) => ({ ...manifest, people: [] })) },
  { name: 'a report is said to be there that is not', cook: said((manifest) => ({ ...manifest, report: 'pdf' })) },
  { name: 'missing evidence is left out', cook: edit('missing-evidence.json', () => '[]') },
  {
    name: 'the words of a control are others',
    cook: edit('controls/catalog.json', (text) => text.replace('Independent approval', 'Approval')),
  },
  { name: 'another catalog is claimed', cook: said((manifest) => ({ ...manifest, catalog: '0.0.1' })) },
  {
    name: 'the readme says that all is proven',
    cook: edit('README.txt', (text) =>
      text.replace('It does not prove\nthat the data is true', 'It proves\nthat the data is true'),
    ),
  },
  { name: 'the key inside is another', cook: edit('keys/vkey.txt', (text) => `${text}x`) },
  {
    name: 'it is signed by another key of the same name',
    cook: ({ bundle }) =>
      resigned(
        bundle,
        () => undefined,
        undefined,
        (text) => signNote(text, signerOf(origin, other)),
      ),
  },
  {
    name: 'it is signed by the key of another log',
    cook: ({ bundle }) =>
      resigned(
        bundle,
        () => undefined,
        undefined,
        (text) => signNote(text, signerOf(`${origin}x`, secretKey)),
      ),
  },
  {
    name: 'the checkpoint writes its size in digits of another script',
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
    cook: ({ bundle, contents }) =>
      resigned(
        bundle,
        () => undefined,
        undefined,
        () => contents.checkpoint,
      ),
  },
  {
    name: 'its signature is that of another bundle',
    cook: ({ bundle }) =>
      resigned(
        bundle,
        (texts) => texts.set('missing-evidence.json', '[]'),
        undefined,
        () => textOf(openZip(bundle).file(signaturePath)),
      ),
  },
];

const waived = (row: EvaluatedRow): EvaluatedRow => ({
  ...row,
  row: { ...row.row, waivers: [leave] },
  verdict: 'waived',
  reasons: [`approved_waiver:${leave.id}`, ...row.reasons],
});
export const otherKey = verifierOf(origin, publicKeyOf(other));
