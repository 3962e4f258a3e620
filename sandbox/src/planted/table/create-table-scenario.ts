import type { Person } from '../../git/pull-request.ts';
import { addMergeCommits } from '../add-merge-commits.ts';
import { addPullRequestCommits, mergedCommits } from '../create-merge.ts';
import { createScenarioBranch } from '../create-repository-scenario.ts';
import type { HostName } from '../host-name.ts';
import type { HostBehavior } from '../host-scenarios.ts';
import { hostBehavior } from '../hosts.ts';
import { members, newMember, nonMember, queueBot, secondAccounts, visitors } from '../people.ts';
import type {
  Direct,
  ExpectedChangeVerdict,
  LostDelivery,
  Merge,
  PullRequestStep,
  RepositoryScenario,
  ScenarioChange,
} from '../repository-scenario.ts';
import { requiredCheck } from '../required-check.ts';
import { addCommit, type ScenarioBranch } from '../scenario-branch.ts';
import {
  type ExpectedCells,
  type PullRequestRow,
  type PushRow,
  type RowPeople,
  type ScenarioRow,
  tableControls,
} from './scenario-row.ts';
import { expectedCellsOn } from './scenario-table.ts';

/** All members of a table history: those of every history, the second accounts and the new one. */
export const tableMembers: readonly Person[] = [...members, ...Object.values(secondAccounts), newMember];

export type TableScenario = RepositoryScenario & {
  /** The row of each change. */
  rows: readonly ScenarioRow[];
  /** The numbers of the commits to sign with the key that two accounts share. */
  signed: readonly number[];
};

/** A repository with one change for each row that the code host can produce. Nothing in it is random. */
export function createTableScenario(rows: readonly ScenarioRow[], on: HostName): TableScenario {
  const branch = createScenarioBranch([...tableMembers, nonMember, ...Object.values(visitors)]);
  const root = branch.tip;
  const changes: ScenarioChange[] = [];
  const expectedVerdicts: ExpectedChangeVerdict[][] = [];
  const created: ScenarioRow[] = [];
  const signed: number[] = [];
  for (const row of rows) {
    const cells = expectedCellsOn(row, on);
    if (cells === null) continue;
    const number = changes.length + 1;
    const change =
      row.kind === 'push' ? createPush(branch, row) : createPullRequest(branch, row, number, hostBehavior(on));
    if (change.kind === 'merge' && row.kind === 'pull request' && row.isSignedWithSharedKey)
      signed.push(...change.commits);
    changes.push(change);
    expectedVerdicts.push(verdictsOf(cells));
    created.push(row);
  }
  return { seed: 0, on, drafts: branch.drafts, root, changes, expectedVerdicts, rows: created, signed };
}

const verdictsOf = (cells: Required<ExpectedCells>): ExpectedChangeVerdict[] =>
  tableControls.flatMap((control) => {
    const [verdict, ...reasons] = cells[control]?.split(' ') ?? [];
    if (verdict === undefined) return [];
    return {
      control,
      of: control === 'CHG-02' ? 'commits' : 'change',
      verdict: verdict as ExpectedChangeVerdict['verdict'],
      reasons: reasons.map((reason) => {
        const [code = '', key] = reason.split(':');
        return key === undefined ? [code] : [code, key];
      }),
    };
  });

function createPush(branch: ScenarioBranch, row: PushRow): Direct {
  const { by, isForced = false, isRecreated = false, backdatedDays = 0, lost = [] } = row;
  const before = branch.tip;
  const commits = Array.from({ length: row.commits }, (_, index) => {
    const isReplacing = isForced && index === 0;
    const parent = isReplacing ? (branch.drafts[branch.tip - 1]?.parents[0] ?? branch.tip) : branch.tip;
    const message = `Push ${branch.drafts.length} to the default branch`;
    branch.tip = addCommit(branch, { parents: [parent], author: by, committer: by, message, backdatedDays });
    return branch.tip;
  });
  return { kind: 'direct', scenario: row.name, by, before, commits, isForced, isRecreated, lost };
}

function createPullRequest(
  branch: ScenarioBranch,
  row: PullRequestRow,
  number: number,
  hostBehavior: HostBehavior,
): Merge {
  const people = peopleOfRows;
  const parts = row.parts(people);
  const { method = 'squash', hasOwnContent = false, hasLinkedIssue = true, isByPush = false } = row;
  const title = row.title ?? `Change ${number}`;
  const before = branch.tip;
  const uploadable = addPullRequestCommits(branch, { details: parts, number, title }, hostBehavior);
  const commits = mergedCommits(uploadable, hostBehavior);
  const requestedBy = row.mergedBy?.(people) ?? people.merger;
  const isQueuedByBot = row.isQueued === true && hostBehavior.queue === 'bot';
  const mergedBy = isQueuedByBot ? queueBot : requestedBy;
  const draft = { number, title, author: parts.author, mergedBy, commits, hasOwnContent };
  return {
    kind: 'merge',
    scenario: row.name,
    number,
    title,
    body: null,
    linkedIssues: hasLinkedIssue ? [1000 + number] : [],
    author: parts.author,
    method,
    mergedBy,
    queuedBy: row.isQueued ? requestedBy : null,
    isByPush,
    commits,
    before,
    landed: addMergeCommits(branch, method, draft, hostBehavior),
    steps: stepsOf(row, parts, uploadable),
    lost: lostOf(row, hostBehavior),
  };
}

/** A host that lists no pushes reports none of the time in which the repository was disabled. */
const lostOf = ({ phase, lost = [] }: PullRequestRow, { listsPushes }: HostBehavior): LostDelivery[] =>
  phase === 'repository disabled' && !listsPushes ? ['push', 'closed'] : lost;

const [author = nonMember, reviewer = nonMember, other = nonMember, merger = nonMember] = members;
const peopleOfRows: RowPeople = { author, reviewer, other, merger };

function stepsOf(row: PullRequestRow, parts: ReturnType<PullRequestRow['parts']>, commits: readonly number[]) {
  const markOf = (index: number): number => commits[index] ?? 0;
  const { checks = [{ conclusion: 'success' }] } = row;
  const checksAt = (when: 'after the merge' | undefined): PullRequestStep[] =>
    checks
      .filter((check) => check.when === when)
      .map(({ conclusion, on, isStatus = false, app }) => ({
        kind: 'check',
        name: requiredCheck,
        commit: (on === undefined ? commits.at(-1) : commits[0]) ?? 0,
        conclusion,
        isStatus,
        ...(app !== undefined && { app }),
      }));
  const steps: PullRequestStep[] = [
    ...parts.steps(markOf),
    ...checksAt(undefined),
    { kind: 'merge' },
    ...checksAt('after the merge'),
    ...(parts.stepsAfterMerge?.(markOf) ?? []),
  ];
  return steps;
}
