import { NativeSelect } from '@mantine/core';
import { getReadiness } from '@sightline/contract/compliance/control-runs.ts';
import type { TrendDays } from '@sightline/contract/core/trends.ts';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { endpointQuery } from '#lib/api.ts';
import { Chart } from '#ui/charts/Chart.tsx';
import { Meter } from '#ui/charts/Meter.tsx';
import { Link } from '#ui/Link.tsx';
import s from './Trends.module.css';
import { latestReadiness, readinessChart, readinessHref, trendStaleMs } from './trends.ts';

/** The share of applicable controls that pass: the latest of each framework, and the trend of one. */
export function ReadinessChart({ days }: { days: TrendDays }) {
  const [selected, setSelected] = useState<string>();
  const { data, error, refetch } = useQuery({
    ...endpointQuery(getReadiness, { query: { days } }),
    placeholderData: keepPreviousData,
    staleTime: trendStaleMs,
    meta: { quiet: true },
  });
  const shown = data?.find(({ framework }) => framework === selected) ?? data?.[0];
  const latest = data ? latestReadiness(data) : [];
  return (
    <div>
      <Chart
        title="Framework readiness"
        kind="lines"
        data={shown && readinessChart(shown, days)}
        failure={error}
        onRetry={() => void refetch()}
        empty={
          <>
            The share of applicable controls that pass appears here after their first evaluation.{' '}
            <Link className="link" href="/evidence">
              View evidence
            </Link>
          </>
        }
        controls={
          latest.length > 0 && (
            <NativeSelect
              size="xs"
              aria-label="Framework"
              className={s.select ?? ''}
              data={latest.map(({ framework }) => framework)}
              value={shown?.framework ?? ''}
              onChange={(event) => setSelected(event.currentTarget.value)}
            />
          )
        }
      />
      <ul className={s.frameworks}>
        {latest.map(({ framework, passing, applicable }) => (
          <li key={framework}>
            <Link className={s.framework} href={readinessHref(framework)}>
              <span>{framework}</span>
              <Meter share={passing / applicable} />
              <span className={s.share}>
                <b>{passing}</b> of {applicable} passing
              </span>
            </Link>
          </li>
        ))}
      </ul>
    </div>
  );
}
