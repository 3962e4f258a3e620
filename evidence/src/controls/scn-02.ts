import { control } from './control.ts';
import { completeValue, knownItems } from './facts.ts';
import type { Reason } from './reasons.ts';
import type { FreshnessRow } from './rows.ts';
import { DAY_MS, parseTime } from './times.ts';
import { decideVerdict } from './verdicts.ts';
import { waiversAt } from './waivers.ts';

/**
 * One successful scan is sufficient if the list of scans is complete. A failure also requires that the integration was
 * active and the repository was enabled for the maximum scan age.
 */
export const scn02 = control<FreshnessRow>()({
  id: 'SCN-02',
  title: 'Repositories scanned regularly',
  rule: 'The default branch of every repository is scanned at least once within the maximum scan age before the end of each week.',
  population:
    'Every repository in every completed week of the period, until it was disabled for good. A time in which it was disabled in between excludes no week.',
  verdicts: {
    pass: 'A scan of the default branch succeeded within the maximum scan age at the end of the week.',
    fail: 'No scan of the default branch succeeded within the maximum scan age.',
    missing_evidence:
      'The repository was enabled for fewer days or was disabled within these days, the scanner integration was inactive, or its runs are unknown.',
  },
  parameters: {
    freshness: {
      kind: 'number',
      title: 'Maximum scan age',
      unit: 'days',
      default: 7,
      min: 1,
      max: 31,
      stricter: 'lower',
    },
  },
  sources: ['scans', 'repositories'],
  policies: ['scan-freshness'],
  digest: 'counted',
  events: ['vulnerability'],
  happenedAt: ({ weekStart }) => weekStart,
  evaluate: (row, setting) => {
    const end = parseTime(row.weekEnd);
    const start = end - setting.freshness * DAY_MS;
    const isFresh =
      completeValue(row.scans) !== undefined &&
      knownItems(row.scans).some(
        ({ state, finishedAt }) => state === 'ok' && parseTime(finishedAt) >= start && parseTime(finishedAt) <= end,
      );
    const missing: readonly Reason[] = isFresh
      ? []
      : [
          ...(parseTime(row.enabledAt) > start ? (['enabled_recently'] as const) : []),
          ...(row.disabled.some(({ to }) => parseTime(to) > start) ? (['repository_disabled'] as const) : []),
          ...(completeValue(row.integration) === 'inactive' ? (['scanner_not_configured'] as const) : []),
          ...(completeValue(row.integration) === undefined ? (['scanner_unknown'] as const) : []),
          ...(completeValue(row.scans) === undefined ? (['scans_missing'] as const) : []),
        ];
    return decideVerdict({
      failures: isFresh || missing.length > 0 ? [] : ['scan_too_old'],
      missing,
      passes: ['scan_fresh'],
      waivers: waiversAt(row.waivers, row.weekEnd),
    });
  },
});
