import type { ProtectionRow, ProtectionSnapshot } from './change-rows.ts';
import { control } from './control.ts';
import { completeValue, type Fact, knownItems } from './facts.ts';
import type { SettingOf } from './parameters.ts';
import {
  PROTECTION_POLLING_MINUTES,
  PROTECTION_TOLERANCE_MINUTES,
  PROTECTION_VALID_MINUTES,
} from './protection-polling.ts';
import type { Reason } from './reasons.ts';
import { branches, scopeExclusionOf } from './scope.ts';
import { MINUTE_MS, parseTime, type TimeSpan } from './times.ts';
import { decideVerdict } from './verdicts.ts';
import { waiversCovering } from './waivers.ts';

const parameters = {
  branches,
  reviews: {
    kind: 'number',
    title: 'Minimum required reviews',
    unit: 'reviews',
    default: 1,
    min: 0,
    max: 6,
    stricter: 'higher',
  },
  dismissesStale: { kind: 'switch', title: 'New pushes dismiss approvals', default: true, stricter: 'on' },
  noForcePush: { kind: 'switch', title: 'Force pushes blocked', default: true, stricter: 'on' },
  noDeletion: { kind: 'switch', title: 'Branch deletion blocked', default: true, stricter: 'on' },
  includesAdmins: { kind: 'switch', title: 'No bypass by administrators or others', default: true, stricter: 'on' },
  checks: {
    kind: 'number',
    title: 'Minimum required checks',
    unit: 'checks',
    default: 1,
    min: 0,
    max: 50,
    stricter: 'higher',
  },
  bindsChecks: { kind: 'switch', title: 'Required checks name their app', default: false, stricter: 'on' },
} as const;

const validity = PROTECTION_VALID_MINUTES * MINUTE_MS;

/**
 * A snapshot is in force until the next one, but no longer than until the next reading was due. The day fails if any snapshot in
 * force is certainly below the setting. Everything else that could not be read is missing evidence.
 */
export const chg04 = control<ProtectionRow>()({
  id: 'CHG-04',
  title: 'Branch protection enforced',
  rule: 'Every branch in scope is protected as required throughout each day.',
  population:
    'Every branch in scope on every completed day of the period, in UTC, from the day after its repository was enabled first until it was disabled for good.',
  verdicts: {
    pass: 'Snapshots of the branch protection cover the whole day, and each has at least the required reviews, dismisses approvals on new pushes, blocks force pushes and deletion, has at least the required checks, each bound to an app, and lets neither administrators nor named users, teams or apps bypass it, as far as required.',
    fail: 'A snapshot of the day is weaker than required.',
    missing_evidence: `At some time of the day the latest snapshot is older than ${PROTECTION_VALID_MINUTES} minutes (the branch protection is read every ${PROTECTION_POLLING_MINUTES} minutes, and a reading may be ${PROTECTION_TOLERANCE_MINUTES} minutes late), the code host denied access to the branch protection, or does not report part of it, or the repository was disabled for a part of the day.`,
  },
  parameters,
  sources: ['protection', 'repositories'],
  policies: ['merge'],
  digest: 'counted',
  events: [],
  happenedAt: ({ day }) => `${day}T00:00:00.000Z`,
  excludedBy: (row, setting) => scopeExclusionOf(row, setting.branches),
  evaluate: (row, setting) => {
    const day: TimeSpan = [parseTime(`${row.day}T00:00:00.000Z`), parseTime(row.until)];
    const points = snapshotsInForce(day, row.snapshots).map(({ snapshot, span }) => ({
      span,
      ...compareWithSetting(snapshot, setting),
    }));
    const broken = points.filter(({ below }) => below.length > 0);
    const isCovered = covers(day, knownItems(row.snapshots));
    return decideVerdict({
      failures: broken.flatMap(({ below }) => below),
      missing: [
        ...(completeValue(row.snapshots) === undefined ? (['protection_missing'] as const) : []),
        ...(isCovered ? [] : (['protection_stale'] as const)),
        ...points.flatMap(({ unknown }) => unknown),
        ...(row.disabled.length > 0 ? (['repository_disabled'] as const) : []),
      ],
      passes: ['protected_all_day'],
      waivers: waiversCovering(
        row.waivers,
        broken.map(({ span }) => span),
      ),
    });
  },
});

type Setting = SettingOf<typeof parameters>;

const inOrder = (snapshots: readonly ProtectionSnapshot[]) =>
  snapshots.map((snapshot) => ({ snapshot, at: parseTime(snapshot.capturedAt) })).toSorted((a, b) => a.at - b.at);

/**
 * The snapshots in force during a day, each with its part of the day. If the list is incomplete, an earlier snapshot
 * may have been replaced, so only snapshots of the day itself count.
 */
function snapshotsInForce([from, to]: TimeSpan, snapshots: Fact<readonly ProtectionSnapshot[]>) {
  const all = inOrder(knownItems(snapshots)).filter(({ at }) => snapshots.state === 'complete' || at >= from);
  return all.flatMap(({ snapshot, at }, index) => {
    const span: TimeSpan = [Math.max(at, from), Math.min(all[index + 1]?.at ?? to, at + validity, to) - 1];
    return span[0] <= span[1] ? [{ snapshot, span }] : [];
  });
}

/** Whether the newest snapshot was valid at every moment of the day. */
function covers([from, to]: TimeSpan, snapshots: readonly ProtectionSnapshot[]): boolean {
  let reached = from;
  for (const { at } of inOrder(snapshots)) {
    if (at <= reached) reached = Math.max(reached, at + validity);
  }
  return reached >= to;
}

function compareWithSetting(
  snapshot: ProtectionSnapshot,
  setting: Setting,
): { below: readonly Reason[]; unknown: readonly Reason[] } {
  const reviews = completeValue(snapshot.requiredReviews);
  const checks = completeValue(snapshot.requiredCheckCount);
  const unbound = completeValue(snapshot.unboundChecks);
  const rules: readonly (readonly [isKept: boolean | undefined, below: Reason])[] = [
    [reviews === undefined ? undefined : reviews >= setting.reviews, 'too_few_required_reviews'],
    [ifRequired(setting.dismissesStale, completeValue(snapshot.dismissesStaleReviews)), 'stale_approvals_kept'],
    [ifRequired(setting.noForcePush, not(completeValue(snapshot.allowsForcePush))), 'force_push_allowed'],
    [ifRequired(setting.noDeletion, not(completeValue(snapshot.allowsDeletion))), 'deletion_allowed'],
    [ifRequired(setting.includesAdmins, completeValue(snapshot.includesAdmins)), 'admins_exempt'],
    [
      ifRequired(setting.checks > 0, checks === undefined ? undefined : checks >= setting.checks),
      'too_few_required_checks',
    ],
    [ifRequired(setting.bindsChecks, unbound === undefined ? undefined : unbound === 0), 'required_checks_unbound'],
  ];
  return {
    below: rules.filter(([isKept]) => isKept === false).map(([, below]) => below),
    unknown: rules.some(([isKept]) => isKept === undefined) ? ['protection_incomplete'] : [],
  };
}

/** A setting that is not required is satisfied, even if unknown. */
const ifRequired = (isAsked: boolean, isKept: boolean | undefined): boolean | undefined => !isAsked || isKept;

const not = (value: boolean | undefined): boolean | undefined => (value === undefined ? undefined : !value);
