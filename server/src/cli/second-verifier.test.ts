import { spawn } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { json } from 'node:stream/consumers';
import { attacks, signAgain } from '@sightline/evidence/bundle/testing/attacks.ts';
import {
  appendChanges,
  buildTestBundle,
  bytesOf,
  createTestLedger,
  key,
  type TestBundle,
  vkey,
  withoutPerson,
} from '@sightline/evidence/bundle/testing/scene.ts';
import { writeVectors } from '@sightline/evidence/bundle/testing/write-vectors.ts';
import { verifyBundle } from '@sightline/evidence/bundle/verify.ts';
import { catalogFile } from '@sightline/evidence/controls/catalog-file.ts';
import { cosign, cosignerOf, withSignatures } from '@sightline/evidence/ledger/cosignature.ts';
import { verifierText } from '@sightline/evidence/ledger/note.ts';
import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { isFullSuite } from '../../../scripts/full-suite.ts';
import { hasPython, runInPython, secondVerifier } from './testing/second-verifier.ts';

let folder: string;
let made: TestBundle;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'sightline-second-'));
  const log = createTestLedger();
  made = await buildTestBundle(log, appendChanges(log, 24));
});
afterAll(() => rm(folder, { recursive: true }));

/** The numbers of bundles and of flipped bytes. */
const [bundles, flips] = isFullSuite ? [26, 900] : [2, 60];
/** The number of changes to a package: 10,000 in the ten rounds of `npm run fuzz`. */
const changes = process.env.FUZZ_SEED ? 1000 : isFullSuite ? 100 : 8;

interface VerifierOutput {
  valid: boolean;
  steps: [number, string][];
  wrong: [number, string] | null;
}

let files = 0;
async function fileOf(bytes: Uint8Array): Promise<string> {
  files += 1;
  const path = join(folder, `${files}.zip`);
  await writeFile(path, bytes);
  return path;
}

/** Verifies a bundle with the Python program. */
async function runPython(bundle: Uint8Array, ...more: string[]): Promise<VerifierOutput> {
  const args = ['-B', secondVerifier, await fileOf(bundle), '--key', vkey, '--json', ...more];
  const child = spawn('python3', args, { stdio: ['ignore', 'pipe', 'inherit'] });
  return (await json(child.stdout)) as VerifierOutput;
}

/** Compares the results of both programs for each item, three at a time. */
async function compareEach<T>(all: readonly T[], compare: (one: T) => Promise<void>): Promise<void> {
  const waiting = [...all];
  const worker = async () => {
    for (let one = waiting.shift(); one !== undefined; one = waiting.shift()) await compare(one);
  };
  await Promise.all([worker(), worker(), worker()]);
}

test.skipIf(!hasPython)(
  'two independent verifiers agree on valid evidence packages of any content',
  async () => {
    const seeds = Array.from({ length: bundles }, (_each, seed) => (seed * 26) / bundles).map(Math.floor);
    await compareEach(seeds, async (seed) => {
      const log = createTestLedger();
      const rows = appendChanges(log, 4 + seed * 3, seed * 7);
      const first = await buildTestBundle(log, rows);
      const redaction = (['none', 'people', 'names', 'all'] as const)[seed % 4] ?? 'none';
      const earlier = [first.contents.ledger.size];
      const { contents } = await buildTestBundle(log, rows, { redaction, earlier, name: `Café ${seed} "quoted" 🧭` });
      const bundle = await bytesOf(seed % 5 === 0 ? contents : withoutPerson(contents, 'per_reviewer'));
      const report = await verifyBundle(bundle, { keys: [key], previous: first.bundle });
      const output = await runPython(bundle, '--previous', await fileOf(first.bundle));
      expect([report.valid, report.steps.filter(({ state }) => state === 'failed')]).toEqual([true, []]);
      expect(output.wrong, `seed ${seed}`).toBeNull();
      // Both programs report the same counts.
      const counted = new Map(output.steps);
      expect(counted.get(2)).toBe(report.steps[1]?.message);
      expect(counted.get(4)).toBe(report.steps[3]?.message);
      expect(counted.get(5)).toBe(report.steps[4]?.message);
      expect(counted.get(9)).toBe(report.steps[8]?.message);
    });
  },
  300_000,
);

