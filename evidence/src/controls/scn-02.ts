import { control } from './control.ts';
import { excusesAt } from './excuses.ts';
import { told, whole } from './known.ts';
import type { Reason } from './reasons.ts';
import type { FreshnessRow } from './rows.ts';
import { day, timeOf } from './times.ts';
import { settle } from './verdicts.ts';

/**
 * A run that is known is enough. That there was none is certain only where all runs are known, the integration was active, and
 * the repository had been enabled for as long as a run may be old.
 */
export const scn02 = control<FreshnessRow>()({
  id: 'SCN-02',
  title: 'Repositories scanned regularly',
  rule: 'The default branch of every repository is scanned at least once in the days before the end of each week.',
  population: 'Every enabled repository in every completed week of the period.',
  verdicts: {
    pass: 'A scan of the default branch succeeded within the configured days before the end of the week.',
    exception: 'No scan succeeded.',
    gap: 'The repository was enabled for fewer days, the scanner integration was inactive, or its runs are unknown.',
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
  crosswalk: {
    soc2: ['CC7.1'],
    iso27001: ['A.8.8', 'A.8.29'],
    ssdf: ['RV.1'],
    pci: ['6.3.1'],
    cis: ['16.12'],
    samm: ['V-ST'],
  },
  sources: ['scans'],
  happenedAt: ({ weekStart }) => weekStart,
  belongs: () => true,
  judge: (row, setting) => {
    const end = timeOf(row.weekEnd);
    const start = end - setting.freshness * day;
    const isFresh =
      whole(row.scans) !== undefined &&
      told(row.scans).some(
        ({ state, finishedAt }) => state === 'ok' && timeOf(finishedAt) >= start && timeOf(finishedAt) <= end,
      );
    const gaps: readonly Reason[] = isFresh
      ? []
      : [
          ...(timeOf(row.enabledAt) > start ? (['enabled_lately'] as const) : []),
          ...(whole(row.integration) === 'inactive' ? (['scanner_not_configured'] as const) : []),
          ...(whole(row.integration) === undefined ? (['scanner_unknown'] as const) : []),
          ...(whole(row.scans) === undefined ? (['scans_missing'] as const) : []),
        ];
    return settle({
      exceptions: isFresh || gaps.length > 0 ? [] : ['scan_too_old'],
      gaps,
      passes: ['scan_fresh'],
      excuses: excusesAt(row.approved, row.weekEnd),
    });
  },
});
