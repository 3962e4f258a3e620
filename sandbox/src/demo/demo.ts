import { existsSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { PullRequest } from '../git/pull-request.ts';
import { accountsOf, addRepository, type Host, removeAccount } from '../github/host.ts';
import type { HostedRepository } from '../github/hosted-repository.ts';
import { plantAll } from '../github/planted-state.ts';
import { checksOf, simulateMerge } from '../planted/simulate-merge.ts';
import { defaultBranchRef, type ShaOf } from '../planted/simulated-change.ts';
import { plantOldAlerts } from './alerts.ts';
import { type DemoChange, type DemoHistory, planHistory } from './history.ts';
import { demoOwners, demoRepositories } from './repositories.ts';
import { writeHistory } from './write-history.ts';

/** A repository of the demo on the host, with its history and the SHAs of its commits by number. */
export type HostedDemo = { repository: HostedRepository; history: DemoHistory; shas: Map<number, string> };

/** Every 80 pull requests of a repository cover two years. */
const PULL_REQUESTS_PER_REPOSITORY = 80;
const SEED = 2026;
/** The point of the history, from 0 to 1, at which branches became protected. */
const PROTECTION_POINT = 0.45;
const HOUR_MS = 3_600_000;

/** The folders of the demo repositories below `folder`, if they were created by an earlier run. */
export const demoFoldersIn = (folder: string): string[] =>
  demoRepositories.map(({ name }) => join(folder, name)).filter((path) => existsSync(path));

/**
 * Writes the repositories of the demo below `folder` and adds them to the host, with two years of history that end an
 * hour before `now` (epoch milliseconds). The same time yields the same commits.
 */
export const createDemo = async (host: Host, folder: string, now: number): Promise<HostedDemo[]> => {
  await removeDemo(host, folder);
  const until = Math.floor(now / HOUR_MS) * HOUR_MS - HOUR_MS;
  return Promise.all(
    demoRepositories.map(async (plan, index) => {
      const history = planHistory(plan, { seed: SEED + index, until, pullRequests: PULL_REQUESTS_PER_REPOSITORY });
      const path = join(folder, plan.name);
      const shas = await writeHistory(path, history, { tip: history.tip, written: new Map() });
      const repository = await addRepository(host, path, { isWatched: false });
      await plantHistory(host, repository, history, shas);
      if (plan.host === 'github') await plantOldAlerts(host, repository, until);
      return { repository, history, shas };
    }),
  );
};

/** Removes the accounts of the demo from the host, with their installations, and the folder of their repositories. */
export const removeDemo = async (host: Host, folder: string): Promise<void> => {
  const owners: readonly string[] = Object.values(demoOwners);
  for (const account of accountsOf(host).filter(({ login }) => owners.includes(login))) {
    for (const [id, installation] of host.installations)
      if (installation.account.id === account.id) host.installations.delete(id);
    removeAccount(host, account);
  }
  host.save();
  host.savePlanted();
  await rm(folder, { recursive: true, force: true });
};

const plantHistory = (
  host: Host,
  repository: HostedRepository,
  { commits, changes, repository: { isProtected } }: DemoHistory,
  shas: ReadonlyMap<number, string>,
): Promise<void> => {
  const shaOf: ShaOf = (mark) => shas.get(mark) ?? '';
  const [first, last] = [commits[0], changes.at(-1)];
  const startedAt = first?.at ?? 0;
  const protectedAt = startedAt + PROTECTION_POINT * ((last?.at[0] ?? startedAt) - startedAt);
  const begun = { ref: defaultBranchRef(repository), before: null, after: shaOf(1), at: startedAt };
  const planted = changes.map((change) => plantedBy(repository, change, shaOf));
  return plantAll(host, repository, {
    pulls: new Map(planted.flatMap(({ pull }) => (pull === undefined ? [] : [[pull.number, pull]]))),
    pushes: [
      { ...begun, by: first?.author ?? null, kind: 'branch_creation' },
      ...planted.flatMap(({ pushes }) => pushes),
    ],
    checks: changes.flatMap(({ change, at }) => (change.kind === 'merge' ? checksOf(change, at, shaOf) : [])),
    protections: new Map(isProtected ? [[repository.git.defaultBranch, [{ at: protectedAt, rules }]]] : []),
  });
};

const rules = {
  requiredReviews: 1,
  dismissesStale: true,
  allowsForcePush: false,
  allowsDeletion: false,
  includesAdmins: true,
  requiredChecks: ['build'],
};

/** The pull request and the pushes of a change, as the host reports them. */
const plantedBy = (repository: HostedRepository, { change, at, outcome }: DemoChange, shaOf: ShaOf) => {
  if (change.kind === 'direct') {
    const ref = defaultBranchRef(repository);
    const [time = 0] = at;
    const kind = change.isForced ? ('force_push' as const) : ('push' as const);
    const after = shaOf(change.commits.at(-1) ?? 0);
    return { pull: undefined, pushes: [{ ref, before: shaOf(change.before), after, at: time, by: change.by, kind }] };
  }
  const { pull, pushes } = simulateMerge(repository, change, at, shaOf);
  if (outcome === 'merged') return { pull, pushes };
  const headPushes = pushes.filter(({ ref, after }) => ref !== defaultBranchRef(repository) && after !== null);
  return { pull: pull === undefined ? undefined : unmerged(pull, outcome), pushes: headPushes };
};

const unmerged = (pull: PullRequest, outcome: 'open' | 'closed'): PullRequest => ({
  ...pull,
  state: outcome,
  closedAt: outcome === 'open' ? null : pull.closedAt,
  updatedAt: outcome === 'open' ? (pull.reviews.at(-1)?.at ?? pull.createdAt) : pull.updatedAt,
  mergedAt: null,
  mergedBy: null,
  mergeSha: null,
  landed: [],
});
