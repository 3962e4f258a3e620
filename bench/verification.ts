import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { verifyBundle } from '@sightline/evidence/bundle/verify.ts';
import { parseVerifier } from '@sightline/evidence/ledger/note.ts';
import { maybeHead } from '../server/src/domains/ledger/ledger/head.ts';
import { inSignedOutBrowser } from './browser.ts';
import { createSnapshotAndWait, fetchBundle, memoryOfProcessMegabytes, seedQuarter } from './bundle.ts';
import { measureDurationMs, roundToTenth } from './halves.ts';
import { measureTree } from './ledger.ts';
import { fillLedger, withLedgerScene } from './ledger-scene.ts';
import { startServer } from './process.ts';
import { printProgress, printReport, type ReportRow } from './report.ts';

const leaves = Number(process.env.LEAVES ?? 1_000_000);
const at = (path: string): string => fileURLToPath(new URL(`../${path}`, import.meta.url));

/** Measures the verification of the bundle of a quarter by each program, and of all of a large ledger. */
export async function benchVerification(): Promise<void> {
  const server = await startServer();
  const folder = await mkdtemp(join(tmpdir(), 'sightline-bench-verification-'));
  let bundle: Uint8Array;
  let key: string;
  try {
    await seedQuarter(server);
    printProgress('a quarter of merges in the ledger');
    const snapshot = await createSnapshotAndWait(server);
    key = snapshot.key ?? '';
    bundle = await fetchBundle(server, snapshot.id);
  } finally {
    await server.stop();
  }
  try {
    const path = join(folder, 'bundle.zip');
    await writeFile(path, bundle);
    printReport(`verification of a bundle of ${roundToTenth(bundle.length / 1_000_000)} MB`, [
      await measureSteps(bundle, key),
      await measureInBrowser(path, key),
      await measureProgram('sightline verify', process.execPath, [
        at('server/src/cli/main.ts'),
        'verify',
        path,
        '--key',
        key,
      ]),
      await measureProgram('verify.py', 'python3', ['-B', at('evidence/second/verify.py'), path, '--key', key]),
    ]);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
  await withLedgerScene(0, async (scene) => {
    await fillLedger(scene, leaves);
    const head = await scene.database.withOrg(scene.orgId, (tx) => maybeHead(tx, scene.orgId));
    if (!head) throw new Error('There is no ledger');
    printReport(
      `verification of a ledger of ${head.size} entries, beside half of the figures of its design`,
      await measureTree(scene, head),
    );
  });
}

/** Measures each step in this process, which has loaded all code already. */
async function measureSteps(bundle: Uint8Array, key: string): Promise<ReportRow> {
  const began: number[] = [];
  const onStep = () => void began.push(performance.now());
  const begun = performance.now();
  const { valid, sentence } = await verifyBundle(bundle, { keys: [parseVerifier(key)], onStep });
  const end = performance.now();
  if (!valid) throw new Error(`The bundle of the benchmark is not valid. ${sentence}`);
  const [slowest = 0, at = 0] =
    began
      .map((from, index) => [(began[index + 1] ?? end) - from, index + 1] as const)
      .toSorted(([one], [other]) => other - one)[0] ?? [];
  return {
    name: 'the core alone',
    seconds: roundToTenth((end - begun) / 1000),
    'slowest step': at,
    'of seconds': roundToTenth(slowest / 1000),
  };
}

/** Verifies in the offline page, from the click to the result. */
const measureInBrowser = (path: string, key: string): Promise<ReportRow> =>
  inSignedOutBrowser(async (page) => {
    await page.goto(`file://${at('evidence/verify.html')}`);
    await page.getByLabel('Key of the ledger').fill(key);
    await page.getByLabel('Bundle', { exact: true }).setInputFiles(path);
    const ms = await measureDurationMs(async () => {
      await page.getByRole('button', { name: 'Verify' }).click();
      await page.locator('#result').waitFor({ timeout: 120_000 });
    });
    const outcome = await page.locator('#outcome').textContent();
    if (outcome !== 'Valid') throw new Error(`The page returned ${outcome}`);
    return { name: 'verify.html in a browser', seconds: roundToTenth(ms / 1000) };
  });

/** Runs a separate program, including its start. Reads its peak memory from Linux. */
async function measureProgram(name: string, program: string, args: readonly string[]): Promise<ReportRow> {
  const begun = performance.now();
  const child = spawn(program, args, { stdio: ['ignore', 'ignore', 'inherit'] });
  const peak = watch(child);
  const code = await new Promise<number | null>((resolve, reject) => {
    child.once('error', reject);
    child.once('exit', resolve);
  });
  if (code !== 0) throw new Error(`${name} ended with ${code}`);
  return { name, seconds: roundToTenth((performance.now() - begun) / 1000), 'memory at most MB': Math.round(peak()) };
}

function watch(child: ChildProcess): () => number {
  let peak = 0;
  const sampler = setInterval(() => {
    try {
      peak = Math.max(peak, memoryOfProcessMegabytes(child.pid ?? 0, 'VmHWM'));
    } catch {
      // The process has ended.
    }
  }, 50);
  child.once('exit', () => clearInterval(sampler));
  return () => peak;
}
