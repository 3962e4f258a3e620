import type { Method } from '../git/merging.ts';
import type { Person } from '../git/pull-request.ts';
import { members, nonMember, queueBot } from './cast.ts';
import type { HostName } from './host-name.ts';
import { type HostBehavior, hostBehaviors } from './hosts.ts';
import { actorsBy, type Plot, plots } from './plots.ts';
import { createRandom, type Random } from './random.ts';
import type { CommitDraft, Direct, LostDelivery, Merge, Story, StoryChange, StoryStep } from './story.ts';
import { type CheckOutcome, expectedVerdictsOfMerge, expectedVerdictsOfPush } from './truths.ts';

/** The required check of the default branch. */
export const requiredCheck = 'build';

/**
 * A repository with `size` changes, determined by the seed: every kind of defect at least once if `size` permits, at
 * seed-dependent positions. `isSound`: no change has a defect. `on`: the simulated code host.
 */
export const createStory = (seed: number, size: number, { isSound = false, on = 'github' as HostName } = {}): Story => {
  const random = createRandom(seed);
  const hostBehavior = hostBehaviors[on];
  const writer = new StoryWriter(random, isSound, hostBehavior);
  const root = writer.begin();
  const order = orderedPlots(random, size, isSound);
  const losses = new Set(isSound ? [] : random.shuffle([...order.keys()]).slice(0, Math.ceil(size / 12)));
  const changes: StoryChange[] = [];
  const truths: Story['truths'] = [];
  for (const [index, plot] of order.entries()) {
    const lost = losses.has(index) ? random.pick(lostDeliveries) : [];
    if (plot === 'direct' || plot === 'forced') {
      const change = writer.writeDirect(plot, lost);
      changes.push(change);
      truths.push(expectedVerdictsOfPush(change));
      continue;
    }
    const written = plots[plot]?.(actorsBy(random));
    if (written === undefined) continue;
    const hostPlot = { ...written, ...hostBehavior.plots[plot] };
    const { change, checked } = writer.writeMerge(plot, hostPlot, changes.length + 1, lost);
    changes.push(change);
    truths.push(expectedVerdictsOfMerge(change, hostPlot, checked, hostBehavior));
  }
  return { seed, on, drafts: writer.drafts, root, changes, truths };
};

const lostDeliveries: LostDelivery[][] = [['push'], ['closed'], ['push', 'closed']];

const orderedPlots = (random: Random, size: number, isSound: boolean): string[] => {
  const names = isSound ? ['sound'] : [...Object.keys(plots), 'direct', 'forced'];
  const additional = Array.from({ length: Math.max(0, size - names.length) }, () =>
    random.next() < 0.6 ? 'sound' : random.pick(names),
  );
  return random.shuffle([...names, ...additional]).slice(0, size);
};

type CommitFields = Pick<CommitDraft, 'author' | 'committer' | 'message'> & { files?: number[] };
type LandedMerge = { number: number; title: string; details: Plot; commits: number[]; by: Person };

/** Writes the commits of a story onto its default branch. The order of random numbers is part of each story. */
class StoryWriter {
  readonly drafts: CommitDraft[] = [];
  readonly #random: Random;
  readonly #isSound: boolean;
  readonly #host: HostBehavior;
  #tip = 0;

  constructor(random: Random, isSound: boolean, host: HostBehavior) {
    this.#random = random;
    this.#isSound = isSound;
    this.#host = host;
  }

