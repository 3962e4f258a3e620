import { completeValue, type Fact } from '../controls/facts.ts';
import { PROTECTION_VALID_MINUTES } from '../controls/protection-polling.ts';
import type { DateSpan } from '../controls/rows.ts';
import { MINUTE_MS, parseTime } from '../controls/times.ts';
import type { SourceReason } from './reasons.ts';

/** A push that moved a branch to a new revision. */
export interface BranchRevision {
  readonly push: string;
  /** Null: the push created the branch. */
  readonly before: string | null;
  /** Null: the push deleted the branch. */
  readonly after: string | null;
  readonly pushedAt: string;
  readonly isForced: Fact<boolean>;
  /** `lost`: the branch moved without a report of the host. `truncated`: the host omitted commits. */
  readonly completeness: 'complete' | 'truncated' | 'lost';
  /** Opaque ID of the pusher; null: unknown. */
  readonly pusher: string | null;
}

/** The settings of a branch and its repository at one time. */
export interface ControlSnapshot {
  readonly capturedAt: string;
  readonly requiredReviews: Fact<number>;
  readonly requiredCheckCount: Fact<number>;
  readonly dismissesStaleReviews: Fact<boolean>;
  readonly allowsForcePush: Fact<boolean>;
  readonly allowsDeletion: Fact<boolean>;
  readonly includesAdmins: Fact<boolean>;
  readonly protectsTags: Fact<boolean>;
}

export interface BranchHistory {
  /** Newest first: the revision itself, and the pushes that lead to it. Each starts where the next one ended. */
  readonly revisions: readonly BranchRevision[];
  /** Whether more revisions are recorded than are given. */
  readonly hasMore: boolean;
  /** Oldest first, from the last one before the first revision on. */
  readonly snapshots: readonly ControlSnapshot[];
  /** The times in which the repository was disabled. */
  readonly disabled: readonly DateSpan[];
}

/** The controls of the source track whose continuity is tracked. */
export const sourceControls = ['history', 'tags', 'technical', 'review'] as const;
export type SourceControl = (typeof sourceControls)[number];

/** Why a control was not in force throughout a step: certainly, or because a fact is unknown. Empty: it was. */
type ControlLapses = Readonly<Record<SourceControl, readonly SourceReason[]>>;

/** What is known about the time from one revision to the next, both ends included. */
export interface RevisionStep {
  /** Lapses of the recorded history: a missing or forced push. */
  readonly pushes: readonly SourceReason[];
  /** Lapses of observation: a gap between snapshots, or a disabled repository. */
  readonly coverage: readonly SourceReason[];
  /** Lapses of each control by its snapshots. */
  readonly lapses: ControlLapses;
}

const validity = PROTECTION_VALID_MINUTES * MINUTE_MS;

/** The steps that lead to each revision, newest first; at least one. `until`: the end of the newest, if after its push. */
export const stepsOf = (history: BranchHistory, until: string): readonly [RevisionStep, ...RevisionStep[]] => [
  stepOf(history, 0, until),
  ...history.revisions.slice(1).map(({ pushedAt }, index) => stepOf(history, index + 1, pushedAt)),
];

function stepOf(history: BranchHistory, index: number, until: string): RevisionStep {
  const [revision, previous] = [history.revisions[index], history.revisions[index + 1]];
  if (!revision) return { pushes: ['push_unknown'], coverage: [], lapses: lapsesOf([]) };
  const to = until > revision.pushedAt ? until : revision.pushedAt;
  const from = previous?.pushedAt;
  const snapshots = snapshotsWithin(history.snapshots, from ?? to, to);
  return {
    pushes: unique([
      ...pushLapses(revision, 'forced_push'),
      ...(previous ? pushLapses(previous, 'previous_push_forced') : (['previous_revision_unknown'] as const)),
    ]),
    coverage: [
      ...(previous && !covers(snapshots, previous.pushedAt, to) ? (['protection_stale'] as const) : []),
      ...(history.disabled.some((span) => span.from <= to && span.to >= (from ?? to))
        ? (['repository_disabled'] as const)
        : []),
    ],
    lapses: lapsesOf(snapshots),
  };
}

function pushLapses({ isForced, completeness }: BranchRevision, forced: SourceReason): readonly SourceReason[] {
  return [
    ...(completeness === 'lost' ? (['push_lost'] as const) : []),
    ...lapse(isForced, true, forced, 'force_unknown'),
  ];
}