test.skipIf(!hasPython)(
  'rejects every package tampered with by an operator, with and without the key, at the step of the table',
  async () => {
    // The full suite runs all of them. Each program parses the encoding in its own way.
    const sample = attacks.filter(
      ({ name }, index) => isFullSuite || index % 24 === 0 || /signature states another|digits of another/.test(name),
    );
    const { key: tableKey, bundles: table, evaluations } = await writeVectors(folder, sample);
    const at = (file: string) => join(folder, file);
    const given = table.map(({ file, previous, witness, disclosureKey }) => [
      at(file),
      previous && at(previous),
      witness,
      disclosureKey && at(disclosureKey),
    ]);
    const wrong = runInPython(
      `
from verify import key_of, verify
read = lambda path: open(path, 'rb').read()
keys = [key_of(sys.argv[1])]
print(json.dumps([verify(read(path), keys, [key_of(witness)] if witness else [], previous and read(previous),
                         disclosure_key and read(disclosure_key))[1]
                  for path, previous, witness, disclosure_key in json.load(sys.stdin)]))`,
      { args: [tableKey], input: JSON.stringify(given) },
    ) as VerifierOutput['wrong'][];
    const steps = table.map(({ name }, index) => [name, wrong[index]?.[0] ?? null]);
    expect(steps).toEqual(table.map(({ name, step }) => [name, step]));
    // Each rejection must state a problem and not result from an unexpected structure.
    expect(wrong.filter((one) => one?.[1].includes('unexpected structure'))).toEqual([]);
    const differ = runInPython(
      `
from evaluation import evaluate
catalog = json.loads(open(sys.argv[1]).read())
defaults = {one['id']: {name: it['default'] for name, it in one['parameters'].items()} for one in catalog['controls']}
read = lambda path: json.loads(open(path).read())
lines = lambda one: evaluate(one['control'], one['rows'], one['settings'], defaults[one['control']])
print(json.dumps([path for path in json.load(sys.stdin) if lines(read(path)) != (read(path)['evidence'], read(path)['excluded'])]))`,
      { args: [await catalogPath()], input: JSON.stringify(evaluations.map(({ file }) => at(file))) },
    );
    expect(differ).toEqual([]);
  },
  300_000,
);

async function catalogPath(): Promise<string> {
  const path = join(folder, 'catalog.json');
  await writeFile(path, catalogFile());
  return path;
}

test.skipIf(!hasPython)('rejects a rewritten ledger that does not extend the earlier package', async () => {
  const log = createTestLedger();
  const first = await buildTestBundle(log, appendChanges(log, 20));
  const rewritten = createTestLedger();
  const forged = await buildTestBundle(rewritten, appendChanges(rewritten, 40));
  expect(await runPython(forged.bundle)).toMatchObject({ valid: true });
  expect(await runPython(forged.bundle, '--previous', await fileOf(first.bundle))).toMatchObject({
    wrong: [9, expect.any(String)],
  });
  expect(await runPython(first.bundle, '--previous', await fileOf(forged.bundle))).toMatchObject({ valid: false });
});

test.skipIf(!hasPython).each(['ed25519-cosignature', 'ml-dsa-44-cosignature'] as const)(
  'counts a cosignature only with the witness key and rejects a wrong one: %s',
  async (algorithm) => {
    const cosigner = cosignerOf('witness.example/one', algorithm, new Uint8Array(32).fill(5));
    const witness = verifierText(cosigner.verifier);
    const cosigned = (of: string, at: number) => withSignatures(made.contents.checkpoint, [cosign(of, cosigner, at)]);
    const good = await bytesOf({ ...made.contents, checkpoint: cosigned(made.contents.checkpoint, 1_790_000_000) });
    const output = await runPython(good, '--witness', witness);
    expect(output).toMatchObject({ valid: true });
    expect(new Map(output.steps).get(3)).toContain('Cosigned by witness.example/one.');
    expect(new Map((await runPython(good)).steps).get(3)).toContain('No cosignature was verified.');
    const other = (await buildTestBundle(createTestLedger(), [])).contents.checkpoint;
    const bad = await bytesOf({ ...made.contents, checkpoint: cosigned(other, 1_790_000_000) });
    expect(await runPython(bad, '--witness', witness)).toMatchObject({
      wrong: [3, 'The signature of witness.example/one is invalid'],
    });
  },
);

