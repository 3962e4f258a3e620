import type { Person } from '../git/pull-request.ts';
import { type PullRequestScenario, pullRequestScenarios } from '../planted/pull-request-scenarios.ts';
import type { Random } from '../planted/random.ts';
import { activePeople, agentTrailers, dependencyBot } from './people.ts';
import type { DemoRepository } from './repositories.ts';
import { addFunction, addTestCase, type FileEdit, setDependencyVersion } from './source-text.ts';

/** A commit of a pull request before it has a place in the history. */
type PlannedCommit = { author: Person; committer: Person; message: string; edits: FileEdit[] };

/** A pull request of the demo before it has a place in the history. Times are epoch milliseconds. */
export type PullRequestPlan = {
  scenario: string;
  steps: PullRequestScenario;
  commits: PlannedCommit[];
  title: string;
  branch: string;
  method: 'merge' | 'squash';
  mergedBy: Person;
  check: 'success' | 'failure' | null;
  hasIssue: boolean;
  openedAt: number;
  endedAt: number;
  outcome: 'merged' | 'open' | 'closed';
};

const tasks = [
  { verb: 'validate', title: (noun: string) => `Validate the ${noun} before it is stored` },
  { verb: 'retry', title: (noun: string) => `Retry the ${noun} after a timeout` },
  { verb: 'limit', title: (noun: string) => `Limit the size of the ${noun}` },
  { verb: 'export', title: (noun: string) => `Export the ${noun} as CSV` },
  { verb: 'cache', title: (noun: string) => `Cache the ${noun} for five minutes` },
  { verb: 'trace', title: (noun: string) => `Trace the ${noun} across services` },
  { verb: 'parse', title: (noun: string) => `Parse the ${noun} without regular expressions` },
  { verb: 'encrypt', title: (noun: string) => `Encrypt the ${noun} at rest` },
  { verb: 'archive', title: (noun: string) => `Archive the ${noun} after a year` },
  { verb: 'compare', title: (noun: string) => `Compare the ${noun} in constant time` },
  { verb: 'merge', title: (noun: string) => `Merge duplicates of the ${noun}` },
] as const;

/** Every task of a repository once, in an order determined by the random numbers. */
export const tasksOf = ({ nouns }: DemoRepository, random: Random) =>
  random.shuffle(nouns.flatMap((noun) => tasks.map(({ verb, title }) => ({ noun, verb, title: title(noun) }))));

/** Defects of pull requests with their share in a thousand at the beginning of the history; at its end a third of it. */
const defects: readonly (readonly [scenario: string, share: number])[] = [
  ['unreviewed', 110],
  ['selfApproval', 15],
  ['approvalByCoAuthor', 15],
  ['approvalBeforeLastPush', 45],
  ['dismissed', 15],
  ['approvalByBot', 15],
  ['approvalByNonMember', 10],
  ['approvalByAgentSessionOwner', 12],
];

const pickScenario = (random: Random, point: number): string => {
  const roll = random.next() * 1000;
  let limit = 0;
  for (const [scenario, share] of defects) {
    limit += share * (1 - (2 / 3) * point);
    if (roll < limit) return scenario;
  }
  return random.next() < 0.25 ? 'approvedAgain' : 'sound';
};

/** Plans a pull request of people. `point`: its place in the history, from 0 to 1. */
export const planPullRequest = (
  repository: DemoRepository,
  random: Random,
  task: { noun: string; verb: string; title: string },
  { point, openedAt, endedAt }: { point: number; openedAt: number; endedAt: number },
): PullRequestPlan => {
  const [author, reviewer, other] = random.shuffle(activePeople(point));
  if (author === undefined || reviewer === undefined || other === undefined)
    throw new RangeError('Fewer than three people are active.');
  const scenario = pickScenario(random, point);
  const details = pullRequestScenarios[scenario]?.({ author, reviewer, other });
  if (details === undefined) throw new RangeError(`${scenario} is no scenario.`);
  const isAssisted = random.next() < 0.05 + 0.4 * point;
  const trailer = isAssisted ? [random.pick(agentTrailers)] : [];
  const { noun, verb, title } = task;
  const commits = details.commits.map(({ author: by, committer, trailers = [] }, index): PlannedCommit => {
    const lines = [...trailers, ...(index === 0 && trailers.length === 0 ? trailer : [])];
    const subject = index === 0 ? title : `Test the ${verb} function of the ${noun}`;
    const edits = [addTestCase(repository.language, verb, noun)];
    if (index === 0) edits.unshift(addFunction(repository.language, verb, noun));
    return { author: by, committer, message: [subject, ...(lines.length > 0 ? ['', ...lines] : [])].join('\n'), edits };
  });
  const mergesOwn = scenario === 'unreviewed' && random.next() < 0.6;
  return {
    scenario,
    steps: details,
    commits,
    title: random.next() < 0.25 ? `HL-${100 + random.below(900)}: ${title}` : title,
    branch: `${verb}-${noun}`,
    method: random.next() < 0.6 ? 'squash' : 'merge',
    mergedBy: mergesOwn ? author : random.pick([reviewer, other]),
    check: random.next() < 0.9 ? 'success' : random.next() < 0.4 ? 'failure' : null,
    hasIssue: random.next() < 0.7,
    openedAt,
    endedAt,
    outcome: 'merged',
  };
};

/** Plans an update of the dependency by a bot, approved by a person. */
export const planDependencyUpdate = (
  { language }: DemoRepository,
  random: Random,
  minor: number,
  { point, openedAt, endedAt }: { point: number; openedAt: number; endedAt: number },
): PullRequestPlan => {
  const [reviewer, other] = random.shuffle(activePeople(point));
  if (reviewer === undefined || other === undefined) throw new RangeError('Fewer than two people are active.');
  const title = `Bump the dependency group to ${minor}.0`;
  const details = pullRequestScenarios.unreviewed?.({ author: dependencyBot, reviewer, other });
  if (details === undefined) throw new RangeError('The scenario is unknown.');
  const steps: PullRequestPlan['steps'] = {
    ...details,
    steps: (markOf) => [
      ...details.steps(markOf),
      { kind: 'review', key: 'r', by: reviewer, verdict: 'approved', commit: markOf(0) },
    ],
  };
  const edits = [setDependencyVersion(language, minor)];
  return {
    scenario: 'dependency',
    steps,
    commits: [{ author: dependencyBot, committer: dependencyBot, message: title, edits }],
    title,
    branch: `dependabot/dependency-${minor}`,
    method: 'squash',
    mergedBy: random.next() < 0.7 ? reviewer : other,
    check: 'success',
    hasIssue: false,
    openedAt,
    endedAt,
    outcome: 'merged',
  };
};