/** The snapshots in force at any time between two times, both included. */
function snapshotsWithin(all: readonly ControlSnapshot[], from: string, to: string): readonly ControlSnapshot[] {
  const before = all.findLast(({ capturedAt }) => capturedAt <= from);
  return [...(before ? [before] : []), ...all.filter(({ capturedAt }) => capturedAt > from && capturedAt <= to)];
}

/** The snapshot in force at a time; undefined if none is valid. */
export function snapshotAt(all: readonly ControlSnapshot[], at: string): ControlSnapshot | undefined {
  const last = all.findLast(({ capturedAt }) => capturedAt <= at);
  return last && parseTime(at) - parseTime(last.capturedAt) <= validity ? last : undefined;
}

function covers(snapshots: readonly ControlSnapshot[], from: string, to: string): boolean {
  let reached = parseTime(from);
  for (const { capturedAt } of snapshots) {
    const at = parseTime(capturedAt);
    if (at <= reached) reached = Math.max(reached, at + validity);
  }
  const isStarted = (snapshots[0]?.capturedAt ?? to) <= from && snapshots.length > 0;
  return isStarted && reached >= parseTime(to);
}

function lapsesOf(snapshots: readonly ControlSnapshot[]): ControlLapses {
  if (snapshots.length === 0) {
    const none = ['protection_missing'] as const;
    return { history: none, tags: none, technical: none, review: none };
  }
  const found = (of: (snapshot: ControlSnapshot) => readonly SourceReason[]) => unique(snapshots.flatMap(of));
  return {
    history: found(({ allowsForcePush, allowsDeletion }) => [
      ...lapse(allowsForcePush, true, 'force_push_allowed'),
      ...lapse(allowsDeletion, true, 'deletion_allowed'),
    ]),
    tags: found(({ protectsTags }) => lapse(protectsTags, false, 'tags_unprotected', 'tag_protection_unknown')),
    technical: found((snapshot) => [...lapse(snapshot.includesAdmins, false, 'admins_exempt'), ...controlOf(snapshot)]),
    review: found(({ includesAdmins, dismissesStaleReviews, requiredReviews }) => [
      ...lapse(includesAdmins, false, 'admins_exempt'),
      ...lapse(dismissesStaleReviews, false, 'stale_approvals_kept'),
      ...lapse(atLeastOne(requiredReviews), false, 'too_few_required_reviews'),
    ]),
  };
}

function lapse(
  fact: Fact<boolean>,
  lapsed: boolean,
  reason: SourceReason,
  missing: SourceReason = 'protection_incomplete',
): readonly SourceReason[] {
  const value = completeValue(fact);
  return value === undefined ? [missing] : value === lapsed ? [reason] : [];
}

function controlOf({ requiredReviews, requiredCheckCount }: ControlSnapshot): readonly SourceReason[] {
  const counts = [completeValue(requiredReviews), completeValue(requiredCheckCount)];
  if (counts.some((count) => count !== undefined && count > 0)) return [];
  return counts.includes(undefined) ? ['protection_incomplete'] : ['no_technical_control'];
}

const atLeastOne = (fact: Fact<number>): Fact<boolean> =>
  fact.state === 'missing' ? fact : { state: fact.state, value: fact.value > 0 };

const unique = (reasons: readonly SourceReason[]): readonly SourceReason[] => [...new Set(reasons)];

/** The first revision since which a control was continuously in force. `isBounded`: it may have been in force longer. */
export interface ControlStart {
  readonly revision: string | null;
  readonly at: string;
  readonly isBounded: boolean;
}

/**
 * The start of the continuity of a control, by settings and pushes alone; undefined if it has none at the newest
 * revision.
 */
export function startOfControl(
  { revisions, hasMore }: BranchHistory,
  steps: readonly RevisionStep[],
  control: SourceControl,
): ControlStart | undefined {
  const lapsed = steps.findIndex(({ pushes, coverage, lapses }) =>
    [pushes, coverage, lapses[control]].some((reasons) => reasons.length > 0),
  );
  const revision = revisions[(lapsed === -1 ? revisions.length : lapsed) - 1];
  return revision && { revision: revision.after, at: revision.pushedAt, isBounded: lapsed === -1 && hasMore };
}
