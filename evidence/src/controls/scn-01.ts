import { control } from './control.ts';
import { completeValue, knownItems } from './facts.ts';
import type { Reason } from './reasons.ts';
import type { ScannedRow } from './rows.ts';
import { branches, scopeExclusionOf } from './scope.ts';
import { HOUR_MS, parseTime } from './times.ts';
import { decideVerdict } from './verdicts.ts';
import { waiversCovering } from './waivers.ts';

/**
 * One successful scan of the head commit or the merged commit is sufficient if the list of scans is complete. A failure
 * also requires that both commits are known, the limit has passed, and the scanner is configured and works.
 */
export const scn01 = control<ScannedRow>()({
  id: 'SCN-01',
  title: 'Changes scanned at merge',
  rule: 'Every merge is scanned before it or within the limit after it.',
  population: 'Every pull request merged in the period into a branch in scope of a repository with a required scanner.',
  verdicts: {
    pass: 'A scan of the head commit or the merged commit succeeded within the limit after the merge.',
    fail: 'No scan succeeded within the limit, although the scanner works.',
    missing_evidence:
      'The scanner failed or is not configured, its runs or the commits are unknown, or the limit has not passed.',
  },
  parameters: {
    branches,
    within: {
      kind: 'number',
      title: 'Limit after the merge',
      unit: 'hours',
      default: 24,
      min: 0,
      max: 168,
      stricter: 'lower',
    },
  },
  sources: ['pull_requests', 'scans'],
  policies: ['scan-freshness'],
  digest: 'counted',
  events: ['merge'],
  happenedAt: ({ mergedAt }) => mergedAt,
  excludedBy: (row, setting) => scopeExclusionOf(row, setting.branches),
  evaluate: (row, setting) => {
    const due = parseTime(row.mergedAt) + setting.within * HOUR_MS;
    const shas = [completeValue(row.headSha), completeValue(row.mergeSha)];
    const runs = knownItems(row.scans).filter(
      ({ sha, finishedAt }) => shas.includes(sha) && parseTime(finishedAt) <= due,
    );
    const isScanned = completeValue(row.scans) !== undefined && runs.some(({ state }) => state === 'ok');
    const missing = isScanned
      ? []
      : missingOf(
          row,
          runs.some(({ state }) => state !== 'ok'),
          due,
        );
    return decideVerdict({
      failures: isScanned || missing.length > 0 ? [] : ['not_scanned'],
      missing,
      passes: ['scanned'],
      waivers: waiversCovering(row.waivers, [[due, due]]),
    });
  },
});

function missingOf(row: ScannedRow, didFail: boolean, due: number): readonly Reason[] {
  const scanner = completeValue(row.scanner);
  return [
    ...(scanner === undefined ? (['scanner_unknown'] as const) : []),
    ...(scanner === 'failing' || didFail ? (['scanner_failing'] as const) : []),
    ...(scanner === 'not_configured' ? (['scanner_not_configured'] as const) : []),
    ...(completeValue(row.scans) === undefined ? (['scans_missing'] as const) : []),
    ...(completeValue(row.headSha) === undefined ? (['head_unknown'] as const) : []),
    ...(completeValue(row.mergeSha) === undefined ? (['merge_commit_unknown'] as const) : []),
    ...(parseTime(row.evaluatedAt) < due ? (['time_not_over'] as const) : []),
  ];
}
