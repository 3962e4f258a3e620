import type {
  AgentChangeRow,
  ChangeRow,
  CheckRun,
  ChecksRow,
  MergeRow,
  ProtectionRow,
  ProtectionSnapshot,
  ReachedRow,
  Review,
  TicketRow,
} from '../change-rows.ts';
import type { PopulationRow } from '../rows.ts';
import { agent, erased, guessed, human, known, linked, missing, nobody, ofUnknownKind, partly } from './facts.ts';

/** The possible values of each field. The first values make a passing row. */
export type Variants<Row> = { readonly [Field in keyof Row]-?: readonly [Row[Field], ...Row[Field][]] };

export const common: Variants<PopulationRow> = {
  subject: ['row'],
  repository: ['repo_1'],
  leaf: [7, null],
  leaves: [[7], []],
  waivers: [[]],
};

const branch = { branch: ['main'], isDefaultBranch: [true] } as const;
const head = 'a'.repeat(40);
const older = 'b'.repeat(40);
const mergedAt = '2026-07-10T12:00:00.000Z';
const shas = [known(head), missing, known(older)] as const;

export const review: Review = {
  id: 'rev_1',
  by: human('per_reviewer'),
  verdict: 'approved',
  submittedAt: '2026-07-10T11:00:00.000Z',
  dismissedAt: known(null),
  commit: known(head),
  byActiveMember: known(true),
};

export const change: Variants<ChangeRow> = {
  ...common,
  ...branch,
  mergedAt: [mergedAt],
  mergeMethod: [known('pull_request'), known('merge_queue'), known('direct_push'), missing],
  headSha: [...shas],
  authors: [
    known([human('per_author')]),
    known([human('per_author'), human('per_reviewer')]),
    known([human('per_author'), nobody]),
    known([linked('per_author', 'per_reviewer')]),
    known([agent('per_agent')]),
    known([]),
    missing,
  ],
  lastPusher: [
    known(human('per_author')),
    known(human('per_reviewer')),
    known(guessed('per_author')),
    known(linked('per_author', 'per_reviewer')),
    missing,
  ],
  lastPushAt: [
    known('2026-07-10T10:00:00.000Z'),
    partly('2026-07-10T10:00:00.000Z'),
    known('2026-07-10T11:30:00.000Z'),
    missing,
  ],
  sessionOwners: [known([]), known([human('per_reviewer')]), known([nobody]), missing],
  reviews: [
    known([review]),
    known([]),
    known([{ ...review, dismissedAt: known('2026-07-10T11:30:00.000Z') }]),
    known([{ ...review, dismissedAt: missing }]),
    known([{ ...review, commit: known(older) }]),
    known([{ ...review, commit: missing }]),
    known([{ ...review, commit: { state: 'by_time' } }]),
    known([{ ...review, submittedAt: '2026-07-10T12:30:00.000Z' }]),
    known([{ ...review, byActiveMember: known(false) }]),
    known([{ ...review, byActiveMember: missing }]),
    known([{ ...review, by: agent('per_reviewer') }]),
    known([{ ...review, by: ofUnknownKind('per_reviewer') }]),
    known([{ ...review, by: nobody }]),
    known([{ ...review, by: erased('per_reviewer') }]),
    known([review, { ...review, id: 'rev_2', by: human('per_second') }]),
    known([review, { ...review, id: 'rev_2', verdict: 'changes_requested', submittedAt: '2026-07-10T11:30:00.000Z' }]),
    partly([review]),
    missing,
  ],
};

export const reached: Variants<ReachedRow> = {
  ...common,
  ...branch,
  pushedAt: [mergedAt],
  push: ['complete', 'truncated', 'lost'],
  isForced: [known(false), known(true), missing],
  reachedBy: [known('merged_pull_request'), known('none'), missing],
};

export const merge: Variants<MergeRow> = {
  ...change,
  mergedBy: [
    known(human('per_merger')),
    known(human('per_author')),
    known(agent('per_queue')),
    known(nobody),
    known(ofUnknownKind('per_merger')),
    known(linked('per_merger', 'per_author')),
    missing,
  ],
  mergeRequestedBy: [missing, known(human('per_author')), known(human('per_merger'))],
};

export const snapshot: ProtectionSnapshot = {
  capturedAt: '2026-07-09T20:00:00.000Z',
  requiredReviews: known(1),
  dismissesStaleReviews: known(true),
  allowsForcePush: known(false),
  allowsDeletion: known(false),
  includesAdmins: known(true),
};
const noon = { ...snapshot, capturedAt: '2026-07-10T12:00:00.000Z' };

export const protection: Variants<ProtectionRow> = {
  ...common,
  ...branch,
  day: ['2026-07-10'],
  snapshots: [
    known([snapshot, noon]),
    known([snapshot]),
    known([]),
    known([snapshot, { ...noon, allowsForcePush: known(true) }]),
    known([snapshot, { ...noon, includesAdmins: missing }]),
    known([{ ...snapshot, requiredReviews: known(0) }, noon]),
    partly([{ ...noon, allowsDeletion: known(true) }]),
    missing,
  ],
};

export const run: CheckRun = {
  name: 'build',
  sha: head,
  conclusion: 'success',
  completedAt: '2026-07-10T11:00:00.000Z',
};

export const checks: Variants<ChecksRow> = {
  ...common,
  ...branch,
  mergedAt: [mergedAt],
  headSha: [...shas],
  requiredChecks: [known(['build']), known([]), known(['build', 'test']), partly(['test']), missing],
  checks: [
    known([run]),
    known([]),
    known([{ ...run, conclusion: 'failure' }]),
    known([{ ...run, completedAt: '2026-07-10T13:00:00.000Z' }]),
    known([run, { ...run, name: 'test', sha: older }]),
    partly([run]),
    missing,
  ],
};

export const ticket: Variants<TicketRow> = {
  ...common,
  ...branch,
  mergedAt: [mergedAt],
  sourceBranch: [known('feature/pay'), missing],
  labels: [known([]), missing],
  tickets: [
    known(['resolved']),
    known([]),
    known(['not_found']),
    known(['unreachable']),
    known(['not_found', 'resolved']),
    partly(['not_found']),
    missing,
  ],
  linkedIssues: [known(0), known(1), missing],
};

export const agentChange: Variants<AgentChangeRow> = {
  ...change,
  attributions: [
    known([{ lines: 10, confidence: 'declared' }]),
    known([{ lines: 10, confidence: 'observed' }]),
    known([{ lines: 10, confidence: 'inferred' }]),
    partly([{ lines: 10, confidence: 'declared' }]),
    missing,
  ],
};
