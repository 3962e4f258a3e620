import type {
  AccessRow,
  CommitterRow,
  Departure,
  DigestRow,
  FreshnessRow,
  HostAccessSpan,
  LedgerDayRow,
  PopulationRow,
  ReviewLineRow,
  ScannedRow,
  SecretRow,
  ToolUseRow,
  VulnerabilityRow,
  WaiverDecisionRow,
} from '../rows.ts';
import { common, type Variants } from './change-variants.ts';
import {
  actorOfUnknownKind,
  agent,
  agentOf,
  completeFact,
  erasedActor,
  guessedActor,
  human,
  missingFact,
  partialFact,
  unresolvedActor,
} from './facts.ts';

const head = 'a'.repeat(40);
const merged = 'c'.repeat(40);
const ok = { sha: head, finishedAt: '2026-07-10T10:00:00.000Z', state: 'ok' } as const;

export const scanned: Variants<ScannedRow> = {
  ...common,
  branch: ['main'],
  isDefaultBranch: [true],
  mergedAt: ['2026-07-10T12:00:00.000Z'],
  evaluatedAt: ['2026-08-01T00:00:00.000Z', '2026-07-10T18:00:00.000Z'],
  headSha: [completeFact(head), missingFact],
  mergeSha: [completeFact(merged), missingFact],
  scanner: [completeFact('working'), completeFact('failing'), completeFact('not_configured'), missingFact],
  scans: [
    completeFact([ok]),
    completeFact([]),
    completeFact([{ ...ok, sha: merged, finishedAt: '2026-07-11T11:00:00.000Z' }]),
    completeFact([{ ...ok, sha: merged, finishedAt: '2026-07-11T13:00:00.000Z' }]),
    completeFact([{ ...ok, state: 'failed' }]),
    partialFact([ok]),
    missingFact,
  ],
};

export const freshness: Variants<FreshnessRow> = {
  ...common,
  weekStart: ['2026-07-06T00:00:00.000Z'],
  weekEnd: ['2026-07-13T00:00:00.000Z'],
  enabledAt: ['2026-01-01T00:00:00.000Z', '2026-07-08T00:00:00.000Z'],
  disabled: [[], [{ from: '2026-07-08T00:00:00.000Z', to: '2026-07-08T00:00:30.000Z' }]],
  integration: [completeFact('active'), completeFact('inactive'), missingFact],
  scans: [
    completeFact([ok]),
    completeFact([]),
    completeFact([{ ...ok, state: 'failed' }]),
    completeFact([{ ...ok, finishedAt: '2026-07-05T00:00:00.000Z' }]),
    partialFact([ok]),
    missingFact,
  ],
};

const finding = {
  ...common,
  firstSeenAt: ['2026-07-01T00:00:00.000Z'],
  periodFrom: ['2026-07-01T00:00:00.000Z'],
} as const;

export const weakness: Variants<VulnerabilityRow> = {
  ...finding,
  evaluatedAt: ['2026-07-08T00:00:00.000Z', '2026-10-01T00:00:00.000Z'],
  severity: [completeFact('high'), completeFact('critical'), completeFact('low'), missingFact],
  lastSeenAt: ['2026-07-02T00:00:00.000Z'],
  fixedAt: [
    completeFact('2026-07-03T00:00:00.000Z'),
    completeFact('2026-09-03T00:00:00.000Z'),
    completeFact(null),
    missingFact,
  ],
  dismissal: [null, { at: '2026-07-03T00:00:00.000Z', reason: 'false_positive' }],
};

export const secret: Variants<SecretRow> = {
  ...finding,
  evaluatedAt: ['2026-07-31T00:00:00.000Z', '2026-07-02T00:00:00.000Z'],
  closure: [
    completeFact({ at: '2026-07-02T00:00:00.000Z', reason: completeFact('revoked') }),
    completeFact({ at: '2026-07-02T00:00:00.000Z', reason: completeFact('other') }),
    completeFact({ at: '2026-07-02T00:00:00.000Z', reason: missingFact }),
    completeFact({ at: '2026-07-09T00:00:00.000Z', reason: completeFact('rotated') }),
    completeFact({ at: '2026-07-09T00:00:00.000Z', reason: missingFact }),
    completeFact(null),
    missingFact,
  ],
};

