import { assessApproval } from '../controls/approval.ts';
import type { ChangeRow, ChecksRow } from '../controls/change-rows.ts';
import { chg05 } from '../controls/chg-05.ts';
import { completeValue, type Fact } from '../controls/facts.ts';
import { defaultsOf } from '../controls/parameters.ts';
import { PROTECTION_VALID_MINUTES } from '../controls/protection-polling.ts';
import { MINUTE_MS, parseTime } from '../controls/times.ts';
import {
  type BranchHistory,
  type ControlStart,
  type RevisionStep,
  type SourceControl,
  snapshotAt,
  sourceControls,
  startOfControl,
  stepsOf,
} from './branch-history.ts';
import { kindOfReason, type SourceReason } from './reasons.ts';
import { type SourceLevel, type SourceRequirementId, sourceRequirements } from './requirements.ts';

/** The recorded facts about a revision of a branch. */
export interface RevisionFacts {
  readonly mergedAt: string;
  /** The end of observation: the merge, or the later snapshot that it triggered. */
  readonly observedUntil: string;
  /** When the first version of the record was written. */
  readonly recordedAt: string;
  readonly mergeSha: Fact<string>;
  readonly change: ChangeRow;
  readonly checks: ChecksRow;
  readonly history: BranchHistory;
  /** Whether each other change of the same push has an independent approval. */
  readonly otherApprovals: readonly ('yes' | 'no' | 'unknown')[];
  /** Whether every commit of the push came by a merged pull request. */
  readonly cameByPullRequests: Fact<boolean>;
}

interface AssessedRequirement {
  readonly id: SourceRequirementId;
  readonly level: Exclude<SourceLevel, 0>;
  readonly state: 'met' | 'unmet' | 'unknown';
  readonly reasons: readonly SourceReason[];
}

export interface RevisionAssessment {
  /** The highest level whose requirements, and those of all lower levels, are met. */
  readonly level: SourceLevel;
  readonly requirements: readonly AssessedRequirement[];
  /** Why the change certainly broke a rule that the branch protection required at its merge; empty: it did not. */
  readonly violations: readonly SourceReason[];
  /** Whether the change was reviewed by two parties, whether or not the branch required it. */
  readonly isTwoPartyReviewed: boolean;
  /** Since which revision each control was continuously in force; undefined: it was not. */
  readonly controls: Readonly<Record<SourceControl, ControlStart | undefined>>;
}

/** Derives the SLSA source level of a revision from recorded facts alone. */
export function assessRevision(facts: RevisionFacts): RevisionAssessment {
  const steps = stepsOf(facts.history, facts.observedUntil);
  const reasons = reasonsOf(facts, steps[0]);
  const requirements = sourceRequirements.map(({ id, level }): AssessedRequirement => {
    const found = [...new Set(reasons[id])].sort();
    const state = found.length === 0 ? 'met' : found.some((one) => kindOfReason(one) === 'fail') ? 'unmet' : 'unknown';
    return { id, level, state, reasons: found };
  });
  const isMet = (level: SourceLevel) => requirements.every((one) => one.level > level || one.state === 'met');
  const violations = conformity(facts).filter((reason) => kindOfReason(reason) === 'fail');
  return {
    level: ([4, 3, 2, 1] as const).find(isMet) ?? 0,
    requirements,
    violations: [...new Set(violations)].sort(),
    isTwoPartyReviewed: twoPartyReview(facts).length === 0,
    controls: Object.fromEntries(
      sourceControls.map((control) => [control, startOfControl(facts.history, steps, control)]),
    ) as RevisionAssessment['controls'],
  };
}

function reasonsOf(
  facts: RevisionFacts,
  { pushes, coverage, lapses }: RevisionStep,
): Readonly<Record<SourceRequirementId, readonly SourceReason[]>> {
  const { history, mergedAt, recordedAt, mergeSha } = facts;
  const delay = parseTime(recordedAt) - parseTime(mergedAt);
  const unobserved = [...pushes.filter((reason) => kindOfReason(reason) !== 'fail'), ...coverage];
  return {
    'choose-scs': [],
    'repository-ids': [],
    'revision-ids': completeValue(mergeSha) === undefined ? ['merge_commit_unknown'] : [],
    'human-readable-diff': [],
    'source-summary': [],
    'access-and-history': [...lapses.history, ...lapses.tags],
    'safe-expunging-process': pushes,
    history: [...pushes, ...lapses.history],
    continuity: [...pushes, ...coverage, ...lapses.history, ...lapses.tags],
    'identity-management': history.revisions[0]?.pusher == null ? ['pusher_unknown'] : [],
    'source-provenance': delay > PROTECTION_VALID_MINUTES * MINUTE_MS ? ['recorded_late'] : [],
    'technical-controls': [...unobserved, ...lapses.technical, ...conformity(facts)],
    'protected-refs': protectionAt(facts),
    'two-party-review': [...unobserved, ...lapses.review, ...twoPartyReview(facts)],
  };
}

/** Why the settings of the branch at the merge are not fully known. */
function protectionAt(facts: RevisionFacts): readonly SourceReason[] {
  const snapshot = snapshotAtMerge(facts);
  if (!snapshot) return ['protection_missing'];
  const { requiredReviews, requiredCheckCount, includesAdmins } = snapshot;
  const isKnown = [requiredReviews, requiredCheckCount, includesAdmins].every(({ state }) => state === 'complete');
  return isKnown ? [] : ['protection_incomplete'];
}

/** The snapshot that was valid at the merge, else the one that it triggered. */
const snapshotAtMerge = ({ history: { snapshots }, mergedAt, observedUntil }: RevisionFacts) =>
  snapshotAt(snapshots, mergedAt) ?? snapshotAt(snapshots, observedUntil);

/** Why the change did not meet, or may not have met, the reviews and checks that were required at its merge. */
function conformity(facts: RevisionFacts): readonly SourceReason[] {
  const { change, checks } = facts;
  const snapshot = snapshotAtMerge(facts);
  const reviews = snapshot && completeValue(snapshot.requiredReviews);
  const approval = reviews ? assessApproval(change, reviews) : { failures: [], missing: [] };
  const setting = defaultsOf(chg05.parameters);
  const result = chg05.isApplicable(checks) ? chg05.evaluate(checks, setting) : undefined;
  return [...approval.failures, ...approval.missing, ...(result && result.verdict !== 'pass' ? result.reasons : [])];
}

/** Why two parties did not review the change, or may not have. */
function twoPartyReview({ change, otherApprovals, cameByPullRequests }: RevisionFacts): readonly SourceReason[] {
  const { failures, missing } = assessApproval(change, 1);
  const isMerged = completeValue(cameByPullRequests);
  return [
    ...failures,
    ...missing,
    ...(isMerged === undefined ? (['merge_method_unknown'] as const) : isMerged ? [] : (['direct_push'] as const)),
    ...(otherApprovals.includes('no') ? (['other_change_unapproved'] as const) : []),
    ...(otherApprovals.includes('unknown') ? (['other_change_unknown'] as const) : []),
  ];
}
