import type {
  AgentChangeRow,
  ChangeRow,
  CheckRun,
  ChecksRow,
  JoinedSession,
  MergeRow,
  ProtectionRow,
  ProtectionSnapshot,
  ReachedCommitRow,
  ReconciledAgent,
  Review,
  TicketRow,
} from '../change-rows.ts';
import type { PopulationRow } from '../rows.ts';
import {
  actorOfUnknownKind,
  agent,
  completeFact,
  erasedActor,
  guessedActor,
  human,
  linked,
  missingFact,
  partialFact,
  unresolvedActor,
} from './facts.ts';

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
const shas = [completeFact(head), missingFact, completeFact(older)] as const;

const activities = [
  completeFact('pull_request_merge'),
  completeFact('merge_queue_merge'),
  completeFact('push'),
  completeFact('forced_push'),
  completeFact('branch_creation'),
  completeFact('not_reported'),
  missingFact,
] as const;

export const review: Review = {
  id: 'rev_1',
  by: human('per_reviewer'),
  verdict: 'approved',
  submittedAt: '2026-07-10T11:00:00.000Z',
  dismissedAt: completeFact(null),
  commit: completeFact(head),
  byActiveMember: completeFact(true),
  memberSince: completeFact('2026-01-01T00:00:00.000Z'),
};

export const change: Variants<ChangeRow> = {
  ...common,
  ...branch,
  mergedAt: [mergedAt],
  mergeMethod: [completeFact('pull_request'), completeFact('merge_queue'), completeFact('direct_push'), missingFact],
  hostActivity: [...activities],
  headSha: [...shas],
  authors: [
    completeFact([human('per_author')]),
    completeFact([human('per_author'), human('per_reviewer')]),
    completeFact([human('per_author'), unresolvedActor]),
    completeFact([linked('per_author', 'per_reviewer')]),
    completeFact([agent('per_agent')]),
    completeFact([]),
    missingFact,
  ],
  lastPusher: [
    completeFact(human('per_author')),
    completeFact(human('per_reviewer')),
    completeFact(guessedActor('per_author')),
    completeFact(linked('per_author', 'per_reviewer', { by: 'address' })),
    completeFact(linked('per_author', 'per_reviewer', { by: 'key' })),
    completeFact(linked('per_author', 'per_reviewer', { by: 'device' })),
    missingFact,
  ],
  earlierPushers: [
    completeFact([]),
    completeFact([human('per_author'), human('per_reviewer')]),
    completeFact([unresolvedActor]),
    partialFact([human('per_author')]),
    missingFact,
  ],
  unattestedCommits: [completeFact(0), completeFact(1), missingFact],
  lastPushAt: [
    completeFact('2026-07-10T10:00:00.000Z'),
    partialFact('2026-07-10T10:00:00.000Z'),
    completeFact('2026-07-10T11:30:00.000Z'),
    missingFact,
  ],
  sessionOwners: [
    completeFact([]),
    completeFact([human('per_reviewer')]),
    completeFact([unresolvedActor]),
    missingFact,
  ],
  reviews: [
    completeFact([review]),
    completeFact([]),
    completeFact([{ ...review, dismissedAt: completeFact('2026-07-10T11:30:00.000Z') }]),
    completeFact([{ ...review, dismissedAt: missingFact }]),
    completeFact([{ ...review, commit: completeFact(older) }]),
    completeFact([{ ...review, commit: missingFact }]),
    completeFact([{ ...review, commit: { state: 'by_time' } }]),
    completeFact([{ ...review, submittedAt: '2026-07-10T12:30:00.000Z' }]),
    completeFact([{ ...review, byActiveMember: completeFact(false) }]),
    completeFact([{ ...review, byActiveMember: missingFact }]),
    completeFact([{ ...review, memberSince: completeFact('2026-07-10T10:55:00.000Z') }]),
    completeFact([{ ...review, memberSince: partialFact('2026-07-10T10:55:00.000Z') }]),
    completeFact([{ ...review, by: agent('per_reviewer') }]),
    completeFact([{ ...review, by: actorOfUnknownKind('per_reviewer') }]),
    completeFact([{ ...review, by: unresolvedActor }]),
    completeFact([{ ...review, by: erasedActor('per_reviewer') }]),
    completeFact([review, { ...review, id: 'rev_2', by: human('per_second') }]),
    completeFact([
      review,
      { ...review, id: 'rev_2', verdict: 'changes_requested', submittedAt: '2026-07-10T11:30:00.000Z' },
    ]),
    partialFact([review]),
    missingFact,
  ],
  unreviewedFiles: [completeFact(0), completeFact(2), missingFact],
};

export const reached: Variants<ReachedCommitRow> = {
  ...common,
  ...branch,
  pushedAt: [mergedAt],
  push: ['complete', 'truncated', 'lost'],
  isForced: [completeFact(false), completeFact(true), missingFact],
  reachedBy: [completeFact('merged_pull_request'), completeFact('none'), missingFact],
  hostActivity: [...activities],
};

export const merge: Variants<MergeRow> = {
  ...change,
  mergedBy: [
    completeFact(human('per_merger')),
    completeFact(human('per_author')),
    completeFact(agent('per_queue')),
    completeFact(unresolvedActor),
    completeFact(actorOfUnknownKind('per_merger')),
    completeFact(linked('per_merger', 'per_author')),
    missingFact,
  ],
  mergeRequestedBy: [missingFact, completeFact(human('per_author')), completeFact(human('per_merger'))],
};