export const decision: Variants<WaiverDecisionRow> = {
  ...common,
  decidedAt: ['2026-07-01T00:00:00.000Z'],
  requestedBy: [human('per_asks'), unresolvedActor, guessedActor('per_asks'), erasedActor('per_asks')],
  decidedBy: [human('per_decides'), human('per_asks'), unresolvedActor, erasedActor('per_asks')],
  hadPermission: [completeFact(true), completeFact(false), missingFact],
  reasonLength: [40, 3],
  from: ['2026-07-01T00:00:00.000Z'],
  until: ['2026-09-01T00:00:00.000Z', '2027-07-01T00:00:00.000Z'],
};

const approval = { decision: 'approved', from: '2026-01-01T00:00:00.000Z', until: null, versions: null } as const;

export const toolUse: Variants<ToolUseRow> = {
  ...common,
  seenAt: ['2026-07-10T00:00:00.000Z'],
  firstSeenAt: ['2026-07-01T00:00:00.000Z', '2026-06-01T00:00:00.000Z'],
  version: [completeFact('1.4.2'), completeFact('2.0.0'), missingFact],
  decisions: [
    completeFact([approval]),
    completeFact([]),
    completeFact([{ ...approval, decision: 'denied' }]),
    completeFact([approval, { ...approval, decision: 'denied', versions: ['2.*'] }]),
    completeFact([{ ...approval, versions: ['1.*'] }]),
    completeFact([{ ...approval, until: '2026-07-09T00:00:00.000Z' }]),
    partialFact([{ ...approval, decision: 'denied' }]),
    missingFact,
  ],
};

export const committer: Variants<CommitterRow> = {
  ...common,
  repository: [null],
  periodFrom: ['2026-07-01T00:00:00.000Z'],
  periodTo: ['2026-08-01T00:00:00.000Z'],
  person: [human('per_1'), guessedActor('per_1'), unresolvedActor, actorOfUnknownKind('per_1')],
  commitHours: [['2026-07-02T10:00:00.000Z', '2026-07-02T14:00:00.000Z']],
  extension: [completeFact('installed'), completeFact('never_connected'), missingFact],
  presence: [
    completeFact([{ from: '2026-07-02T09:30:00.000Z', to: '2026-07-02T13:30:00.000Z' }]),
    completeFact([{ from: '2026-07-02T09:30:00.000Z', to: '2026-07-02T10:30:00.000Z' }]),
    completeFact([]),
    partialFact([{ from: '2026-07-02T09:30:00.000Z', to: '2026-07-02T13:30:00.000Z' }]),
    missingFact,
  ],
  pauses: [
    completeFact([]),
    completeFact([{ from: '2026-07-02T10:30:00.000Z', to: '2026-07-02T16:00:00.000Z' }]),
    completeFact([{ from: '2026-07-02T09:00:00.000Z', to: '2026-07-02T10:01:00.000Z' }]),
    missingFact,
  ],
};

const act = { at: '2026-07-02T10:00:00.000Z', membership: completeFact('active') } as const;

export const hostAccess: HostAccessSpan = {
  repository: 'rep_1',
  permission: 'write',
  from: '2026-06-20T10:00:00.000Z',
  to: '2026-07-20T10:00:00.000Z',
  membership: completeFact('active'),
  since: '2026-06-01T00:00:00.000Z',
  until: '2026-07-20T10:00:00.000Z',
};
export const leftAccess: HostAccessSpan = {
  ...hostAccess,
  from: '2026-07-20T10:00:00.000Z',
  to: '2026-07-21T10:00:00.001Z',
  membership: completeFact('deactivated'),
  since: '2026-07-20T10:00:00.000Z',
  until: null,
};
export const strangerAccess: HostAccessSpan = {
  ...hostAccess,
  from: '2026-07-05T10:00:00.000Z',
  to: '2026-07-06T09:00:00.000Z',
  membership: completeFact('never'),
  since: null,
  until: null,
};

export const departure: Departure = {
  leftAt: '2026-07-20T10:00:00.000Z',
  returnedAt: null,
  memberMinutes: 60,
  hostAccessMinutes: 0,
};

