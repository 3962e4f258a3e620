import { Button, UnstyledButton } from '@mantine/core';
import { useLocalStorage, useThrottledCallback } from '@mantine/hooks';
import type { ApiError } from '@sightline/contract/core/client.ts';
import { type Histogram as Answer, getHistogram } from '@sightline/contract/timeline/explore.ts';
import { withoutRange, withRange } from '@sightline/contract/timeline/query-language/edit.ts';
import { IconChevronDown, IconChevronRight } from '@tabler/icons-react';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { lazy, Suspense } from 'react';
import { ask } from '#lib/api.ts';
import { useNews } from '#lib/realtime.ts';
import type { ExploreQuestion } from './exploreQuery.ts';
import s from './Histogram.module.css';
import { barsOf, lanesOf } from './histogramBars.ts';

// First there are events to read.
const HistogramPlot = lazy(() => import('./HistogramPlot.tsx').then((module) => ({ default: module.HistogramPlot })));

interface HistogramProps {
  question: ExploreQuestion;
  /** Asks something else. */
  onQuery: (query: string) => void;
}

// Events may come hundreds of times a second.
const newsPause = 5000;

/** When the events of the question happened, by kind; a stretch of it can be chosen. */
export function Histogram({ question: { context, query, offset }, onQuery }: HistogramProps) {
  const [isOpen, setOpen] = useLocalStorage({ key: 'histogram', defaultValue: true });
  const asked = useQuery<Answer, ApiError>({
    ...ask(getHistogram, { body: { ...(context !== undefined && { context }), query, offset } }),
    enabled: isOpen,
    placeholderData: keepPreviousData,
    staleTime: 30_000,
    meta: { quiet: true },
  });
  const { data, refetch } = asked;
  useNews(
    'orgEvents',
    useThrottledCallback(() => isOpen && void refetch(), newsPause),
  );
  const widened = withoutRange(query);
  const range = (from: number, to: number) =>
    onQuery(withRange(query, new Date(from).toISOString(), new Date(to).toISOString()));
  return (
    <section className={s.figure} aria-label="Events over time" aria-busy={asked.isFetching}>
      <div className={s.caption}>
        <UnstyledButton className={s.toggle ?? ''} aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
          {isOpen ? <IconChevronDown size={14} aria-hidden /> : <IconChevronRight size={14} aria-hidden />}
          {isOpen && data ? (
            <span>
              <b>
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
        {isOpen && data && (
          <ul className={s.legend} aria-label="Events by kind">
            {lanesOf(data).map(({ name, ink, count }) => (
              <li key={name}>
                <span className={s.dot} style={{ background: ink }} aria-hidden />
                {name} <b>{number.format(count)}</b>
              </li>
            ))}
          </ul>
        )}
      </div>
      {isOpen && asked.isError && !data && (
        <p className={s.failure} role="alert">
          The histogram could not be loaded. {asked.error.refusal?.message}{' '}
          <Button variant="subtle" size="compact-sm" onClick={() => void asked.refetch()}>
            Try again
          </Button>
        </p>
      )}
      {isOpen && !data && !asked.isError && <div className={s.waiting} aria-hidden />}
      {isOpen && data && data.total > 0 && (
        <Suspense fallback={<div className={s.waiting} aria-hidden />}>
          <HistogramPlot
            // Another answer begins with nothing chosen.
            key={`${data.from} ${data.to} ${data.bucket}`}
            bars={barsOf(data)}
            countedFrom={data.countedFrom}
            offset={offset}
            isStale={asked.isPlaceholderData}
            onRange={range}
          />
        </Suspense>
      )}
    </section>
  );
}

const number = new Intl.NumberFormat('en-GB');
