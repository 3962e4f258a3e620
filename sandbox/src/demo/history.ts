import type { Person } from '../git/pull-request.ts';
import { createRandom, type Random } from '../planted/random.ts';
import type { Merge, PullRequestStep, ScenarioChange } from '../planted/repository-scenario.ts';
import { requiredCheck } from '../planted/required-check.ts';
import { activePeople } from './people.ts';
import { type PullRequestPlan, planDependencyUpdate, planPullRequest, tasksOf } from './pull-request-plan.ts';
import { type DemoRepository, demoOwners } from './repositories.ts';
import { type FileEdit, firstFiles } from './source-text.ts';

/** A commit with its changes of files relative to its first parent. `at` in epoch milliseconds. */
export type DemoCommit = {
  mark: number;
  parents: number[];
  author: Person;
  committer: Person;
  message: string;
  edits: FileEdit[];
  at: number;
};

/** A change with the time of each of its steps. */
export type DemoChange = { change: ScenarioChange; at: number[]; outcome: PullRequestPlan['outcome'] };

/** The history of a repository: all commits, parents first, and all changes in the order of their ends. */
export type DemoHistory = {
  repository: DemoRepository;
  random: Random;
  commits: DemoCommit[];
  changes: DemoChange[];
  /** The number of the last commit of the default branch. */
  tip: number;
  pullRequests: number;
  tasks: ReturnType<typeof tasksOf>;
};

const SECOND_MS = 1000;
const MINUTE_MS = 60 * SECOND_MS;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;
const HISTORY_DAYS = 730;
const WORK_STARTS_HOUR = 7;
const WORK_HOURS = 10;
/** One of this many pull requests updates a dependency, and one of this many is closed without a merge. */
const DEPENDENCY_UPDATE_EVERY = 9;
const CLOSED_EVERY = 23;
const OPEN_PULL_REQUESTS = 2;
const DIRECT_PUSHES = 5;
const EARLY_EXPONENT = 1.5;

/** Plans two years of a repository that end at `until` (epoch milliseconds), determined by the seed. */
export const planHistory = (
  repository: DemoRepository,
  { seed, until, pullRequests }: { seed: number; until: number; pullRequests: number },
): DemoHistory => {
  const random = createRandom(seed);
  const history: DemoHistory = {
    repository,
    random,
    commits: [],
    changes: [],
    tip: 0,
    pullRequests,
    tasks: tasksOf(repository, random),
  };
  const from = until - HISTORY_DAYS * DAY_MS;
  addFirstCommit(history, from);
  const plans = planPullRequests(history, { from, until });
  const events: { at: number; run: () => void }[] = [];
  for (const [index, plan] of plans.entries()) {
    const begun = { number: index + 1, plan, commits: [] as number[], base: 0 };
    events.push({ at: plan.openedAt, run: () => beginPullRequest(history, begun) });
    events.push({ at: plan.endedAt, run: () => endPullRequest(history, begun) });
  }
  for (const at of directPushTimes(random, from, until)) events.push({ at, run: () => pushDirectly(history, at) });
  for (const { run } of events.toSorted((one, other) => one.at - other.at)) run();
  return history;
};

/** Adds pull requests that are merged now. Returns their changes. */
export const addPullRequests = (history: DemoHistory, count: number, now: number): DemoChange[] => {
  const { repository, random, tasks } = history;
  const known = history.changes.length;
  for (let index = 0; index < count; index += 1) {
    const task = tasks.pop();
    if (task === undefined) break;
    history.pullRequests += 1;
    const plan = planPullRequest(repository, random, task, { point: 1, openedAt: now, endedAt: now });
    const begun = { number: history.pullRequests, plan, commits: [], base: 0 };
    beginPullRequest(history, begun);
    endPullRequest(history, begun);
  }
  return history.changes.slice(known);
};

const addFirstCommit = (history: DemoHistory, at: number): void => {
  const [author] = activePeople(0);
  if (author === undefined) throw new RangeError('There are no people.');
  const { name, language } = history.repository;
  const edits = firstFiles(name, language);
  history.tip = addCommit(history, { parents: [], author, committer: author, message: `Begin ${name}`, edits, at });
};