test.skipIf(!hasPython)(
  'rejects a package with any single byte changed',
  async () => {
    const log = createTestLedger();
    const { bundle } = await buildTestBundle(log, appendChanges(log, 2));
    // Runs in one process, because a process per byte would take minutes. Tests bytes without a hash, such as the
    // signature and the file list after it, more densely.
    const script = `
from archive import open_zip
from verify import key_of, verify
data, keys = open(sys.argv[1], 'rb').read(), [key_of(sys.argv[2])]
covered = len(open_zip(data)[2])
tries = int(sys.argv[3])
places = [*range(0, covered, covered * 3 // tries), *range(covered, len(data), (len(data) - covered) * 3 // (2 * tries) or 1)]
flipped = lambda at: data[:at] + bytes([data[at] ^ 1 << at % 8]) + data[at + 1:]
print(json.dumps([verify(data, keys)[1], [at for at in places if verify(flipped(at), keys)[1] is None], len(places) >= tries]))`;
    expect(runInPython(script, { args: [await fileOf(bundle), vkey, String(flips)] })).toEqual([null, [], true]);
  },
  300_000,
);

/** Returns the problems that the Python program finds in these bundles. */
function wrongIn(paths: readonly string[]): VerifierOutput['wrong'][] {
  const script = `
from verify import key_of, verify
keys = [key_of(sys.argv[1])]
print(json.dumps([verify(open(path, 'rb').read(), keys)[1] for path in sys.argv[2:]]))`;
  return runInPython(script, { args: [vkey, ...paths] }) as VerifierOutput['wrong'][];
}

const change = fc.record({
  file: fc.nat(1000),
  how: fc.constantFrom('another letter', 'a line less', 'a line twice', 'a number more'),
  position: fc.nat(1_000_000),
  letter: fc.integer({ min: 32, max: 126 }).map((code) => String.fromCharCode(code)),
});

function changed(text: string, { how, position, letter }: Pick<BundleEdit, 'how' | 'position' | 'letter'>): string {
  const lines = text.split('\n');
  const line = position % Math.max(1, lines.length - 1);
  if (how === 'a line less') return lines.toSpliced(line, 1).join('\n');
  if (how === 'a line twice') return lines.toSpliced(line, 0, lines[line] ?? '').join('\n');
  const at = position % text.length;
  if (how === 'another letter') return `${text.slice(0, at)}${letter}${text.slice(at + 1)}`;
  const behind = text.slice(at).replace(/\d+/, (digits) => String(Number(digits) + 1));
  return `${text.slice(0, at)}${behind}`;
}
type BundleEdit = typeof change extends fc.Arbitrary<infer One> ? One : never;

test.skipIf(!hasPython)(
  'both verifiers reject arbitrarily changed packages with recomputed hashes and signature, apart from documented changes',
  async () => {
    const log = createTestLedger();
    const { bundle } = await buildTestBundle(log, appendChanges(log, 14));
    const { seed } = fc.readConfigureGlobal();
    const outcomes: { what: string; path: string; valid: boolean; isDocumented: boolean }[] = [];
    for (const one of fc.sample(change, { numRuns: changes, ...(seed !== undefined && { seed }) })) {
      let [what, isDocumented] = ['', false];
      const cooked = signAgain(bundle, (texts) => {
        const paths = [...texts.keys()].filter((path) => texts.get(path) !== '');
        const path = paths[one.file % paths.length] ?? '';
        const [before, after] = [texts.get(path) ?? '', changed(texts.get(path) ?? '', one)];
        texts.set(path, after);
        what = `${path}: ${JSON.stringify(one)}`;
        // docs/security.md lists what the key holder can change: an earlier tree may lack its consistency proof.
        isDocumented = before === after || (path === 'ledger/consistency.jsonl' && one.how === 'a line less');
      });
      const { valid } = await verifyBundle(cooked, { keys: [key] });
      outcomes.push({ what, path: await fileOf(cooked), valid, isDocumented });
    }
    expect(outcomes.filter(({ valid }) => !valid).length).toBeGreaterThan(changes * 0.7);
    const wrong = wrongIn(outcomes.map(({ path }) => path));
    const differ = outcomes.filter(({ valid }, index) => valid !== (wrong[index] === null));
    expect(differ.map(({ what, valid }) => ({ what, valid }))).toEqual([]);
    expect(outcomes.filter(({ valid, isDocumented }) => valid && !isDocumented).map(({ what }) => what)).toEqual([]);
  },
  900_000,
);
