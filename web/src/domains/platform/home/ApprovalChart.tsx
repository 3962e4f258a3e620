import { NativeSelect } from '@mantine/core';
import { getApprovalTrend } from '@sightline/contract/compliance/changes.ts';
import type { TrendDays } from '@sightline/contract/core/trends.ts';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { endpointQuery } from '#lib/api.ts';
import { useRepositoryChoices } from '#lib/repository-choices.ts';
import { Chart } from '#ui/charts/Chart.tsx';
import { Link } from '#ui/Link.tsx';
import s from './Trends.module.css';
import { approvalChart, approvalLinks, trendStaleMs } from './trends.ts';

/** The share of merges with an independent approval by week, of all repositories or one. */
export function ApprovalChart({ days }: { days: TrendDays }) {
  const [repository, setRepository] = useState('');
  const repositories = useRepositoryChoices({ quiet: true });
  const { data, error, refetch } = useQuery({
    ...endpointQuery(getApprovalTrend, { query: { days, ...(repository !== '' && { repository }) } }),
    placeholderData: keepPreviousData,
    staleTime: trendStaleMs,
    meta: { quiet: true },
  });
  const links = data ? approvalLinks(data, repository) : [];
  return (
    <div>
      <Chart
        title="Approved merges"
        kind="lines"
        data={data && approvalChart(data, repository)}
        failure={error}
        onRetry={() => void refetch()}
        empty={`No merge of the last ${days} days has a known approval status. Merges of enabled repositories appear here.`}
        controls={
          repositories && (
            <NativeSelect
              size="xs"
              aria-label="Repository"
              className={s.select ?? ''}
              data={[{ value: '', label: 'All repositories' }, ...repositories]}
              value={repository}
              onChange={(event) => setRepository(event.currentTarget.value)}
            />
          )
        }
      />
      {links.length > 0 && (
        <p className={s.facts}>
          {links.map(({ label, count, href }) => (
            <Link key={label} className={s.fact} href={href}>
              {label} <b>{count}</b>
            </Link>
          ))}
        </p>
      )}
    </div>
  );
}