const addCommit = ({ commits }: DemoHistory, commit: Omit<DemoCommit, 'mark'>): number => {
  const mark = commits.length + 1;
  commits.push({ mark, ...commit });
  return mark;
};

/** Random working times, oldest first. More of them are early, since older changes take less time to import. */
const workTimes = (random: Random, count: number, from: number, until: number): number[] =>
  Array.from({ length: count }, () => {
    const day = from + Math.floor((random.next() ** EARLY_EXPONENT * (until - from)) / DAY_MS) * DAY_MS;
    const weekday = new Date(day).getUTCDay();
    const moved = weekday === 0 ? day + DAY_MS : weekday === 6 ? day - DAY_MS : day;
    const midnight = Math.floor(moved / DAY_MS) * DAY_MS;
    return midnight + Math.floor((WORK_STARTS_HOUR + random.next() * WORK_HOURS) * 3600) * SECOND_MS;
  }).sort((one, other) => one - other);

const planPullRequests = (
  history: DemoHistory,
  { from, until }: { from: number; until: number },
): PullRequestPlan[] => {
  const { random, repository, tasks, pullRequests: count } = history;
  const merged = count - OPEN_PULL_REQUESTS;
  const times = [
    ...workTimes(random, merged, from + 3 * DAY_MS, until - 3 * DAY_MS),
    ...workTimes(random, OPEN_PULL_REQUESTS, until - 9 * DAY_MS, until - 3 * DAY_MS),
  ];
  return times.map((openedAt, index) => {
    const point = (openedAt - from) / (until - from);
    const latest = until - HOUR_MS;
    const endedAt = Math.min(latest, openedAt + Math.floor(3 * 3600 + random.next() ** 2 * 6 * 24 * 3600) * SECOND_MS);
    const when = { point, openedAt, endedAt };
    const minor = 1 + Math.floor(index / DEPENDENCY_UPDATE_EVERY);
    const task = tasks.pop();
    if (task === undefined || index % DEPENDENCY_UPDATE_EVERY === DEPENDENCY_UPDATE_EVERY - 1)
      return planDependencyUpdate(repository, random, minor, when);
    const plan = planPullRequest(repository, random, task, when);
    if (index >= merged) return { ...plan, outcome: 'open' };
    return index % CLOSED_EVERY === CLOSED_EVERY - 1 ? { ...plan, outcome: 'closed' } : plan;
  });
};

/** More of them early than late. The second day at the earliest: the work time of a Saturday is on the day before. */
const directPushTimes = (random: Random, from: number, until: number): number[] =>
  Array.from({ length: DIRECT_PUSHES }, () => {
    const [at = from] = workTimes(random, 1, from + 2 * DAY_MS, from + (until - from) * (0.25 + 0.7 * random.next()));
    return at;
  });

type BegunPullRequest = { number: number; plan: PullRequestPlan; commits: number[]; base: number };

const beginPullRequest = (history: DemoHistory, begun: BegunPullRequest): void => {
  begun.base = history.tip;
  const { commits, openedAt } = begun.plan;
  for (const [index, commit] of commits.entries()) {
    const parent = begun.commits.at(-1) ?? begun.base;
    const at = openedAt - (10 - Math.min(index, 9)) * MINUTE_MS;
    begun.commits.push(addCommit(history, { ...commit, parents: [parent], at }));
  }
};

const endPullRequest = (history: DemoHistory, { number, plan, commits, base }: BegunPullRequest): void => {
  const { steps: details, outcome, openedAt, endedAt } = plan;
  const before = outcome === 'merged' ? history.tip : base;
  const landed = outcome === 'merged' ? [land(history, number, plan, commits)] : [];
  const markOf = (index: number): number => commits[index] ?? 0;
  const earlier: PullRequestStep[] = [...details.steps(markOf), ...checkStepsOf(plan, commits)];
  const later = outcome === 'merged' ? (details.stepsAfterMerge?.(markOf) ?? []) : [];
  const gap = (endedAt - openedAt) / earlier.length;
  const at = [
    ...earlier.map((_, index) => openedAt + Math.floor((index * gap) / SECOND_MS) * SECOND_MS),
    endedAt,
    ...later.map((_, index) => endedAt + (index + 1) * HOUR_MS),
  ];
  const steps: PullRequestStep[] = [...earlier, { kind: 'merge' }, ...later];
  history.changes.push({ change: mergeOf({ number, plan, commits, before, landed, steps }), at, outcome });
};

