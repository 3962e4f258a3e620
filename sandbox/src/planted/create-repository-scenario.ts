import type { Person } from '../git/pull-request.ts';
import { createDirectPush } from './create-direct-push.ts';
import { createMerge } from './create-merge.ts';
import { expectedVerdictsOfMerge, expectedVerdictsOfPush } from './expected-verdicts.ts';
import type { HostName } from './host-name.ts';
import { hostBehavior } from './hosts.ts';
import { members, nonMember } from './people.ts';
import { pickActors, pullRequestScenarios } from './pull-request-scenarios.ts';
import { createRandom, type Random } from './random.ts';
import type { LostDelivery, RepositoryScenario, ScenarioChange } from './repository-scenario.ts';
import { addCommit, type ScenarioBranch } from './scenario-branch.ts';

/**
 * A repository with `size` changes, determined by the seed: every kind of defect at least once if `size` permits, at
 * seed-dependent positions. `isSound`: no change has a defect. `on`: the simulated code host.
 */
export const createRepositoryScenario = (
  seed: number,
  size: number,
  { isSound = false, on = 'github' as HostName } = {},
): RepositoryScenario => {
  const random = createRandom(seed);
  const behavior = hostBehavior(on);
  const branch = createScenarioBranch();
  const root = branch.tip;
  const order = orderScenarios(random, size, isSound);
  const losses = new Set(isSound ? [] : random.shuffle([...order.keys()]).slice(0, Math.ceil(size / 12)));
  const changes: ScenarioChange[] = [];
  const expectedVerdicts: RepositoryScenario['expectedVerdicts'] = [];
  for (const [index, scenario] of order.entries()) {
    const lost: LostDelivery[] = losses.has(index)
      ? random.pick([['push'], ['closed'], ['push', 'closed']] as LostDelivery[][])
      : [];
    if (scenario === 'direct' || scenario === 'forced') {
      const change = createDirectPush(branch, random, { scenario, lost });
      changes.push(change);
      expectedVerdicts.push(expectedVerdictsOfPush(change));
      continue;
    }
    const written = pullRequestScenarios[scenario]?.(pickActors(random));
    if (written === undefined) continue;
    const details = { ...written, ...behavior.pullRequestScenarios[scenario] };
    const draft = { scenario, details, number: changes.length + 1, lost, isSound };
    const { change, checked } = createMerge(branch, random, draft, behavior);
    changes.push(change);
    expectedVerdicts.push(expectedVerdictsOfMerge(change, details, checked, behavior));
  }
  return { seed, on, drafts: branch.drafts, root, changes, expectedVerdicts };
};

/** Creates a branch with one commit per person, so that the host and its clients know all names and addresses. */
export const createScenarioBranch = (people: readonly Person[] = [...members, nonMember]): ScenarioBranch => {
  const branch: ScenarioBranch = { drafts: [], tip: 0 };
  for (const person of people)
    branch.tip = addCommit(branch, {
      parents: branch.tip === 0 ? [] : [branch.tip],
      author: person,
      committer: person,
      message: `Begin the part of ${person.name}`,
    });
  return branch;
};

/** Returns the names of the scenarios of all changes in order. */
const orderScenarios = (random: Random, size: number, isSound: boolean): string[] => {
  const names = isSound ? ['sound'] : [...Object.keys(pullRequestScenarios), 'direct', 'forced'];
  const additional = Array.from({ length: Math.max(0, size - names.length) }, () =>
    random.next() < 0.6 ? 'sound' : random.pick(names),
  );
  return random.shuffle([...names, ...additional]).slice(0, size);
};
