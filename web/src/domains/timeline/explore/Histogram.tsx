import { Button, UnstyledButton } from '@mantine/core';
import { useLocalStorage } from '@mantine/hooks';
import { getHistogram } from '@sightline/contract/timeline/explore.ts';
import { withoutRange, withRange } from '@sightline/contract/timeline/query-language/edit.ts';
import { IconChartBar, IconChevronDown, IconChevronRight } from '@tabler/icons-react';
import { lazy, Suspense } from 'react';
import type { TimelineQuery } from './exploreQuery.ts';
import s from './Histogram.module.css';
import { barsOf, kindTotalsOf } from './histogramBars.ts';
import { useEventCounts } from './useEventCounts.ts';

// Loaded lazily, after the events.
const HistogramPlot = lazy(() => import('./HistogramPlot.tsx').then((module) => ({ default: module.HistogramPlot })));

interface HistogramProps {
  question: TimelineQuery;
  /** Changes the query. */
  onQuery: (query: string) => void;
  /** Shows a chart of groups; undefined if one is shown. */
  onChart: (() => void) | undefined;
}

/** Shows the number of events over time by type. A time range can be selected. */
export function Histogram({ question: { context, query, offset }, onQuery, onChart }: HistogramProps) {
  const [isOpen, setOpen] = useLocalStorage({ key: 'histogram', defaultValue: true });
  const result = useEventCounts(
    getHistogram,
    { body: { ...(context !== undefined && { context }), query, offset } },
    isOpen,
  );
  const { data } = result;
  const about = data?.sample ? '≈ ' : '';
  const widened = withoutRange(query);
  const range = (from: number, to: number) =>
    onQuery(withRange(query, new Date(from).toISOString(), new Date(to).toISOString()));
  return (
    <section className={s.figure} aria-label="Events over time" aria-busy={result.isFetching}>
      <div className={s.caption}>
        <UnstyledButton className={s.toggle ?? ''} aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
          {isOpen ? <IconChevronDown size={14} aria-hidden /> : <IconChevronRight size={14} aria-hidden />}
          {isOpen && data ? (
            <span>
              <b>
                {about}
                {number.format(data.total)}
                {data.countedFrom === null ? '' : '+'}
              </b>{' '}
              {data.total === 1 ? 'event' : 'events'}
            </span>
          ) : (
            <span>Histogram</span>
          )}
        </UnstyledButton>
        {widened !== query.trim() && (
          <Button variant="subtle" size="compact-sm" onClick={() => onQuery(widened)}>
            Show all times
          </Button>
        )}
        {onChart && (
          <Button
            variant="subtle"
            size="compact-sm"
            leftSection={<IconChartBar size={14} aria-hidden />}
            onClick={onChart}
          >
            Show chart
          </Button>
        )}
        {isOpen && data && (
          <ul className={s.legend} aria-label="Events by kind">
            {kindTotalsOf(data).map(({ name, ink, count }) => (
              <li key={name}>
                <span className={s.dot} style={{ background: ink }} aria-hidden />
                {name}{' '}
                <b>
                  {about}
                  {number.format(count)}
                </b>
              </li>
            ))}
          </ul>
        )}
      </div>
      {isOpen && result.isError && !data && (
        <p className={s.failure} role="alert">
          The histogram could not be loaded. {result.error.refusal?.message}{' '}
          <Button variant="subtle" size="compact-sm" onClick={() => void result.refetch()}>
            Try again
          </Button>
        </p>
      )}
      {isOpen && !data && !result.isError && <div className={s.waiting} aria-hidden />}
      {isOpen && data && data.total > 0 && (
        <Suspense fallback={<div className={s.waiting} aria-hidden />}>
          <HistogramPlot
            // A new response resets the selection.
            key={`${data.from} ${data.to} ${data.bucket}`}
            bars={barsOf(data)}
            countedFrom={data.countedFrom}
            sample={data.sample}
            offset={offset}
            isStale={result.isPlaceholderData}
            onRange={range}
          />
        </Suspense>
      )}
    </section>
  );
}

const number = new Intl.NumberFormat('en-GB');
