import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { createRandom, type HistorySize, historyTotalsOf, writeHistory } from './histories.ts';
import { createIntakeScene, repositoryNameOf } from './intake-scene.ts';
import { printProgress, type ReportRow } from './report.ts';

const seed = Number(process.env.SEED ?? 1);
const minutes = Number(process.env.BENCH_MINUTES ?? 30);

/** Returns the seconds until a large repository and all of its changed files are imported, while two others import. */
export const measureLargeIntake = (folder: string): Promise<ReportRow[]> =>
  measureLarge(folder, {
    size: sizeFrom(process.env.LARGE, { commits: 6_000, pullRequests: 540 }),
    others: [
      { commits: 1_500, pullRequests: 120 },
      { commits: 1_500, pullRequests: 120 },
    ],
    requestsPerHour: 1_000_000,
  });

/** Measures one repository of a host that accepts 5,000 requests an hour. */
export const measureLimitedIntake = (folder: string): Promise<ReportRow[]> =>
  measureLarge(folder, {
    size: sizeFrom(process.env.LIMITED, { commits: 20_000, pullRequests: 1_000 }),
    others: [],
    requestsPerHour: 5_000,
  });

interface Large {
  size: HistorySize;
  others: HistorySize[];
  requestsPerHour: number;
}

/** Parses `6000,540`: commits and pull requests. */
function sizeFrom(text: string | undefined, otherwise: HistorySize): HistorySize {
  const [commits = otherwise.commits, pullRequests = otherwise.pullRequests] = text?.split(',').map(Number) ?? [];
  return { commits, pullRequests };
}

async function measureLarge(folder: string, { size, others, requestsPerHour }: Large): Promise<ReportRow[]> {
  const random = createRandom(seed);
  const sizes = [size, ...others].map((one, index): [string, HistorySize] => [join(folder, `large-${index}`), one]);
  printProgress('writing histories');
  for (const [path, one] of sizes) await writeHistory(path, one, random);
  const paths = sizes.map(([path]) => path);
  const scene = await createIntakeScene({ paths, folder, requestsPerHour });
  try {
    const [first = ''] = paths;
    const totals = await historyTotalsOf(first);
    await scene.host.control('GET', '/repositories');
    printProgress('importing');
    const started = performance.now();
    const since = () => Math.round((performance.now() - started) / 100) / 10;
    await scene.enable(paths.map(repositoryNameOf));
    const { marks, limitedSamples } = await followImport(scene, repositoryNameOf(first), since);
    const stored = (await scene.stored()).get(repositoryNameOf(first));
    const { limit, remaining, answers } = await scene.host.control<{
      limit: number;
      remaining: number;
      answers: unknown[];
    }>('GET', '/rate-limit');
    return [
      {
        name: `${totals.commits} commits, ${totals.pullRequests} pull requests, ${others.length} others`,
        ...marks,
        'REST requests': limit - remaining,
        'refused for the rate': answers.length,
        'samples rate limited': limitedSamples,
        'commits missing': totals.commits - (stored?.commits ?? 0),
        'pull requests missing': totals.pullRequests - (stored?.pullRequests ?? 0),
        'changed files missing': totals.changedFiles - (stored?.changedFiles ?? 0),
      },
    ];
  } finally {
    await scene.close();
  }
}

/** Waits for the import. Returns the seconds until the end of each phase, and how often it was rate limited. */
async function followImport(scene: Awaited<ReturnType<typeof createIntakeScene>>, name: string, since: () => number) {
  const marks: Record<string, number> = {};
  let limitedSamples = 0;
  for (;;) {
    await delay(250);
    const found = (await scene.list().catch(() => [])).find((one) => one.name === name)?.import;
    if (!found) continue;
    if (found.state === 'rate_limited') limitedSamples += 1;
    if (found.phase !== 'commits') marks['commits after s'] ??= since();
    if (found.phase === 'files') marks['history after s'] ??= since();
    if (found.state === 'failed') throw new Error(found.error ?? 'The import failed');
    if (found.state === 'done') break;
    if (since() > minutes * 60) {
      printProgress(`not done after ${minutes} minutes: ${JSON.stringify(found)}`);
      break;
    }
  }
  marks['all after s'] = since();
  return { marks, limitedSamples };
}
