import type { CheckRun, ChecksRow } from './change-rows.ts';
import { control } from './control.ts';
import { completeValue } from './facts.ts';
import type { Reason } from './reasons.ts';
import { branches, isInScope } from './scope.ts';
import { parseTime } from './times.ts';
import { decideVerdict } from './verdicts.ts';
import { waiversAt } from './waivers.ts';

const good = ['success', 'neutral', 'skipped'];

/**
 * Of several runs of a check on the head commit, the last completed one before the merge counts. If the head commit is
 * unknown, only a check that succeeded on no commit is a failure.
 */
export const chg05 = control<ChecksRow>()({
  id: 'CHG-05',
  title: 'Required checks passed before merge',
  rule: 'Every check required by the branch protection passed on the merged commit before the merge.',
  population: 'Every pull request merged into a branch in scope in the period.',
  verdicts: {
    pass: 'Each required check ended as success, neutral or skipped on the head commit before the merge, or none was required.',
    fail: 'A required check failed, did not run, or ended later.',
    missing_evidence: 'The required checks, their results or the head commit are unknown.',
  },
  parameters: { branches },
  crosswalk: {
    soc2: ['CC8.1'],
    iso27001: ['A.8.29', 'A.8.32'],
    ssdf: ['PO.4', 'PW.8'],
    pci: ['6.5.1'],
    cis: ['16.12'],
    samm: ['I-SB'],
  },
  sources: ['pull_requests', 'protection', 'checks'],
  happenedAt: ({ mergedAt }) => mergedAt,
  isInPopulation: (row, setting) => isInScope(row, setting.branches),
  evaluate: (row) =>
    decideVerdict({
      failures: failuresOf(row),
      missing: [
        ...(completeValue(row.requiredChecks) === undefined ? (['required_checks_unknown'] as const) : []),
        ...(completeValue(row.checks) === undefined ? (['checks_missing'] as const) : []),
        ...(completeValue(row.headSha) === undefined ? (['head_unknown'] as const) : []),
      ],
      passes: [completeValue(row.requiredChecks)?.length === 0 ? 'no_checks_required' : 'required_checks_passed'],
      waivers: waiversAt(row.waivers, row.mergedAt),
    }),
});

function failuresOf(row: ChecksRow): readonly Reason[] {
  const [checks, head] = [completeValue(row.checks), completeValue(row.headSha)];
  if (checks === undefined) return [];
  const merged = parseTime(row.mergedAt);
  // An incomplete list still contains required checks.
  const required = row.requiredChecks.state === 'missing' ? [] : row.requiredChecks.value;
  return required.flatMap((name) => {
    const runs = checks.filter((check) => check.name === name);
    if (head !== undefined) {
      return faultOf(
        runs.filter(({ sha }) => sha === head),
        merged,
      );
    }
    const faults = [...new Set(runs.map(({ sha }) => sha))].map((sha) =>
      faultOf(
        runs.filter((run) => run.sha === sha),
        merged,
      ),
    );
    if (faults.length === 0) return ['required_check_missing'];
    return faults.every((fault) => fault.length > 0) ? faults.flat() : [];
  });
}

/** The failures of one check on one commit at the time of the merge. */
function faultOf(runs: readonly CheckRun[], merged: number): readonly Reason[] {
  const over = runs.flatMap(({ completedAt, conclusion }) => {
    const at = completedAt === null ? undefined : parseTime(completedAt);
    return at !== undefined && at <= merged ? [{ at, isGood: conclusion !== null && good.includes(conclusion) }] : [];
  });
  if (over.length === 0) return [runs.length === 0 ? 'required_check_missing' : 'required_check_late'];
  const last = Math.max(...over.map(({ at }) => at));
  return over.every(({ at, isGood }) => at < last || isGood) ? [] : ['required_check_failed'];
}
