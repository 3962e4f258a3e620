import { readFileSync, writeFileSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';
import type { SnapshotDetails } from '@sightline/contract/compliance/snapshots.ts';
import pg from 'pg';
import { openDatabase } from '../server/src/database/database.ts';
import { addChanges, addRepository } from '../server/src/domains/compliance/snapshots/changes.fixture.ts';
import { measureDurationMs, roundToTenth } from './halves.ts';
import { queueEntries } from './ledger-scene.ts';
import { type BenchServer, startServer } from './process.ts';
import { printReport } from './report.ts';

const merges = Number(process.env.BENCH_MERGES ?? 5_000);
/** The number of ledger entries besides changes. */
const others = Number(process.env.BENCH_OTHERS ?? 20 * merges);
const repositories = 10;

/** Measures a snapshot of a quarter with many merges: its duration, the bundle size and the memory of the server. */
export async function benchBundle(): Promise<void> {
  const server = await startServer();
  try {
    await seedQuarter(server);
    const before = await startMemoryMeasurement(server);
    let snapshot: SnapshotDetails | undefined;
    const durationMs = await measureDurationMs(async () => {
      snapshot = await createSnapshotAndWait(server);
    });
    const made = figuresOf(server, before, snapshot, durationMs);
    // The bundle file is a cache: the server reads it if it exists, and builds it again otherwise.
    const sending = await measureDurationMs(() => fetchBundle(server, snapshot?.id ?? ''));
    printReport(`bundle of a quarter with ${merges} merges in a ledger of ${merges + others} entries`, [
      made,
      { name: 'sent', seconds: roundToTenth(sending / 1000) },
    ]);
  } finally {
    await server.stop();
  }
}

function figuresOf(server: BenchServer, before: number, snapshot: SnapshotDetails | undefined, durationMs: number) {
  return {
    name: 'made',
    seconds: roundToTenth(durationMs / 1000),
    'bundle MB': roundToTenth((snapshot?.bundle?.bytes ?? 0) / 1_000_000),
    files: snapshot?.files.length ?? 0,
    rows: (snapshot?.results ?? []).reduce((sum, { counts }) => sum + counts.population, 0),
    'memory before MB': Math.round(before),
    'memory at most MB': Math.round(peakOf(server)),
  };
}

/** Inserts the changes of a quarter in several repositories, and entries of other kinds, and sequences all of them. */
export async function seedQuarter(server: BenchServer): Promise<void> {
  const { ownerUrl, superuserUrl, orgId } = server;
  const database = openDatabase({ url: ownerUrl, max: 2, role: 'sightline_app', onError: () => undefined });
  const superuser = new URL(superuserUrl);
  superuser.pathname = new URL(ownerUrl).pathname;
  const owner = new pg.Client({ connectionString: superuser.href });
  try {
    await owner.connect();
    for (let index = 0; index < repositories; index += 1) {
      const repository = await addRepository({ database }, orgId, `repository-${index}`);
      await addChanges({ database }, orgId, repository, {
        from: '2026-07-01T06:00:00.000Z',
        count: merges / repositories,
      });
      await queueEntries(owner, orgId, Math.round(others / repositories));
    }
    await owner.query('analyze');
  } finally {
    await owner.end();
    await database.close();
  }
  // A snapshot of an empty quarter sequences all entries. The next snapshot continues from it.
  await createSnapshotAndWait(server, { name: 'Quarter 2', period: '2026-Q2', controls: ['CHG-01'] });
}

/** Requests a snapshot and waits until its bundle is ready. Its default is the quarter with all controls. */
export async function createSnapshotAndWait(
  server: BenchServer,
  request: object = { name: 'Quarter 3', period: '2026-Q3' },
): Promise<SnapshotDetails> {
  const body = JSON.stringify(request);
  const answer = await send(server, '', { method: 'POST', headers: { 'content-type': 'application/json' }, body });
  const { id } = (await answer.json()) as SnapshotDetails;
  for (;;) {
    const now = (await (await send(server, `/${id}`)).json()) as SnapshotDetails;
    if (now.state === 'failed') throw new Error(now.problem ?? 'The snapshot failed');
    if (now.state === 'ready') return now;
    await delay(100);
  }
}

export const fetchBundle = async (server: BenchServer, id: string): Promise<Uint8Array> =>
  new Uint8Array(await (await send(server, `/${id}/bundle`)).arrayBuffer());

async function send({ url, token }: BenchServer, path: string, init: RequestInit = {}): Promise<Response> {
  const headers = { ...init.headers, authorization: `Bearer ${token}` };
  const answer = await fetch(`${url}/api/v2/snapshots${path}`, { ...init, headers });
  if (!answer.ok) throw new Error(`${path} answered ${answer.status}: ${await answer.text()}`);
  return answer;
}

/** Returns the memory of the server in megabytes and resets its peak (Linux only). */
async function startMemoryMeasurement({ pid }: BenchServer): Promise<number> {
  writeFileSync(`/proc/${pid}/clear_refs`, '5');
  return memoryOfProcessMegabytes(pid, 'VmRSS');
}

const peakOf = ({ pid }: BenchServer): number => memoryOfProcessMegabytes(pid, 'VmHWM');

export const memoryOfProcessMegabytes = (pid: number, what: 'VmRSS' | 'VmHWM'): number =>
  Number(new RegExp(`^${what}:\\s+(\\d+)`, 'm').exec(readFileSync(`/proc/${pid}/status`, 'latin1'))?.[1] ?? 0) / 1024;
