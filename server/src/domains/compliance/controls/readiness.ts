import type { FrameworkReadiness } from '@sightline/contract/compliance/control-runs.ts';
import { type ControlId, controlIds } from '@sightline/contract/core/control-ids.ts';
import { type Period, parsePeriod, quarterOf } from '@sightline/contract/core/periods.ts';
import { type TrendDays, trendIntervals } from '@sightline/contract/core/trends.ts';
import { type FrameworkId, frameworks } from '@sightline/evidence/controls/crosswalk.ts';
import type { Tx } from '#database/database.ts';
import { controlOf } from './catalog.ts';
import { trendOf } from './runs.ts';

type Trends = Awaited<ReturnType<typeof trendOf>>;

/** Returns how many applicable controls of each framework passed, on the days of stored evaluations. */
export async function listReadiness(tx: Tx, orgId: string, days: TrendDays): Promise<FrameworkReadiness[]> {
  const shown = trendIntervals(new Date(), { days, interval: 'day' });
  const quarters: { days: string[]; trends: Trends }[] = [];
  for (const [quarter, ofQuarter] of Map.groupBy(shown, (day) => quarterOf(new Date(day)))) {
    const trends = await trendOf(tx, orgId, parsePeriod(quarter) as Period, controlIds);
    const evaluated = new Set([...trends.values()].flatMap((points) => points.map(({ day }) => day)));
    quarters.push({ days: ofQuarter.filter((day) => evaluated.has(day)), trends });
  }
  return (Object.keys(frameworks) as FrameworkId[]).map((framework) => {
    const controls = controlIds.filter((id) => (controlOf(id).crosswalk[framework] ?? []).length > 0);
    return {
      framework: frameworks[framework],
      points: quarters.flatMap(({ days, trends }) => days.map((day) => readinessOn(day, controls, trends))),
    };
  });
}

function readinessOn(
  day: string,
  controls: readonly ControlId[],
  trends: Trends,
): FrameworkReadiness['points'][number] {
  const statuses = controls.map((id) => trends.get(id)?.findLast((point) => point.day <= day)?.status);
  const applicable = statuses.filter((status) => status !== undefined && status !== 'not_applicable');
  return {
    day,
    passing: applicable.filter((status) => status === 'passing').length,
    applicable: applicable.length,
  };
}
