import type { CheckRun, ChecksRow } from './change-rows.ts';
import { control } from './control.ts';
import { completeValue, knownItems } from './facts.ts';
import { PROTECTION_VALID_MINUTES } from './protection-polling.ts';
import type { Reason } from './reasons.ts';
import { branches, scopeExclusionOf } from './scope.ts';
import { parseTime } from './times.ts';
import { decideVerdict } from './verdicts.ts';
import { waiversAt } from './waivers.ts';

/** A skipped check did not run. */
const good = ['success', 'neutral'];

/**
 * Of several runs of a check on the head commit, the last completed one of each app before the merge counts. If the head
 * commit is unknown, only a check that succeeded on no commit is a failure.
 */
export const chg05 = control<ChecksRow>()({
  id: 'CHG-05',
  title: 'Required checks passed before merge',
  rule: 'Every check required by the branch protection passed on the merged commit before the merge.',
  population:
    'Every pull request merged into a branch in scope in the period whose branch protection required a check. Without a required check the control is not applicable, and CHG-04 reports the branch.',
  verdicts: {
    pass: 'Each required check ended as success or neutral on the head commit before the merge, for every app that reported it, and was reported by the app that the branch protection names.',
    fail: `A required check failed, was skipped, did not run, ended later, or was reported only by another app; or a check that a snapshot within ${PROTECTION_VALID_MINUTES} minutes before the merge required was no longer required at the merge.`,
    missing_evidence:
      'The required checks, the apps that must report them, their results or the head commit are unknown; or a commit status may come from the required app.',
  },
  parameters: { branches },
  sources: ['pull_requests', 'protection', 'checks'],
  policies: ['merge'],
  digest: 'flagged',
  events: ['merge'],
  happenedAt: ({ mergedAt }) => mergedAt,
  isApplicable: (row) => !requiresNoCheck(row),
  excludedBy: (row, setting) => scopeExclusionOf(row, setting.branches),
  evaluate: (row) => {
    const faults = faultsIn(row);
    return decideVerdict({
      failures: [
        ...faults.flatMap(({ failures }) => failures),
        ...(row.disabledChecks.length > 0 ? (['required_check_disabled'] as const) : []),
      ],
      missing: [
        ...(faults.some(({ isUnknown }) => isUnknown) ? (['check_reporter_unknown'] as const) : []),
        ...(completeValue(row.requiredChecks) === undefined || completeValue(row.requiredApps) === undefined
          ? (['required_checks_unknown'] as const)
          : []),
        ...(completeValue(row.checks) === undefined ? (['checks_missing'] as const) : []),
        ...(completeValue(row.headSha) === undefined ? (['head_unknown'] as const) : []),
      ],
      passes: ['required_checks_passed'],
      waivers: waiversAt(row.waivers, row.mergedAt),
    });
  },
});

/** A verifier knows only the part of a row that its ledger entry contains. */
const requiresNoCheck = ({
  requiredChecks,
  disabledChecks = [],
}: Pick<ChecksRow, 'requiredChecks'> & Partial<ChecksRow>) =>
  completeValue(requiredChecks)?.length === 0 && disabledChecks.length === 0;

interface CheckFault {
  readonly failures: readonly Reason[];
  /** Whether a commit status may come from the required app. */
  readonly isUnknown: boolean;
}
const failing = (...failures: readonly Reason[]): CheckFault => ({ failures, isUnknown: false });
const unknownReporter: CheckFault = { failures: [], isUnknown: true };

function faultsIn(row: ChecksRow): readonly CheckFault[] {
  const [checks, head] = [completeValue(row.checks), completeValue(row.headSha)];
  if (checks === undefined) return [];
  const merged = parseTime(row.mergedAt);
  const apps = knownItems(row.requiredApps);
  const areAppsKnown = completeValue(row.requiredApps) !== undefined;
  return knownItems(row.requiredChecks).map((name) => {
    const runs = checks.filter((check) => check.name === name);
    const app = apps.find((one) => one.name === name)?.app;
    const faultOn = (sha: string) =>
      certainFaultOf(
        runs.filter((run) => run.sha === sha),
        { merged, app, isAppKnown: areAppsKnown || app !== undefined },
      );
    if (head !== undefined) return faultOn(head);
    const faults = [...new Set(runs.map(({ sha }) => sha))].map(faultOn);
    if (faults.length === 0) return failing('required_check_missing');
    if (faults.every(({ failures }) => failures.length > 0)) return failing(...faults.flatMap((one) => one.failures));
    return failing();
  });
}

/** No app has this ID. */
const OTHER_APP = '';

/**
 * The fault of one check on one commit at the time of the merge. If it is unknown which app must report the check, only
 * a failure for every app is certain.
 */
function certainFaultOf(
  runs: readonly CheckRun[],
  { merged, app, isAppKnown }: { merged: number; app: string | undefined; isAppKnown: boolean },
): CheckFault {
  const fault = faultOf(runs, { merged, app });
  if (isAppKnown) return fault;
  const possibleApps = new Set([...runs.flatMap((run) => run.app ?? []), OTHER_APP]);
  return [...possibleApps].every((one) => faultOf(runs, { merged, app: one }).failures.length > 0) ? fault : failing();
}

function faultOf(runs: readonly CheckRun[], { merged, app }: { merged: number; app: string | undefined }): CheckFault {
  if (runs.length === 0) return failing('required_check_missing');
  const accepted = app === undefined ? runs : runs.filter((run) => run.app === app);
  if (accepted.length === 0) {
    return runs.some((run) => run.app === null) ? unknownReporter : failing('required_check_by_other_app');
  }
  const completed = accepted.flatMap(({ app: by, completedAt, conclusion }) => {
    const at = completedAt === null ? undefined : parseTime(completedAt);
    return at !== undefined && at <= merged
      ? [{ by, at, isGood: conclusion !== null && good.includes(conclusion) }]
      : [];
  });
  if (completed.length === 0) return failing('required_check_late');
  // A code host requires the results of all reporters of one name. A status does not replace the run of an app.
  const isEveryLastGood = completed.every(
    ({ by, at, isGood }) => isGood || completed.some((other) => other.by === by && other.at > at),
  );
  return isEveryLastGood ? failing() : failing('required_check_failed');
}
