import { randomInt } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { createFaults, type Fault } from './faults.ts';
import { type ChaosLoad, SOCKET_COUNT, startChaosLoad } from './load.ts';
import { type ChaosStage, startChaosStage } from './stage.ts';
import { verifyStoredEvents, waitUntilQueuesAreEmpty } from './verify.ts';

// `npm run chaos -- MINUTES`: see docs/operations/monitoring.md. CHAOS_SEED repeats the faults of a run, CHAOS_FAULTS
// selects faults.
const minutes = Number(process.argv[2] ?? 10);
const seed = Number(process.env.CHAOS_SEED ?? randomInt(2 ** 31));
const only = process.env.CHAOS_FAULTS?.split(',');

/** Limits in milliseconds: p99 of requests without a fault, and the recovery from a fault. */
const limits = { p99: 250, recovery: 30_000 };
const calmMs = 15_000;
// 3 KB for each of 3,000 events a second, as much for the write-ahead log, and a reserve.
const diskBytes = Math.max(4, minutes) * 60 * 3_000 * 4_096 + 6e9;

const began = performance.now();
const log = (line: string) => console.log(`${((performance.now() - began) / 1000).toFixed(1).padStart(7)} s  ${line}`);
const problems: string[] = [];

log(`Chaos for ${minutes} minutes, CHAOS_SEED=${seed}`);
const stage = await startChaosStage(diskBytes, log);
try {
  const load = await startChaosLoad(stage, log);
  const random = createRandom(seed);
  const faults = createFaults(stage).filter(
    ({ name }) => only === undefined || only.some((part) => name.includes(part)),
  );
  const calm: number[] = [];
  const until = performance.now() + minutes * 60_000;
  log('Everything is up.');
  let bag: Fault[] = [];
  while (performance.now() < until) {
    await pause(5_000);
    load.beginCalm();
    await pause(calmMs);
    const measured = load.endCalm();
    calm.push(...measured);
    log(
      `calm: ${measured.length} requests, p50 ${percentile(measured, 0.5)} ms, p99 ${percentile(measured, 0.99)} ms, ${load.crowd.connected()} sockets`,
    );
    if (performance.now() >= until) break;
    // Each fault runs once before any runs again.
    if (bag.length === 0) bag = shuffled(faults, random);
    const fault = bag.pop();
    if (!fault) throw new Error('CHAOS_FAULTS names no fault.');
    log(`fault: ${fault.name}`);
    await fault.run(random);
    const recovery = await recoveryOf(stage, load);
    log(`recovered after ${Math.round(recovery)} ms`);
    if (recovery > limits.recovery) problems.push(`${fault.name}: recovered after ${Math.round(recovery)} ms`);
  }
  const p99 = percentile(calm, 0.99);
  log(`all calm phases: ${calm.length} requests, p50 ${percentile(calm, 0.5)} ms, p99 ${p99} ms`);
  if (p99 > limits.p99) problems.push(`p99 while calm: ${p99} ms`);
  await load.end();
  log('Waiting for the queues.');
  for (const left of await waitUntilQueuesAreEmpty(stage)) problems.push(`not worked off: ${left}`);
  log('Verifying.');
  problems.push(...(await verifyStoredEvents(stage, load)));
  const { checks } = await stage.ask<{ checks: { name: string; state: string; message: string }[] }>(
    'doctor',
    '--ledger',
  );
  for (const { state, message } of checks) {
    log(`ledger: ${message}`);
    if (state !== 'ok') problems.push(`ledger: ${message}`);
  }
  const restarts = stage.nodes.map(({ name, program }) => `${name} ${program.restarts()}`).join(', ');
  log(`Ended by themselves and started again: ${restarts}, PostgreSQL ${stage.postgres.restarts()}`);
} catch (error) {
  problems.push(`the run itself: ${(error as Error).stack}`);
} finally {
  await stage.close();
}
for (const problem of problems) log(`PROBLEM ${problem}`);
log(problems.length === 0 ? 'Every check passed.' : `${problems.length} checks failed.`);
process.exit(problems.length === 0 ? 0 : 1);

/** Returns the milliseconds until every process is ready, every socket is connected, and a request has succeeded. */
async function recoveryOf({ nodes }: ChaosStage, { lastSuccess, crowd }: ChaosLoad): Promise<number> {
  const start = performance.now();
  const isReady = async (): Promise<boolean> => {
    const answers = await Promise.all(
      nodes.map(({ metrics }) =>
        fetch(`${metrics}/api/health/ready`, { signal: AbortSignal.timeout(2_000) }).then(
          ({ ok }) => ok,
          () => false,
        ),
      ),
    );
    return answers.every((ok) => ok);
  };
  for (;;) {
    const asked = performance.now();
    if ((await isReady()) && lastSuccess() > start && crowd.connected() === SOCKET_COUNT) return asked - start;
    if (asked - start > 5 * limits.recovery) return asked - start;
    await pause(100);
  }
}

function percentile(values: readonly number[], part: number): number {
  const sorted = values.toSorted((one, other) => one - other);
  return Math.round(sorted[Math.min(sorted.length - 1, Math.trunc(sorted.length * part))] ?? Number.NaN);
}

/** Returns a generator of numbers from 0 to 1 that are the same for the same seed (mulberry32). */
function createRandom(start: number): () => number {
  let state = start;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

function shuffled<Item>(items: readonly Item[], random: () => number): Item[] {
  return items
    .map((item) => [random(), item] as const)
    .toSorted(([one], [other]) => one - other)
    .map(([, item]) => item);
}