export const snapshot: ProtectionSnapshot = {
  capturedAt: '2026-07-09T20:00:00.000Z',
  requiredReviews: completeFact(1),
  dismissesStaleReviews: completeFact(true),
  allowsForcePush: completeFact(false),
  allowsDeletion: completeFact(false),
  includesAdmins: completeFact(true),
  requiredCheckCount: completeFact(1),
  unboundChecks: completeFact(1),
};
/** A snapshot every hour, from half an hour before a day until half an hour before its end. */
export const hourlySnapshots = (day: string): ProtectionSnapshot[] =>
  Array.from({ length: 25 }, (_, hour) => ({
    ...snapshot,
    capturedAt: new Date(Date.parse(`${day}T00:00:00.000Z`) + (hour - 0.5) * 3_600_000).toISOString(),
  }));
const hourly = hourlySnapshots('2026-07-10');
const noon = { ...snapshot, capturedAt: '2026-07-10T12:00:00.000Z' };

export const protection: Variants<ProtectionRow> = {
  ...common,
  ...branch,
  day: ['2026-07-10'],
  until: ['2026-07-11T00:00:00.000Z', '2026-07-10T18:00:00.000Z'],
  disabled: [[], [{ from: '2026-07-10T10:00:00.000Z', to: '2026-07-10T10:00:30.000Z' }]],
  snapshots: [
    completeFact(hourly),
    completeFact([snapshot]),
    completeFact([]),
    completeFact([...hourly, { ...noon, allowsForcePush: completeFact(true) }]),
    completeFact([...hourly, { ...noon, includesAdmins: missingFact }]),
    completeFact(hourly.map((one, index) => (index === 0 ? { ...one, requiredReviews: completeFact(0) } : one))),
    partialFact([{ ...noon, allowsDeletion: completeFact(true) }]),
    missingFact,
  ],
};

export const run: CheckRun = {
  name: 'build',
  app: '15368',
  sha: head,
  conclusion: 'success',
  completedAt: '2026-07-10T11:00:00.000Z',
};

export const checks: Variants<ChecksRow> = {
  ...common,
  ...branch,
  mergedAt: [mergedAt],
  headSha: [...shas],
  requiredChecks: [
    completeFact(['build']),
    completeFact([]),
    completeFact(['build', 'test']),
    partialFact(['test']),
    missingFact,
  ],
  requiredApps: [
    completeFact([]),
    completeFact([{ name: 'build', app: '15368' }]),
    completeFact([{ name: 'build', app: '2' }]),
    missingFact,
  ],
  disabledChecks: [[], ['test']],
  checks: [
    completeFact([run]),
    completeFact([]),
    completeFact([{ ...run, conclusion: 'failure' }]),
    completeFact([
      { ...run, conclusion: 'failure' },
      { ...run, app: null },
    ]),
    completeFact([{ ...run, app: null }]),
    completeFact([{ ...run, completedAt: '2026-07-10T13:00:00.000Z' }]),
    completeFact([run, { ...run, name: 'test', sha: older }]),
    partialFact([run]),
    missingFact,
  ],
};

export const ticket: Variants<TicketRow> = {
  ...common,
  ...branch,
  mergedAt: [mergedAt],
  sourceBranch: [completeFact('feature/pay'), missingFact],
  labels: [completeFact([]), missingFact],
  tickets: [
    completeFact(['resolved']),
    completeFact([]),
    completeFact(['not_found']),
    completeFact(['unreachable']),
    completeFact(['not_found', 'resolved']),
    partialFact(['not_found']),
    missingFact,
  ],
  linkedIssues: [completeFact(0), completeFact(1), missingFact],
};

export const session: JoinedSession = {
  session: 'ses_1',
  owner: human('per_author'),
  joins: ['session_id', 'branch'],
  confidence: 'high',
};
export const declaredAgent: ReconciledAgent = {
  agent: 'Claude',
  isDeclared: true,
  observed: 'yes',
  models: completeFact(['claude-sonnet-5']),
  mcpServers: completeFact([]),
  sessions: [session],
};

export const agentChange: Variants<AgentChangeRow> = {
  ...change,
  attributions: [
    completeFact([{ lines: 10, confidence: 'declared' }]),
    completeFact([{ lines: 10, confidence: 'observed' }]),
    completeFact([{ lines: 10, confidence: 'inferred' }]),
    completeFact([]),
    partialFact([{ lines: 10, confidence: 'declared' }]),
    missingFact,
  ],
  agents: [
    completeFact([declaredAgent]),
    completeFact([{ ...declaredAgent, observed: 'no', sessions: [] }]),
    partialFact([{ ...declaredAgent, observed: 'unknown', sessions: [] }]),
    completeFact([{ ...declaredAgent, isDeclared: false }]),
    completeFact([{ ...declaredAgent, isDeclared: false, sessions: [{ ...session, confidence: 'medium' }] }]),
    completeFact([{ ...declaredAgent, isDeclared: false, sessions: [{ ...session, owner: null }] }]),
    completeFact([
      { ...declaredAgent, observed: 'no', sessions: [{ ...session, joins: ['time'], confidence: 'low' }] },
    ]),
    completeFact([{ ...declaredAgent, sessions: [{ ...session, owner: human('per_reviewer') }] }]),
    partialFact([
      { ...declaredAgent, sessions: [{ ...session, owner: null }] },
      { ...declaredAgent, agent: 'Codex', isDeclared: false, sessions: [{ ...session, joins: ['commit'] }] },
    ]),
    completeFact([]),
    missingFact,
  ],
  pathMatches: [
    completeFact([{ pattern: '.github/**', isTouched: false }]),
    completeFact([{ pattern: '.github/**', isTouched: true }]),
    completeFact([]),
    partialFact([{ pattern: 'release/**', isTouched: true }]),
    missingFact,
  ],
  changedLines: [completeFact(40), completeFact(4), missingFact],
  configuredServers: [
    completeFact([]),
    completeFact(['npm:@acme/server']),
    partialFact(['https://mcp.example.com']),
    missingFact,
  ],
};
