import { Button, Checkbox, Select } from '@mantine/core';
import {
  type EventChart as Chart,
  chartKinds,
  type GroupField,
  MAX_GROUPS,
} from '@sightline/contract/timeline/event-charts.ts';
import { exportEventChart } from '@sightline/contract/timeline/event-groups.ts';
import { useState } from 'react';
import { useExport } from '#lib/use-export.ts';
import { toast } from '#ui/toast.ts';
import { chartNames, groupChoices } from './chartNames.ts';
import s from './EventChart.module.css';
import type { TimelineQuery } from './exploreQuery.ts';
import { GroupsChart } from './GroupsChart.tsx';
import { WeekChart } from './WeekChart.tsx';

interface EventChartProps {
  question: TimelineQuery;
  chart: Chart;
  onChart: (chart: Chart | null) => void;
  /** Changes the query. */
  onQuery: (query: string) => void;
}

/** A chart of the events of the query: totals or lines of groups, or hours of the week, with the same data as a table. */
export function EventChart({ question, chart, onChart, onQuery }: EventChartProps) {
  const [isTable, setIsTable] = useState(false);
  const exporting = useExport(exportEventChart, () => toast.success('The numbers of the chart were exported.'));
  const { context, query, offset } = question;
  const shown = { question, chart, isTable, onQuery };
  return (
    <section className={s.figure} aria-label="Chart">
      <div className={s.head}>
        <Select
          aria-label="Chart"
          w={172}
          allowDeselect={false}
          data={chartKinds.map((kind) => ({ value: kind, label: chartNames[kind] }))}
          value={chart.kind}
          onChange={(kind) => onChange({ kind: chartKinds.find((one) => one === kind) ?? chart.kind })}
        />
        {chart.kind !== 'hours' && (
          <>
            <Select
              aria-label="Group by"
              w={172}
              allowDeselect={false}
              searchable
              maxDropdownHeight={320}
              data={groupChoices.map(({ value, label }) => ({
                value,
                label: `By ${label.replace(/^[A-Z](?=[a-z])/, (first) => first.toLowerCase())}`,
              }))}
              value={chart.by}
              onChange={(by) => by !== null && onChange({ by: by as GroupField })}
            />
            <Select
              aria-label="Number of groups"
              w={96}
              allowDeselect={false}
              data={[5, 10, MAX_GROUPS].map((top) => ({ value: String(top), label: `Top ${top}` }))}
              value={String(chart.top)}
              onChange={(top) => onChange({ top: Number(top) })}
            />
          </>
        )}
        <Checkbox
          label="Compare with the previous period"
          checked={chart.compare}
          onChange={({ currentTarget }) => onChange({ compare: currentTarget.checked })}
        />
        <span className={s.actions}>
          <Button variant="subtle" size="compact-sm" onClick={() => setIsTable(!isTable)}>
            {isTable ? 'Show chart' : 'Show table'}
          </Button>
          <Button
            variant="subtle"
            size="compact-sm"
            loading={exporting.state !== undefined && exporting.state.failure === undefined}
            onClick={() =>
              exporting.start({ body: { ...(context !== undefined && { context }), query, offset, ...chart } })
            }
          >
            CSV<span className="vh"> of this chart</span>
          </Button>
          <Button variant="subtle" size="compact-sm" onClick={() => onChart(null)}>
            Hide chart
          </Button>
        </span>
      </div>
      {exporting.state?.failure !== undefined && (
        <p className={s.failure} role="alert">
          The export failed. {exporting.state.failure}{' '}
          <Button variant="subtle" size="compact-sm" onClick={exporting.retry}>
            Try again
          </Button>
        </p>
      )}
      {/* Groups of another field must not stay until those of this one are loaded. */}
      {chart.kind === 'hours' ? <WeekChart {...shown} /> : <GroupsChart key={chart.by} {...shown} />}
    </section>
  );

  function onChange(patch: Partial<Chart>): void {
    onChart({ ...chart, ...patch });
  }
}
