import type { ProtectionRow, ProtectionSnapshot } from './change-rows.ts';
import { control } from './control.ts';
import { completeValue, type Fact, knownItems } from './facts.ts';
import type { SettingOf } from './parameters.ts';
import type { Reason } from './reasons.ts';
import { branches, isInScope } from './scope.ts';
import { HOUR_MS, parseTime, spanOfDay, type TimeSpan } from './times.ts';
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
  includesAdmins: { kind: 'switch', title: 'Administrators included', default: true, stricter: 'on' },
  freshness: {
    kind: 'number',
    title: 'Validity of a protection snapshot',
    unit: 'hours',
    default: 24,
    min: 1,
    max: 24,
    stricter: 'lower',
  },
} as const;

/**
 * A snapshot is in force until the next one, but no longer than the parameter permits. The day fails if any snapshot in
 * force is certainly below the setting. Everything else that could not be read is missing evidence.
 */
export const chg04 = control<ProtectionRow>()({
  id: 'CHG-04',
  title: 'Branch protection enforced',
  rule: 'Every branch in scope is protected as required throughout each day.',
  population: 'Every branch in scope on every completed day of the period, in UTC.',
  verdicts: {
    pass: 'Snapshots of the branch protection cover the whole day, and each has at least the required reviews, dismisses approvals on new pushes, blocks force pushes and deletion, and includes administrators, as far as required.',
    fail: 'A snapshot of the day is weaker than required.',
    missing_evidence:
      'At some time of the day the latest snapshot is older than allowed, the code host denied access to the branch protection, or does not report part of it.',
  },
  parameters,
  crosswalk: {
    soc2: ['CC8.1'],
    iso27001: ['A.8.9', 'A.8.32'],
    ssdf: ['PO.3', 'PS.1'],
    pci: ['6.5.1'],
    cis: ['4.1'],
    samm: ['I-SB'],
  },
  sources: ['protection'],
  happenedAt: ({ day }) => `${day}T00:00:00.000Z`,
  isInPopulation: (row, setting) => isInScope(row, setting.branches),
  evaluate: (row, setting) => {
    const day = spanOfDay(row.day);
    const freshness = setting.freshness * HOUR_MS;
    const points = snapshotsInForce(day, row.snapshots, freshness).map(({ snapshot, span }) => ({
      span,
      ...compareWithSetting(snapshot, setting),
    }));
    const broken = points.filter(({ below }) => below.length > 0);
    const isCovered = covers(day, knownItems(row.snapshots), freshness);
    return decideVerdict({
      failures: broken.flatMap(({ below }) => below),
      missing: [
        ...(completeValue(row.snapshots) === undefined ? (['protection_missing'] as const) : []),
        ...(isCovered ? [] : (['protection_stale'] as const)),
        ...points.flatMap(({ unknown }) => unknown),
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
function snapshotsInForce([from, to]: TimeSpan, snapshots: Fact<readonly ProtectionSnapshot[]>, freshness: number) {
  const all = inOrder(knownItems(snapshots)).filter(({ at }) => snapshots.state === 'complete' || at >= from);
  return all.flatMap(({ snapshot, at }, index) => {
    const span: TimeSpan = [Math.max(at, from), Math.min(all[index + 1]?.at ?? to, at + freshness, to) - 1];
    return span[0] <= span[1] ? [{ snapshot, span }] : [];
  });
}

/** Whether the newest snapshot was fresh at every moment of the day. */
function covers([from, to]: TimeSpan, snapshots: readonly ProtectionSnapshot[], freshness: number): boolean {
  let reached = from;
  for (const { at } of inOrder(snapshots)) {
    if (at <= reached) reached = Math.max(reached, at + freshness);
  }
  return reached >= to;
}

function compareWithSetting(
  snapshot: ProtectionSnapshot,
  setting: Setting,
): { below: readonly Reason[]; unknown: readonly Reason[] } {
  const reviews = completeValue(snapshot.requiredReviews);
  const rules: readonly (readonly [isKept: boolean | undefined, below: Reason])[] = [
    [reviews === undefined ? undefined : reviews >= setting.reviews, 'too_few_required_reviews'],
    [ifRequired(setting.dismissesStale, completeValue(snapshot.dismissesStaleReviews)), 'stale_approvals_kept'],
    [ifRequired(setting.noForcePush, not(completeValue(snapshot.allowsForcePush))), 'force_push_allowed'],
    [ifRequired(setting.noDeletion, not(completeValue(snapshot.allowsDeletion))), 'deletion_allowed'],
    [ifRequired(setting.includesAdmins, completeValue(snapshot.includesAdmins)), 'admins_exempt'],
  ];
  return {
    below: rules.filter(([isKept]) => isKept === false).map(([, below]) => below),
    unknown: rules.some(([isKept]) => isKept === undefined) ? ['protection_incomplete'] : [],
  };
}

/** A setting that is not required is satisfied, even if unknown. */
const ifRequired = (isAsked: boolean, isKept: boolean | undefined): boolean | undefined => !isAsked || isKept;

const not = (value: boolean | undefined): boolean | undefined => (value === undefined ? undefined : !value);
