import { setTimeout as delay } from 'node:timers/promises';
import { type RepositoryListItem, retryImport } from '@sightline/contract/sources/repositories.ts';
import { composeServices } from '../server/src/compose.ts';
import { readConfig } from '../server/src/config.ts';
import { createLog } from '../server/src/core/log.ts';
import { readPidFile } from '../server/src/database/embedded/pid-file.ts';
import { clusterOf } from '../server/src/database/embedded/placement.ts';
import { createRandom, type HistoryTotals, historyTotalsOf, mixedRepositorySizes, writeHistory } from './histories.ts';
import { createIntakeScene, type IntakeScene, repositoryNameOf, waitUntil } from './intake-scene.ts';
import { readRateLimits, sampleStates } from './intake-states.ts';
import { printProgress, type ReportRow } from './report.ts';

const repositories = Number(process.env.REPOSITORIES ?? 200);
const seed = Number(process.env.SEED ?? 1);
const kills = Number(process.env.KILLS ?? 6);
const minutes = Number(process.env.BENCH_MINUTES ?? 30);

/** Requests of the API. Sign-in and the control address have no faults. */
const api = '^/api/(v3/(repos|installation)|graphql)';
const faults = [
  { match: api, every: 499, status: 429, retryAfter: 8 },
  { match: api, every: 97, status: 429, retryAfter: 1 },
  { match: api, every: 53, status: 500 },
  { match: api, every: 61, delayMs: 1_500 },
  { match: api, every: 1_009, truncate: true },
];
const always = 1_000_000_000;
/** Imports many repositories while the host fails, branches move, and the server and its PostgreSQL are killed. */
export async function measureIntakeUnderFaults(folder: string): Promise<ReportRow[]> {
  const random = createRandom(seed);
  printProgress(`writing ${repositories} histories`);
  const paths: string[] = [];
  for (const [path, size] of mixedRepositorySizes(folder, repositories, random)) {
    await writeHistory(path, size, random);
    paths.push(path);
  }
  const initial = await totalsByName(paths);
  const scene = await createIntakeScene({ paths, folder, requestsPerHour: 1_000_000 });
  try {
    for (const fault of faults) await scene.host.control('POST', '/faults', { ...fault, times: always });
    await scene.host.control('POST', '/disorder', { twiceEvery: 3, lateEvery: 4 });
    const started = performance.now();
    const since = () => Math.round((performance.now() - started) / 1000);
    const samples = sampleStates(scene, initial);
    await scene.enable(paths.map(repositoryNameOf));
    printProgress('importing');
    const harm = await causeHarm(scene, paths, random);
    await waitUntil('imports are still under way', minutes, () => areEnded(scene, repositories, since));
    const endedAfter = since();
    const limits = await readRateLimits(scene);
    await scene.host.control('DELETE', '/faults');
    const retried = await retryIncomplete(scene);
    await waitUntil(
      'Retry did not complete every import',
      minutes,
      async () => (await incompleteOf(scene)).length === 0,
    );
    const completeAfter = since();
    const { samples: count, falseStates } = await samples.stop();
    for (const state of falseStates.slice(0, 20)) printProgress(state);
    await scene.host.control('POST', '/disorder', { twiceEvery: 0, lateEvery: 0 });
    await healMissed(scene);
    const expected = sumOf(await totalsByName(paths));
    const missing = async () => difference(expected, sumOf(await scene.stored()));
    await waitUntil('totals differ from those of git', 10, async () =>
      (await missing()).every((one) => one === 0),
    ).catch((error: Error) => printProgress(error.message));
    const deliveries = await scene.host.control<{ status_code: number }[]>('GET', '/deliveries');
    const [commits, pullRequests, changedFiles] = await missing();
    return [
      {
        name: 'faults',
        repositories,
        'server killed': harm.server,
        'PostgreSQL killed': harm.postgres,
        'refused for the rate': limits.length,
        'pushes meanwhile': harm.pushes,
        'webhooks delivered': deliveries.length,
        'webhooks failed': deliveries.filter(({ status_code: status }) => status < 200 || status > 299).length,
      },
      {
        name: 'imports',
        'all ended after s': endedAfter,
        'complete after s': completeAfter,
        failed: retried.failed,
        'with missing items': retried.missing,
        'not complete after Retry': (await incompleteOf(scene)).length,
      },
      { name: 'states', samples: count, false: falseStates.length },
      {
        name: 'totals of git',
        commits: expected.commits,
        'pull requests': expected.pullRequests,
        'changed files': expected.changedFiles,
      },
      {
        name: 'missing in the database',
        commits: commits ?? 0,
        'pull requests': pullRequests ?? 0,
        'changed files': changedFiles ?? 0,
      },
    ];
  } finally {
    await scene.close();
  }
}

