import { members } from './people.ts';
import type { Random } from './random.ts';
import type { CommitDraft, Direct, LostDelivery } from './repository-scenario.ts';
import { addCommit, type ScenarioBranch } from './scenario-branch.ts';

/** Pushes one to three commits of a member to the default branch. */
export const createDirectPush = (
  branch: ScenarioBranch,
  random: Random,
  { scenario, lost }: { scenario: 'direct' | 'forced'; lost: LostDelivery[] },
): Direct => {
  const by = random.pick(members);
  const [before, isForced] = [branch.tip, scenario === 'forced'];
  const commits = Array.from({ length: 1 + random.below(3) }, (_, index) => {
    // A force push replaces the last commit.
    const parent = isForced && index === 0 ? parentOf(branch.drafts, branch.tip) : branch.tip;
    const message = `Change it straight away, ${branch.drafts.length}`;
    branch.tip = addCommit(branch, { parents: [parent], author: by, committer: by, message });
    return branch.tip;
  });
  return { kind: 'direct', scenario, by, before, commits, isForced, lost };
};

const parentOf = (drafts: readonly CommitDraft[], mark: number): number => drafts[mark - 1]?.parents[0] ?? mark;
