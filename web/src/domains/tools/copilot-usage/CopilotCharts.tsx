import type { CopilotCount, CopilotUsage } from '@sightline/contract/tools/copilot-usage.ts';
import { Chart } from '#ui/charts/Chart.tsx';
import { type ChartData, type ChartSeries, valueText } from '#ui/charts/chart.ts';
import s from './CopilotUsage.module.css';
import { countLabels } from './copilotTexts.ts';

type Days = CopilotUsage['days'];
type Line = readonly [CopilotCount, string];

const charts: readonly { title: string; lines: readonly Line[]; isSum: boolean }[] = [
  {
    title: 'Active users',
    isSum: false,
    lines: [
      ['dailyUsers', 'var(--ui-blue-bar)'],
      ['weeklyUsers', 'var(--ui-green-bar)'],
      ['monthlyUsers', 'var(--ui-purple-bar)'],
    ],
  },
  {
    title: 'Generations and acceptances',
    isSum: true,
    lines: [
      ['generations', 'var(--ui-blue-bar)'],
      ['acceptances', 'var(--ui-green-bar)'],
      ['interactions', 'var(--ui-purple-bar)'],
    ],
  },
  {
    title: 'Lines of code',
    isSum: true,
    lines: [
      ['linesSuggested', 'var(--ui-blue-bar)'],
      ['linesAdded', 'var(--ui-green-bar)'],
      ['linesDeleted', 'var(--ui-red-bar)'],
    ],
  },
  {
    title: 'Pull requests of Copilot',
    isSum: true,
    lines: [
      ['pullRequestsCreated', 'var(--ui-blue-bar)'],
      ['pullRequestsMerged', 'var(--ui-green-bar)'],
      ['pullRequestsReviewed', 'var(--ui-purple-bar)'],
    ],
  },
];

/** The days as charts, each with its table. A line breaks at a day without a report. */
export const CopilotCharts = ({ days }: { days: Days }) => (
  <div className={s.charts}>
    {charts.map(({ title, lines, isSum }) => (
      <Chart
        key={title}
        title={title}
        kind="lines"
        data={chartOf(days, lines, isSum)}
        failure={null}
        onRetry={() => undefined}
        empty="GitHub reports none in this period."
      />
    ))}
  </div>
);

function chartOf(days: Days, lines: readonly Line[], isSum: boolean): ChartData {
  const byDay = new Map(days.map(({ day, counts }) => [day, counts]));
  return {
    unit: 'count',
    interval: 'day',
    points: everyDay(days).map((day) => ({
      day,
      values: Object.fromEntries(lines.map(([key]) => [key, byDay.get(day)?.[key] ?? null])),
    })),
    series: lines.map(([key, color]): ChartSeries => {
      const values = days.flatMap(({ counts }) => counts[key] ?? []);
      const total = isSum ? values.reduce((sum, value) => sum + value, 0) : values.at(-1);
      return {
        key,
        label: countLabels[key],
        color,
        ...(values.length > 0 && { total: valueText(total, 'count') }),
      };
    }),
  };
}

const DAY_MS = 86_400_000;

/** Every day from the first to the last report. */
function everyDay(days: Days): string[] {
  const [first, last] = [Date.parse(days[0]?.day ?? ''), Date.parse(days.at(-1)?.day ?? '')];
  if (Number.isNaN(first) || Number.isNaN(last)) return [];
  return Array.from({ length: (last - first) / DAY_MS + 1 }, (_, index) =>
    new Date(first + index * DAY_MS).toISOString().slice(0, 10),
  );
}
