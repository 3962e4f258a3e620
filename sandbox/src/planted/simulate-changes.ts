import { git } from '../git/command.ts';
import type { PlantedPull, Push } from '../git/model.ts';
import { findPullRequests, readUnreachableCommits, refreshRepository } from '../git/repository.ts';
import { type Host, readPeople } from '../github/host.ts';
import type { HostedRepository } from '../github/hosted-repository.ts';
import { followRepository } from '../github/webhook-events.ts';
import type { Direct, ScenarioChange } from './repository-scenario.ts';
import { checksOf, simulateMerge } from './simulate-merge.ts';
import { defaultBranchRef, type ShaOf, type SimulatedChange } from './simulated-change.ts';

const second = 1000;

/**
 * Applies changes to the repository and the host's API without sending webhooks. Every step takes a second, changes do
 * not overlap, and the last step is at `until`.
 */
export const simulateChanges = async (
  host: Host,
  {
    repository,
    shas,
    changes,
    until,
  }: {
    repository: HostedRepository;
    shas: ReadonlyMap<number, string>;
    changes: readonly ScenarioChange[];
    until: number;
  },
): Promise<SimulatedChange[]> => {
  const shaOf: ShaOf = (mark) => shas.get(mark) ?? '';
  const lengths = changes.map(lengthOf);
  let at = Math.floor(until / second) * second - lengths.reduce((sum, length) => sum + length, 0) * second;
  const simulated = changes.map((change, index): SimulatedChange => {
    const times = Array.from({ length: lengths[index] ?? 0 }, (_, step) => at + step * second);
    at += times.length * second;
    return change.kind === 'merge'
      ? simulateMerge(repository, change, times, shaOf)
      : simulateDirectPush(repository, change, times, shaOf);
  });
  // Prevents concurrent polling, since each step is announced separately, not as one push.
  await followRepository(host, repository, () => applyChanges(host, repository, simulated, shaOf));
  return simulated;
};

const applyChanges = async (
  host: Host,
  repository: HostedRepository,
  simulated: readonly SimulatedChange[],
  shaOf: ShaOf,
): Promise<void> => {
  const { git: hosted } = repository;
  const tip = simulated
    .findLast(({ pushes }) => pushes.length > 0)
    ?.pushes.findLast(({ ref }) => ref === defaultBranchRef(repository));
  if (tip?.after) await git(hosted.path, ['update-ref', tip.ref, tip.after]);
  await refreshRepository(hosted);
  for (const { change, pull, pushes, at } of simulated) {
    if (pull !== undefined) hosted.planted.pulls.set(pull.number, pull satisfies PlantedPull);
    hosted.planted.pushes.push(...pushes);
    if (change.kind === 'merge') hosted.planted.checks.push(...checksOf(change, at, shaOf));
  }
  // Includes commits discarded by a force push, and earlier patch sets.
  await readUnreachableCommits(
    hosted,
    simulated.flatMap(({ change }) => commitsOf(change).map(shaOf)),
  );
  findPullRequests(hosted);
  readPeople(host, hosted);
  host.savePlanted();
};

const commitsOf = (change: ScenarioChange): number[] =>
  change.kind === 'merge'
    ? [...change.commits, ...change.landed, ...change.steps.flatMap((step) => (step.kind === 'push' ? step.head : []))]
    : change.commits;

const lengthOf = (change: ScenarioChange): number =>
  change.kind === 'merge' ? change.steps.length : change.isRecreated ? 2 : 1;

const simulateDirectPush = (
  repository: HostedRepository,
  change: Direct,
  at: number[],
  shaOf: ShaOf,
): SimulatedChange => {
  const ref = defaultBranchRef(repository);
  const before = shaOf(change.before);
  const push: Push = {
    ref,
    before,
    after: shaOf(change.commits.at(-1) ?? 0),
    at: at[0] ?? 0,
    by: change.by,
    kind: change.isForced ? 'force_push' : 'push',
  };
  if (!change.isRecreated) return { change, at, pull: undefined, pushes: [push] };
  const deletion: Push = { ...push, before, after: null, kind: 'branch_deletion' };
  const creation: Push = { ...push, before: null, at: at[1] ?? 0, kind: 'branch_creation' };
  return { change, at, pull: undefined, pushes: [deletion, creation] };
};