const checkStepsOf = ({ check }: PullRequestPlan, commits: readonly number[]): PullRequestStep[] =>
  check === null
    ? []
    : [{ kind: 'check', name: requiredCheck, commit: commits.at(-1) ?? 0, conclusion: check, isStatus: false }];

const mergeOf = ({
  number,
  plan: { scenario, title, branch, method, mergedBy, hasIssue, steps: details },
  ...placed
}: { number: number; plan: PullRequestPlan } & Pick<Merge, 'commits' | 'before' | 'landed' | 'steps'>): Merge => ({
  kind: 'merge',
  scenario,
  number,
  branch,
  title,
  body: hasIssue ? `Closes #${1000 + number}.` : null,
  linkedIssues: hasIssue ? [1000 + number] : [],
  author: details.author,
  method,
  mergedBy,
  queuedBy: null,
  isByPush: false,
  lost: [],
  ...placed,
});

/** Merges a pull request into the default branch. Returns the new commit. */
const land = (history: DemoHistory, number: number, plan: PullRequestPlan, commits: readonly number[]): number => {
  const { title, branch, method, mergedBy, steps, endedAt } = plan;
  const owner = demoOwners[history.repository.host];
  const edits = plan.commits.flatMap((commit) => commit.edits);
  const trailers = [...new Set(plan.commits.flatMap(({ message }) => message.match(/^Co-authored-by: .*$/gm) ?? []))];
  const message =
    method === 'squash'
      ? [`${title} (#${number})`, ...(trailers.length > 0 ? ['', ...trailers] : [])].join('\n')
      : `Merge pull request #${number} from ${owner}/${branch}\n\n${title}`;
  const merged = method === 'squash' ? [] : [commits.at(-1) ?? history.tip];
  const author = method === 'squash' ? steps.author : mergedBy;
  const parents = [history.tip, ...merged];
  history.tip = addCommit(history, { parents, author, committer: mergedBy, message, edits, at: endedAt });
  return history.tip;
};

/** Pushes a setting to the default branch, and for every third push replaces it by force a minute later. */
const pushDirectly = (history: DemoHistory, at: number): void => {
  const { random, commits } = history;
  const started = commits[0]?.at ?? at;
  const by = random.pick(activePeople((at - started) / (HISTORY_DAYS * DAY_MS)));
  const before = history.tip;
  const message = 'Raise the timeout during the incident';
  const setTimeoutTo = (seconds: number): FileEdit => ({
    path: 'config/settings.yml',
    change: (lines) => lines.map((line) => (line.startsWith('timeout:') ? `timeout: ${seconds}` : line)),
  });
  const add = (seconds: number, time: number): number =>
    addCommit(history, {
      parents: [before],
      author: by,
      committer: by,
      message,
      edits: [setTimeoutTo(seconds)],
      at: time,
    });
  const direct = (from: number, tip: number, isForced: boolean): ScenarioChange => ({
    kind: 'direct',
    scenario: isForced ? 'forced' : 'direct',
    by,
    before: from,
    commits: [tip],
    isForced,
    lost: [],
  });
  const pushed = add(60 + commits.length, at);
  history.changes.push({ change: direct(before, pushed, false), at: [at], outcome: 'merged' });
  history.tip = pushed;
  if (random.next() >= 0.35) return;
  const forcedAt = at + MINUTE_MS;
  const replaced = add(30 + commits.length, forcedAt);
  history.changes.push({ change: direct(pushed, replaced, true), at: [forcedAt], outcome: 'merged' });
  history.tip = replaced;
};
