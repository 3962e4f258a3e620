import type { Method } from '../git/merging.ts';
import type { Person } from '../git/pull-request.ts';
import { type CheckOutcome, expectedVerdictsOfMerge, expectedVerdictsOfPush } from './expected-verdicts.ts';
import type { HostName } from './host-name.ts';
import { type HostBehavior, hostBehaviors } from './hosts.ts';
import { members, nonMember, queueBot } from './people.ts';
import { type PullRequestScenario, pickActors, pullRequestScenarios } from './pull-request-scenarios.ts';
import { createRandom, type Random } from './random.ts';
import type {
  CommitDraft,
  Direct,
  LostDelivery,
  Merge,
  PullRequestStep,
  RepositoryScenario,
  ScenarioChange,
} from './repository-scenario.ts';

/** The required check of the default branch. */
export const requiredCheck = 'build';

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
  const hostBehavior = hostBehaviors[on];
  const writer = createScenarioWriter(random, isSound, hostBehavior);
  const root = writer.begin();
  const names = isSound ? ['sound'] : [...Object.keys(pullRequestScenarios), 'direct', 'forced'];
  const additional = Array.from({ length: Math.max(0, size - names.length) }, () =>
    random.next() < 0.6 ? 'sound' : random.pick(names),
  );
  const order = random.shuffle([...names, ...additional]).slice(0, size);
  const losses = new Set(isSound ? [] : random.shuffle([...order.keys()]).slice(0, Math.ceil(size / 12)));
  const changes: ScenarioChange[] = [];
  const expectedVerdicts: RepositoryScenario['expectedVerdicts'] = [];
  for (const [index, scenario] of order.entries()) {
    const lost: LostDelivery[] = losses.has(index)
      ? random.pick([['push'], ['closed'], ['push', 'closed']] as LostDelivery[][])
      : [];
    if (scenario === 'direct' || scenario === 'forced') {
      const change = writer.direct(scenario, lost);
      changes.push(change);
      expectedVerdicts.push(expectedVerdictsOfPush(change));
      continue;
    }
    const written = pullRequestScenarios[scenario]?.(pickActors(random));
    if (written === undefined) continue;
    const hostScenario = { ...written, ...hostBehavior.pullRequestScenarios[scenario] };
    const { change, checked } = writer.merge(scenario, hostScenario, changes.length + 1, lost);
    changes.push(change);
    expectedVerdicts.push(expectedVerdictsOfMerge(change, hostScenario, checked, hostBehavior));
  }
  return { seed, on, drafts: writer.drafts, root, changes, expectedVerdicts };
};

const createScenarioWriter = (random: Random, isSound: boolean, hostBehavior: HostBehavior) => {
  const drafts: CommitDraft[] = [];
  let tip = 0;
  const commit = (
    parents: number[],
    {
      author,
      committer,
      message,
      files,
    }: { author: Person; committer: Person; message: string; files?: number[] | undefined },
  ): number => {
    const mark = drafts.length + 1;
    drafts.push({ mark, parents, author, committer, message, files: files ?? [mark] });
    return mark;
  };
  const begin = (): number => {
    // One commit per person, so that all names and addresses are known to the host and its clients.
    for (const person of [...members, nonMember]) {
      tip = commit(tip === 0 ? [] : [tip], {
        author: person,
        committer: person,
        message: `Begin the part of ${person.name}`,
      });
    }
    return tip;
  };
  const direct = (scenario: string, lost: LostDelivery[]): Direct => {
    const by = random.pick(members);
    const [before, isForced] = [tip, scenario === 'forced'];
    // A force push replaces the last commits.
    const commits = Array.from({ length: 1 + random.below(3) }, (_, index) => {
      const parent = isForced && index === 0 ? parentOf(drafts, tip) : tip;
      tip = commit([parent], { author: by, committer: by, message: `Change it straight away, ${drafts.length}` });
      return tip;
    });
    return { kind: 'direct', scenario, by, before, commits, isForced, lost };
  };
  const merge = (
    scenario: string,
    details: PullRequestScenario,
    number: number,
    lost: LostDelivery[],
  ): { change: Merge; checked: CheckOutcome } => {
    const method: Method = random.pick(['merge', 'squash', 'rebase']);
    const isKeyed = !isSound && random.next() < 0.2;
    const title = `${isKeyed ? `PAY-${number}: ` : ''}Change ${number}`;
    const before = tip;
    const commits: number[] = [];
    for (const { author, committer, trailers = [] } of details.commits) {
      const message = [`Work on change ${number}`, ...(trailers.length > 0 ? ['', ...trailers] : [])].join('\n');
      commits.push(commit([commits.at(-1) ?? before], { author, committer, message }));
    }
    const queuedBy = random.next() < 0.15 ? random.pick(members) : null;
    const queue = hostBehavior.queue === 'bot' ? queueBot : queuedBy;
    const mergedBy = queuedBy === null || queue === null ? random.pick(members) : queue;
    const landed = commitMerge(method, { number, title, details, commits, by: mergedBy });
    tip = landed.at(-1) ?? tip;
    const markOf = (index: number): number => commits[index] ?? 0;
    const checked = isSound ? 'green' : random.pick(outcomes);
    const head = commits.at(-1) ?? 0;
    const isStatus = random.next() < 0.3;
    const check = (conclusion: 'success' | 'failure'): PullRequestStep => ({
      kind: 'check',
      name: requiredCheck,
      commit: head,
      conclusion,
      isStatus,
    });
    const early = {
      green: ['success'],
      again: ['failure', 'success'],
      failed: ['failure'],
      late: [],
      none: [],
    } as const;
    const steps: PullRequestStep[] = [
      ...details.steps(markOf),
      ...early[checked].map(check),
      { kind: 'merge' },
      ...(checked === 'late' ? [check('success')] : []),
      ...(details.stepsAfterMerge?.(markOf) ?? []),
    ];
    const linkedIssues = isSound || random.next() < 0.4 ? [1000 + number] : [];
    const change: Merge = {
      kind: 'merge',
      scenario,
      number,
      title,
      body: null,
      linkedIssues,
      author: details.author,
      method,
      mergedBy,
      queuedBy,
      commits,
      before,
      landed,
      steps,
      lost,
    };
    return { change, checked: { checks: checked, isKeyed } };
  };
  const commitMerge = (
    method: Method,
    {
      number,
      title,
      details,
      commits,
      by,
    }: { number: number; title: string; details: PullRequestScenario; commits: number[]; by: Person },
  ): number[] => {
    if (method === 'rebase' && hostBehavior.rebased === 'forward') return commits;
    if (method === 'rebase') {
      let onto = tip;
      return commits.map((mark) => {
        const { author, message } = drafts[mark - 1] ?? { author: by, message: '' };
        onto = commit([onto], { author, committer: by, message, files: [mark] });
        return onto;
      });
    }
    if (method === 'squash')
      return [
        commit([tip], { author: details.author, committer: by, message: `${title} (#${number})`, files: commits }),
      ];
    const message = `Merge pull request #${number} from acme/change-${number}\n\n${title}`;
    return [commit([tip, commits.at(-1) ?? tip], { author: by, committer: by, message, files: commits })];
  };
  return { drafts, begin, direct, merge };
};

const outcomes = ['green', 'green', 'green', 'green', 'again', 'failed', 'late', 'none'] as const;

const parentOf = (drafts: readonly CommitDraft[], mark: number): number => drafts[mark - 1]?.parents[0] ?? mark;