async function totalsByName(paths: readonly string[]): Promise<Map<string, HistoryTotals>> {
  const totals = new Map<string, HistoryTotals>();
  for (const path of paths) totals.set(repositoryNameOf(path), await historyTotalsOf(path));
  return totals;
}

function sumOf(all: ReadonlyMap<string, HistoryTotals>): HistoryTotals {
  const sum = { commits: 0, pullRequests: 0, changedFiles: 0 };
  for (const { commits, pullRequests, changedFiles } of all.values()) {
    sum.commits += commits;
    sum.pullRequests += pullRequests;
    sum.changedFiles += changedFiles;
  }
  return sum;
}

const difference = (one: HistoryTotals, other: HistoryTotals): number[] => [
  one.commits - other.commits,
  one.pullRequests - other.pullRequests,
  one.changedFiles - other.changedFiles,
];

/** Kills the server and its PostgreSQL in turn at random times, and pushes to branches meanwhile. */
async function causeHarm(scene: IntakeScene, paths: readonly string[], random: () => number) {
  const harm = { server: 0, postgres: 0, pushes: 0 };
  for (let kill = 0; kill < kills; kill += 1) {
    const until = performance.now() + 4_000 + random() * 12_000;
    while (performance.now() < until) {
      const path = paths[Math.floor(random() * paths.length)] ?? '';
      await writeHistory(path, { commits: 3, pullRequests: Math.round(random()) }, random);
      harm.pushes += 1;
      await delay(1_000);
    }
    if (kill % 2 === 0) {
      await scene.restart();
      harm.server += 1;
    } else {
      const cluster = await readPidFile(await clusterOf(scene.installation.dataDir));
      if (cluster) process.kill(cluster.pid, 'SIGKILL');
      harm.postgres += 1;
    }
    printProgress(`killed ${kill % 2 === 0 ? 'the server' : 'PostgreSQL'}`);
  }
  return harm;
}

async function areEnded(scene: IntakeScene, count: number, since: () => number): Promise<boolean> {
  const shown = await scene.list();
  const states = Map.groupBy(shown, ({ import: one }) => one?.state ?? 'none');
  const phases = Map.groupBy(shown, ({ import: one }) => one?.phase ?? 'none');
  const counts = Object.fromEntries([...states].map(([state, list]) => [state, list.length]));
  if (since() % 20 === 0) {
    const inPhases = [...phases].map(([phase, list]) => `${list.length} ${phase}`);
    printProgress(`${since()} s: ${JSON.stringify(counts)}, ${inPhases.join(', ')}`);
  }
  const ended = (counts.done ?? 0) + (counts.failed ?? 0);
  return shown.length === count && ended === count;
}

const incompleteOf = async (scene: IntakeScene): Promise<RepositoryListItem[]> =>
  (await scene.list()).filter(({ import: one }) => one?.state !== 'done' || one.missing > 0);

/** Retries every import that failed or misses items. */
async function retryIncomplete(scene: IntakeScene): Promise<{ failed: number; missing: number }> {
  const incomplete = await incompleteOf(scene);
  for (const { fullName } of incomplete) {
    await scene.call(retryImport, { params: { provider: 'github', repoPath: fullName } });
  }
  const failed = incomplete.filter(({ import: one }) => one?.state === 'failed').length;
  return { failed, missing: incomplete.length - failed };
}

/** Starts the reconciliation of changes without a webhook, as the schedule does every six hours. */
async function healMissed({ installation, environment }: IntakeScene): Promise<void> {
  const config = readConfig({
    ...environment,
    NODE_ENV: 'development',
    SANDBOX: 'off',
    DATA_DIR: installation.dataDir,
  });
  const { services, close } = await composeServices(config, await installation.databaseUrl(), createLog('error'));
  try {
    await services.database.global(async (tx) => {
      await services.jobs.enqueue(tx, 'github.recover-missed-webhooks', {}, { key: 'all' });
      await services.jobs.enqueue(tx, 'reconcile.all', {}, { key: 'all' });
    });
  } finally {
    await close();
  }
}
