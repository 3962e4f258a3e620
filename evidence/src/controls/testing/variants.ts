import type {
  AccessRow,
  CommitterRow,
  DigestRow,
  FreshnessRow,
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
import { agent, erased, guessed, human, known, missing, nobody, ofUnknownKind, partly } from './facts.ts';

const head = 'a'.repeat(40);
const merged = 'c'.repeat(40);
const ok = { sha: head, finishedAt: '2026-07-10T10:00:00.000Z', state: 'ok' } as const;

export const scanned: Variants<ScannedRow> = {
  ...common,
  branch: ['main'],
  isDefaultBranch: [true],
  mergedAt: ['2026-07-10T12:00:00.000Z'],
  evaluatedAt: ['2026-08-01T00:00:00.000Z', '2026-07-10T18:00:00.000Z'],
  headSha: [known(head), missing],
  mergeSha: [known(merged), missing],
  scanner: [known('working'), known('failing'), known('not_configured'), missing],
  scans: [
    known([ok]),
    known([]),
    known([{ ...ok, sha: merged, finishedAt: '2026-07-11T11:00:00.000Z' }]),
    known([{ ...ok, sha: merged, finishedAt: '2026-07-11T13:00:00.000Z' }]),
    known([{ ...ok, state: 'failed' }]),
    partly([ok]),
    missing,
  ],
};

export const freshness: Variants<FreshnessRow> = {
  ...common,
  weekStart: ['2026-07-06T00:00:00.000Z'],
  weekEnd: ['2026-07-13T00:00:00.000Z'],
  enabledAt: ['2026-01-01T00:00:00.000Z', '2026-07-08T00:00:00.000Z'],
  integration: [known('active'), known('inactive'), missing],
  scans: [
    known([ok]),
    known([]),
    known([{ ...ok, state: 'failed' }]),
    known([{ ...ok, finishedAt: '2026-07-05T00:00:00.000Z' }]),
    partly([ok]),
    missing,
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
  severity: [known('high'), known('critical'), known('low'), missing],
  lastSeenAt: ['2026-07-02T00:00:00.000Z'],
  fixedAt: [known('2026-07-03T00:00:00.000Z'), known('2026-09-03T00:00:00.000Z'), known(null), missing],
  dismissal: [null, { at: '2026-07-03T00:00:00.000Z', reason: 'false_positive' }],
};

export const secret: Variants<SecretRow> = {
  ...finding,
  evaluatedAt: ['2026-07-31T00:00:00.000Z', '2026-07-02T00:00:00.000Z'],
  closure: [
    known({ at: '2026-07-02T00:00:00.000Z', reason: known('revoked') }),
    known({ at: '2026-07-02T00:00:00.000Z', reason: known('other') }),
    known({ at: '2026-07-02T00:00:00.000Z', reason: missing }),
    known({ at: '2026-07-09T00:00:00.000Z', reason: known('rotated') }),
    known({ at: '2026-07-09T00:00:00.000Z', reason: missing }),
    known(null),
    missing,
  ],
};

export const decision: Variants<WaiverDecisionRow> = {
  ...common,
  decidedAt: ['2026-07-01T00:00:00.000Z'],
  requestedBy: [human('per_asks'), nobody, guessed('per_asks'), erased('per_asks')],
  decidedBy: [human('per_decides'), human('per_asks'), nobody, erased('per_asks')],
  hadPermission: [known(true), known(false), missing],
  reasonLength: [40, 3],
  from: ['2026-07-01T00:00:00.000Z'],
  until: ['2026-09-01T00:00:00.000Z', '2027-07-01T00:00:00.000Z'],
};

const approval = { decision: 'approved', from: '2026-01-01T00:00:00.000Z', until: null, versions: null } as const;

export const sighting: Variants<ToolUseRow> = {
  ...common,
  seenAt: ['2026-07-10T00:00:00.000Z'],
  firstSeenAt: ['2026-07-01T00:00:00.000Z', '2026-06-01T00:00:00.000Z'],
  version: [known('1.4.2'), known('2.0.0'), missing],
  decisions: [
    known([approval]),
    known([]),
    known([{ ...approval, decision: 'denied' }]),
    known([approval, { ...approval, decision: 'denied', versions: ['2.*'] }]),
    known([{ ...approval, versions: ['1.*'] }]),
    known([{ ...approval, until: '2026-07-09T00:00:00.000Z' }]),
    partly([{ ...approval, decision: 'denied' }]),
    missing,
  ],
};

export const committer: Variants<CommitterRow> = {
  ...common,
  repository: [null],
  periodFrom: ['2026-07-01T00:00:00.000Z'],
  periodTo: ['2026-08-01T00:00:00.000Z'],
  person: [human('per_1'), guessed('per_1'), nobody, ofUnknownKind('per_1')],
  commitHours: [['2026-07-02T10:00:00.000Z', '2026-07-02T14:00:00.000Z']],
  extension: [known('installed'), known('never_connected'), missing],
  presence: [
    known([{ from: '2026-07-02T09:30:00.000Z', to: '2026-07-02T13:30:00.000Z' }]),
    known([{ from: '2026-07-02T09:30:00.000Z', to: '2026-07-02T10:30:00.000Z' }]),
    known([]),
    partly([{ from: '2026-07-02T09:30:00.000Z', to: '2026-07-02T13:30:00.000Z' }]),
    missing,
  ],
  pauses: [
    known([]),
    known([{ from: '2026-07-02T10:30:00.000Z', to: '2026-07-02T16:00:00.000Z' }]),
    known([{ from: '2026-07-02T09:00:00.000Z', to: '2026-07-02T10:01:00.000Z' }]),
    missing,
  ],
};

const act = { at: '2026-07-02T10:00:00.000Z', membership: known('active') } as const;

export const access: Variants<AccessRow> = {
  ...common,
  repository: [null],
  periodFrom: ['2026-07-01T00:00:00.000Z'],
  person: [human('per_1'), guessed('per_1'), nobody, ofUnknownKind('per_1'), erased('per_1')],
  acts: [
    [act],
    [act, { at: '2026-07-20T10:00:00.000Z', membership: known('deactivated') }],
    [{ ...act, membership: known('never') }],
    [act, { ...act, membership: missing }],
    [],
  ],
};

const line = { reviewer: human('per_owner'), decision: 'kept', signedAt: '2026-09-20T00:00:00.000Z' } as const;

export const reviewLine: Variants<ReviewLineRow> = {
  ...common,
  repository: [null],
  quarterStart: ['2026-07-01T00:00:00.000Z'],
  quarterEnd: ['2026-10-01T00:00:00.000Z'],
  evaluatedAt: ['2026-10-05T00:00:00.000Z', '2026-09-25T00:00:00.000Z'],
  person: [human('per_1'), nobody],
  line: [
    known(line),
    known(null),
    known({ ...line, decision: 'none' }),
    known({ ...line, signedAt: null }),
    known({ ...line, signedAt: '2026-10-02T00:00:00.000Z' }),
    known({ ...line, reviewer: human('per_1') }),
    known({ ...line, reviewer: agent('per_bot') }),
    known({ ...line, reviewer: nobody }),
    missing,
  ],
};

export const ledgerDay: Variants<LedgerDayRow> = {
  ...common,
  repository: [null],
  day: ['2026-07-10'],
  selfCheck: [known('ok'), known('failed'), missing],
  longestPendingSeconds: [known(12), known(300), missing],
  lastAnchoredAt: [known('2026-07-10T06:00:00.000Z'), known('2026-07-08T06:00:00.000Z'), known(null), missing],
  epochBreaks: [known(0), known(1), missing],
};

const hash = 'd'.repeat(64);
const signOff = { at: '2026-07-12T00:00:00.000Z', bodySha256: hash };

export const digest: Variants<DigestRow> = {
  ...common,
  dueAt: ['2026-07-10T00:00:00.000Z'],
  evaluatedAt: ['2026-07-31T00:00:00.000Z', '2026-07-11T00:00:00.000Z'],
  bodySha256: [hash],
  signOffs: [
    known([signOff]),
    known([]),
    known([{ ...signOff, at: '2026-07-18T00:00:00.000Z' }]),
    known([{ ...signOff, bodySha256: 'e'.repeat(64) }]),
    partly([signOff]),
    missing,
  ],
};

/** The first values: a passing row. */
export const goodOf = <Row extends PopulationRow>(variants: Variants<Row>): Row =>
  Object.fromEntries(
    Object.entries(variants).map(([field, values]) => [field, (values as readonly unknown[])[0]]),
  ) as unknown as Row;