  /** Writes one commit per person, so that all names and addresses are known to the host and its clients. */
  begin(): number {
    for (const person of [...members, nonMember]) {
      this.#tip = this.#commit(this.#tip === 0 ? [] : [this.#tip], {
        author: person,
        committer: person,
        message: `Begin the part of ${person.name}`,
      });
    }
    return this.#tip;
  }

  writeDirect(plot: string, lost: LostDelivery[]): Direct {
    const by = this.#random.pick(members);
    const [before, isForced] = [this.#tip, plot === 'forced'];
    // A force push replaces the last commits.
    const commits = Array.from({ length: 1 + this.#random.below(3) }, (_, index) => {
      const parent = isForced && index === 0 ? parentOf(this.drafts, this.#tip) : this.#tip;
      const message = `Change it straight away, ${this.drafts.length}`;
      this.#tip = this.#commit([parent], { author: by, committer: by, message });
      return this.#tip;
    });
    return { kind: 'direct', plot, by, before, commits, isForced, lost };
  }

  writeMerge(
    plot: string,
    details: Plot,
    number: number,
    lost: LostDelivery[],
  ): { change: Merge; checked: CheckOutcome } {
    const random = this.#random;
    const method: Method = random.pick(['merge', 'squash', 'rebase']);
    const isKeyed = !this.#isSound && random.next() < 0.2;
    const title = `${isKeyed ? `PAY-${number}: ` : ''}Change ${number}`;
    const before = this.#tip;
    const commits = this.#commitBranch(details, number);
    const { queuedBy, mergedBy } = this.#pickMergers();
    const landed = this.#commitMerge(method, { number, title, details, commits, by: mergedBy });
    this.#tip = landed.at(-1) ?? this.#tip;
    const checks = this.#isSound ? 'green' : random.pick(outcomes);
    const steps = stepsOf(details, commits, { checks, isStatus: random.next() < 0.3 });
    const linkedIssues = this.#isSound || random.next() < 0.4 ? [1000 + number] : [];
    const change: Merge = {
      kind: 'merge',
      plot,
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
    return { change, checked: { checks, isKeyed } };
  }

  #commit(parents: number[], { author, committer, message, files }: CommitFields): number {
    const mark = this.drafts.length + 1;
    this.drafts.push({ mark, parents, author, committer, message, files: files ?? [mark] });
    return mark;
  }

  /** Writes the commits of the branch of a pull request. */
  #commitBranch(details: Plot, number: number): number[] {
    const commits: number[] = [];
    for (const { author, committer, trailers = [] } of details.commits) {
      const message = [`Work on change ${number}`, ...(trailers.length > 0 ? ['', ...trailers] : [])].join('\n');
      commits.push(this.#commit([commits.at(-1) ?? this.#tip], { author, committer, message }));
    }
    return commits;
  }

  #pickMergers(): { queuedBy: Person | null; mergedBy: Person } {
    const queuedBy = this.#random.next() < 0.15 ? this.#random.pick(members) : null;
    const queue = this.#host.queue === 'bot' ? queueBot : queuedBy;
    return { queuedBy, mergedBy: queuedBy === null || queue === null ? this.#random.pick(members) : queue };
  }

  /** Returns the commits that the merge adds to the default branch. */
  #commitMerge(method: Method, { number, title, details, commits, by }: LandedMerge): number[] {
    if (method === 'rebase') return this.#host.rebased === 'forward' ? commits : this.#rebase(commits, by);
    if (method === 'squash') {
      const message = `${title} (#${number})`;
      return [this.#commit([this.#tip], { author: details.author, committer: by, message, files: commits })];
    }
    const message = `Merge pull request #${number} from acme/change-${number}\n\n${title}`;
    const parents = [this.#tip, commits.at(-1) ?? this.#tip];
    return [this.#commit(parents, { author: by, committer: by, message, files: commits })];
  }

  #rebase(commits: readonly number[], by: Person): number[] {
    let onto = this.#tip;
    return commits.map((mark) => {
      const { author, message } = this.drafts[mark - 1] ?? { author: by, message: '' };
      onto = this.#commit([onto], { author, committer: by, message, files: [mark] });
      return onto;
    });
  }
}

const outcomes = ['green', 'green', 'green', 'green', 'again', 'failed', 'late', 'none'] as const;

const parentOf = (drafts: readonly CommitDraft[], mark: number): number => drafts[mark - 1]?.parents[0] ?? mark;

/** The conclusions of the check before the merge, by its outcome. */
const conclusionsBefore: Readonly<Record<CheckOutcome['checks'], readonly ('success' | 'failure')[]>> = {
  green: ['success'],
  again: ['failure', 'success'],
  failed: ['failure'],
  late: [],
  none: [],
};

const stepsOf = (
  details: Plot,
  commits: readonly number[],
  { checks, isStatus }: { checks: CheckOutcome['checks']; isStatus: boolean },
): StoryStep[] => {
  const commitAt = (index: number): number => commits[index] ?? 0;
  const check = (conclusion: 'success' | 'failure'): StoryStep => ({
    kind: 'check',
    name: requiredCheck,
    commit: commits.at(-1) ?? 0,
    conclusion,
    isStatus,
  });
  return [
    ...details.steps(commitAt),
    ...conclusionsBefore[checks].map(check),
    { kind: 'merge' },
    ...(checks === 'late' ? [check('success')] : []),
    ...(details.after?.(commitAt) ?? []),
  ];
};
