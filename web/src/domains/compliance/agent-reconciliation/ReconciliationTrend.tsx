import {
  getReconciliationTrend,
  type ReconciledAgentsQuery,
  type ReconciliationTrend as Trend,
} from '@sightline/contract/compliance/agent-reconciliation.ts';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { endpointQuery } from '#lib/api.ts';
import { Chart } from '#ui/charts/Chart.tsx';
import { type ChartData, valueText } from '#ui/charts/chart.ts';
import { costText, reconciliationBadges, withoutCostText } from '#ui/reconciliationTexts.ts';
import s from './AgentReconciliation.module.css';

const shown = [
  ['declared_and_observed', 'var(--ui-green-bar)'],
  ['declared_only', 'var(--ui-orange-bar)'],
  ['observed_only', 'var(--ui-purple-bar)'],
  ['missing_evidence', 'var(--ui-gray-bar)'],
] as const;

type TrendFilter = Pick<ReconciledAgentsQuery, 'agent' | 'model' | 'person' | 'repository'>;

/** Agents of merged changes by week and status, and the cost per merged change. */
export function ReconciliationTrend({ filter }: { filter: TrendFilter }) {
  const { agent, model, person, repository } = filter;
  const { data, error, refetch } = useQuery({
    ...endpointQuery(getReconciliationTrend, { query: { days: 90, agent, model, person, repository } }),
    placeholderData: keepPreviousData,
    meta: { quiet: true },
  });
  return (
    <div className={s.trend}>
      <Chart
        title="Agents of merged changes"
        level={2}
        kind="bars"
        data={data && chartOf(data)}
        failure={error}
        onRetry={() => void refetch()}
        empty="No change with an agent was merged in the last 90 days."
      />
      {data && <p className={s.note}>{costsText(data)}</p>}
    </div>
  );
}

function chartOf({ points }: Trend): ChartData {
  return {
    unit: 'count',
    interval: 'week',
    points: points.map(({ day, counts }) => ({ day, values: counts })),
    series: shown.map(([key, color]) => ({
      key,
      label: reconciliationBadges[key][1],
      color,
      total: valueText(
        points.reduce((sum, { counts }) => sum + counts[key], 0),
        'count',
      ),
    })),
  };
}

/** Adds the weeks: a session counts in each week with a change that it is joined to. */
function costsText({ points }: Trend): string {
  const known = points.flatMap(({ cost, changes }) => (cost === null ? [] : [{ cost, changes }]));
  const without = points.reduce((sum, { sessionsWithoutCost }) => sum + sessionsWithoutCost, 0);
  const changes = known.reduce((sum, one) => sum + one.changes, 0);
  const cost = known.reduce((sum, one) => sum + one.cost, 0);
  const said =
    changes === 0
      ? 'No observed session of the last 90 days reports a cost.'
      : `Cost per merged change with observed sessions, last 90 days: ${costText(cost / changes)}.`;
  return without === 0 ? said : `${said} ${withoutCostText(without)}.`;
}
