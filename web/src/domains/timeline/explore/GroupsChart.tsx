import type { EventChart } from '@sightline/contract/timeline/event-charts.ts';
import { type EventGroups, groupEvents } from '@sightline/contract/timeline/event-groups.ts';
import { narrowedTo, withRange, withValue } from '@sightline/contract/timeline/query-language/edit.ts';
import { qualifierDefinition } from '@sightline/contract/timeline/query-language/keys.ts';
import { announce } from '#ui/announce.ts';
import { GroupBars, GroupLines } from '#ui/charts/groupPlots.ts';
import type { ChartGroup } from '#ui/charts/groups.ts';
import { ZOOM_HINT } from '#ui/charts/useRangeSelection.ts';
import { eventAppearanceOf } from '#ui/eventAppearances.ts';
import { ChartFacts } from './ChartFacts.tsx';
import { ChartResult } from './ChartResult.tsx';
import { groupNames } from './chartNames.ts';
import s from './EventChart.module.css';
import type { TimelineQuery } from './exploreQuery.ts';
import { GroupsTable } from './GroupsTable.tsx';
import { useEventCounts } from './useEventCounts.ts';
import { fullTime, tickText } from './zone.ts';

export interface ChartBodyProps {
  question: TimelineQuery;
  chart: EventChart;
  isTable: boolean;
  onQuery: (query: string) => void;
}

/** The largest groups of events, as totals or over time. */
export function GroupsChart({ question, chart, isTable, onQuery }: ChartBodyProps) {
  const { context, query, offset } = question;
  const { kind, by, top, compare } = chart;
  const body = { ...(context !== undefined && { context }), query, offset, by, top, compare };
  const result = useEventCounts(groupEvents, { body });
  return (
    <ChartResult result={result}>
      {(data) => {
        const groups = groupsOf(data, { by, query, onQuery });
        const timeAt = (interval: number) => Date.parse(data.start) + interval * data.interval * 1000;
        const intervals = data.other.counts.length;
        const rangeText = (first: number, last: number) =>
          `${fullTime(timeAt(first), offset)} to ${fullTime(timeAt(last + 1), offset)}`;
        return (
          <>
            <ChartFacts
              period={data}
              previous={data.previous}
              isCompared={compare}
              sample={data.sample}
              marks={kind === 'bars' ? 'bars' : 'lines'}
              offset={offset}
            />
            {data.total === 0 && !data.previous?.total ? (
              <p className={s.failure}>No events match.</p>
            ) : isTable ? (
              <GroupsTable
                title={groupNames[by]}
                groups={groups}
                isEstimate={data.sample !== null}
                intervals={
                  kind === 'lines'
                    ? Array.from({ length: intervals }, (_, index) => fullTime(timeAt(index), offset))
                    : []
                }
              />
            ) : kind === 'lines' ? (
              <>
                <GroupLines
                  groups={groups}
                  intervals={intervals}
                  isEstimate={data.sample !== null}
                  ticks={[0, Math.floor(intervals / 2), intervals].map((interval) =>
                    tickText(timeAt(interval), intervals * data.interval * 1000, offset),
                  )}
                  rangeText={rangeText}
                  onRange={(first, last) =>
                    onQuery(
                      withRange(query, new Date(timeAt(first)).toISOString(), new Date(timeAt(last + 1)).toISOString()),
                    )
                  }
                />
                <p className={`${s.note} ${s.hint}`}>{ZOOM_HINT}</p>
              </>
            ) : (
              <GroupBars label={`Events by ${groupNames[by]}`} groups={groups} isEstimate={data.sample !== null} />
            )}
            {!qualifierDefinition(by).single && data.groups.length > 1 && (
              <p className={s.note}>
                An event can have several values, so that groups can add up to more than the total.
              </p>
            )}
          </>
        );
      }}
    </ChartResult>
  );
}

/** The groups in the order of the chart: the largest, then the others, then events without a value. */
function groupsOf(
  { groups, other, without }: EventGroups,
  { by, query, onQuery }: { by: EventChart['by']; query: string; onQuery: (query: string) => void },
): ChartGroup[] {
  const select = (label: string, narrowed: string, excluded: string) => (options: { exclude: boolean }) => {
    onQuery(options.exclude ? excluded : narrowed);
    announce(`${options.exclude ? 'Without' : 'Only'} ${label}`);
  };
  const name = groupNames[by].toLowerCase();
  const hasOthers = other.count > 0 || (other.previous?.count ?? 0) > 0;
  const hasWithout = without.count > 0 || (without.previous?.count ?? 0) > 0;
  const canLack = qualifierDefinition('has').values?.includes(by);
  return [
    ...groups.map(({ value, label, ...counts }) => {
      const shown = by === 'kind' ? eventAppearanceOf(label).name : label;
      return {
        ...counts,
        key: `value ${value ?? label}`,
        label: shown,
        onSelect:
          value === null
            ? undefined
            : select(shown, narrowedTo(query, by, value), withValue(query, by, value, { exclude: true })),
      };
    }),
    ...(hasOthers
      ? [
          {
            ...other,
            key: 'other',
            label: !other.values ? 'Others' : `${other.values} ${other.values === 1 ? 'other' : 'others'}`,
            onSelect: undefined,
          },
        ]
      : []),
    ...(hasWithout
      ? [
          {
            ...without,
            key: 'without',
            label: `Without ${name}`,
            onSelect: canLack
              ? select(`events without ${name}`, withValue(query, 'no', by), withValue(query, 'has', by))
              : undefined,
          },
        ]
      : []),
  ];
}