export const access: Variants<AccessRow> = {
  ...common,
  repository: [null],
  periodFrom: ['2026-07-01T00:00:00.000Z'],
  person: [human('per_1'), guessedActor('per_1'), unresolvedActor, actorOfUnknownKind('per_1'), erasedActor('per_1')],
  acts: [
    [act],
    [act, { at: '2026-07-20T10:00:00.000Z', membership: completeFact('deactivated') }],
    [{ ...act, membership: completeFact('never') }],
    [act, { ...act, membership: missingFact }],
    [],
  ],
  hostAccess: [
    completeFact([]),
    completeFact([hostAccess]),
    completeFact([hostAccess, leftAccess]),
    completeFact([{ ...leftAccess, to: '2026-07-21T10:00:00.000Z' }]),
    completeFact([strangerAccess]),
    completeFact([{ ...strangerAccess, permission: 'read' }]),
    completeFact([{ ...strangerAccess, until: '2026-07-06T10:00:00.000Z' }]),
    completeFact([{ ...hostAccess, membership: missingFact }]),
    partialFact([hostAccess]),
    missingFact,
  ],
  departures: [[], [departure], [{ ...departure, memberMinutes: 61 }], [{ ...departure, memberMinutes: null }]],
};

const line = { reviewer: human('per_owner'), decision: 'kept', signedAt: '2026-09-20T00:00:00.000Z' } as const;

export const reviewLine: Variants<ReviewLineRow> = {
  ...common,
  repository: [null],
  quarterStart: ['2026-07-01T00:00:00.000Z'],
  quarterEnd: ['2026-10-01T00:00:00.000Z'],
  evaluatedAt: ['2026-10-05T00:00:00.000Z', '2026-09-25T00:00:00.000Z'],
  person: [human('per_1'), unresolvedActor, agentOf('hol_key', 'per_owner')],
  isInForce: [true, false],
  leftDirectoryAt: [null, '2026-07-20T10:00:00.000Z', '2026-09-30T12:00:00.000Z'],
  hostAccess: [null, { permission: 'write', repositories: ['rep_1', 'rep_2'] }],
  line: [
    completeFact(line),
    completeFact(null),
    completeFact({ ...line, decision: 'changed' }),
    completeFact({ ...line, decision: 'none' }),
    completeFact({ ...line, signedAt: null }),
    completeFact({ ...line, signedAt: '2026-10-02T00:00:00.000Z' }),
    completeFact({ ...line, reviewer: human('per_1') }),
    completeFact({ ...line, reviewer: agent('per_bot') }),
    completeFact({ ...line, reviewer: unresolvedActor }),
    missingFact,
  ],
};

export const ledgerDay: Variants<LedgerDayRow> = {
  ...common,
  repository: [null],
  day: ['2026-07-10'],
  selfCheck: [completeFact('ok'), completeFact('failed'), missingFact],
  longestPendingSeconds: [completeFact(12), completeFact(300), missingFact],
  lastAnchoredAt: [
    completeFact('2026-07-10T06:00:00.000Z'),
    completeFact('2026-07-08T06:00:00.000Z'),
    completeFact(null),
    missingFact,
  ],
  epochBreaks: [completeFact(0), completeFact(1), missingFact],
};

const hash = 'd'.repeat(64);
const signOff = { at: '2026-07-12T00:00:00.000Z', bodySha256: hash };

export const digest: Variants<DigestRow> = {
  ...common,
  dueAt: ['2026-07-10T00:00:00.000Z'],
  evaluatedAt: ['2026-07-31T00:00:00.000Z', '2026-07-11T00:00:00.000Z'],
  bodySha256: [hash],
  signOffs: [
    completeFact([signOff]),
    completeFact([]),
    completeFact([{ ...signOff, at: '2026-07-18T00:00:00.000Z' }]),
    completeFact([{ ...signOff, bodySha256: 'e'.repeat(64) }]),
    partialFact([signOff]),
    missingFact,
  ],
};

/** The first values: a passing row. */
export const passingRowOf = <Row extends PopulationRow>(variants: Variants<Row>): Row =>
  Object.fromEntries(
    Object.entries(variants).map(([field, values]) => [field, (values as readonly unknown[])[0]]),
  ) as unknown as Row;
