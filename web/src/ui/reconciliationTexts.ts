import type {
  JoinConfidence,
  ReconciledAgent,
  ReconciliationStatus,
  SessionJoinName,
} from '@sightline/contract/compliance/agent-reconciliation.ts';
import type { Tone } from './StatusBadge.tsx';

/** Both differences are yellow: neither is a violation by itself. */
export const reconciliationBadges: Record<ReconciliationStatus, readonly [Tone, string]> = {
  declared_and_observed: ['green', 'Declared and observed'],
  declared_only: ['yellow', 'Declared only'],
  observed_only: ['yellow', 'Observed only'],
  neither: ['gray', 'Neither'],
  missing_evidence: ['yellow', 'Missing evidence'],
};

/** What evidence is missing. */
export const missingEvidenceTexts: Record<NonNullable<ReconciledAgent['missing']>, string> = {
  telemetry: 'No telemetry is connected',
  declarations: 'Declarations could not be read',
};

export const joinTexts: Record<SessionJoinName, string> = {
  session_id: 'session ID in the commit, note or trace',
  commit: 'commit of the session',
  branch: 'branch and time',
  file: 'edited file, person and time',
  time: 'person and time only',
};

export const confidenceTexts: Record<JoinConfidence, string> = {
  high: 'High confidence',
  medium: 'Medium confidence',
  low: 'Low confidence, a hint only',
};

const dollars = new Intl.NumberFormat('en', { style: 'currency', currency: 'USD', maximumFractionDigits: 2 });

/** '$1.20', or undefined without a reported cost. */
export const costText = (cost: number | null): string | undefined => (cost === null ? undefined : dollars.format(cost));

/** What the cost of sessions leaves out: '2 sessions report no cost'. */
export const withoutCostText = (count: number): string =>
  count === 1 ? '1 session reports no cost' : `${count} sessions report no cost`;
