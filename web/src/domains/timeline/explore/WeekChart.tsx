import { countWeekHours } from '@sightline/contract/timeline/event-groups.ts';
import { narrowedTo, withValue } from '@sightline/contract/timeline/query-language/edit.ts';
import { weekdays } from '@sightline/contract/timeline/query-language/keys.ts';
import { announce } from '#ui/announce.ts';
import { countText, hourText } from '#ui/charts/differences.ts';
import { WeekGrid } from '#ui/charts/groupPlots.ts';
import { ChartFacts } from './ChartFacts.tsx';
import { ChartResult } from './ChartResult.tsx';
import s from './EventChart.module.css';
import type { ChartBodyProps } from './GroupsChart.tsx';
import { useEventCounts } from './useEventCounts.ts';
import { zoneName } from './zone.ts';

const HOURS = 24;
const dayNames = weekdays.map((day) => `${day[0]?.toUpperCase()}${day.slice(1)}`);

/** The events by weekday and hour of the day, in the time zone of the page. */
export function WeekChart({ question, chart: { compare }, isTable, onQuery }: ChartBodyProps) {
  const { context, query, offset } = question;
  const body = { ...(context !== undefined && { context }), query, offset, compare };
  const result = useEventCounts(countWeekHours, { body });
  const onSelect = (weekday: number, hour: number, { exclude }: { exclude: boolean }) => {
    const [day = '', time] = [weekdays[weekday], String(hour)];
    onQuery(exclude ? withoutCell(query, day, time) : narrowedTo(narrowedTo(query, 'weekday', day), 'hour', time));
    announce(`${exclude ? 'Without' : 'Only'} ${dayNames[weekday]} ${hourText(hour)}`);
  };
  return (
    <ChartResult result={result}>
      {({ hours, previous, sample, ...period }) => (
        <>
          <ChartFacts
            period={period}
            previous={previous}
            isCompared={compare}
            sample={sample}
            marks="squares"
            offset={offset}
          />
          {isTable ? (
            <WeekTable hours={hours} previous={previous?.hours ?? null} isEstimate={sample !== null} />
          ) : (
            <WeekGrid
              label="Events by weekday and hour"
              days={dayNames}
              hours={hours}
              previous={previous?.hours ?? null}
              isEstimate={sample !== null}
              onSelect={onSelect}
            />
          )}
          <p className={s.note}>
            Hours in {zoneName(offset)}, without daylight saving time. Select a square to filter by its day and hour.
          </p>
        </>
      )}
    </ChartResult>
  );
}

/** Excludes one hour of one weekday, but not that day or that hour of other days. */
function withoutCell(query: string, day: string, hour: string): string {
  const cell = withValue(withValue('', 'weekday', day), 'hour', hour);
  return `${query.trim() === '' ? '' : `(${query}) `}-(${cell})`;
}

interface WeekTableProps {
  hours: readonly number[];
  previous: readonly number[] | null;
  isEstimate: boolean;
}

const WeekTable = ({ hours, previous, isEstimate }: WeekTableProps) => (
  // biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls must be reachable with the keyboard
  <section className={s.scroll} aria-label="Table by weekday and hour" tabIndex={0}>
    <table className={s.table}>
      <caption className="vh">Events by weekday and hour</caption>
      <thead>
        <tr>
          <th scope="col">Hour</th>
          {dayNames.map((day) => (
            <th key={day} scope="col">
              {day}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {Array.from({ length: HOURS }, (_, hour) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: hours have fixed places
          <tr key={hour}>
            <th scope="row">{hourText(hour)}</th>
            {dayNames.map((day, weekday) => {
              const place = weekday * HOURS + hour;
              return (
                <td key={day}>
                  {countText(hours[place] ?? 0, isEstimate)}
                  {previous && ` (${countText(previous[place] ?? 0, isEstimate)})`}
                </td>
              );
            })}
          </tr>
        ))}
      </tbody>
    </table>
  </section>
);
