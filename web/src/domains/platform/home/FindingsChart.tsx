import type { TrendDays } from '@sightline/contract/core/trends.ts';
import { getFindingTrend } from '@sightline/contract/vulnerabilities/findings.ts';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { endpointQuery } from '#lib/api.ts';
import { Chart } from '#ui/charts/Chart.tsx';
import { Link } from '#ui/Link.tsx';
import { Severity } from '#ui/Severity.tsx';
import { severityLevels } from '#ui/severities.ts';
import s from './Trends.module.css';
import { findingsChart, trendStaleMs } from './trends.ts';

/** Opened and fixed vulnerabilities, and overdue ones by severity. */
export function FindingsChart({ days }: { days: TrendDays }) {
  const { data, error, refetch } = useQuery({
    ...endpointQuery(getFindingTrend, { query: { days } }),
    placeholderData: keepPreviousData,
    staleTime: trendStaleMs,
    meta: { quiet: true },
  });
  const overdue = severityLevels.filter((level) => (data?.overdue[level] ?? 0) > 0);
  return (
    <div>
      <Chart
        title="Opened and fixed vulnerabilities"
        kind="bars"
        data={data && findingsChart(data)}
        failure={error}
        onRetry={() => void refetch()}
        empty={
          data?.lastScanAt === null ? (
            <>
              Opened and fixed vulnerabilities appear here after the first scan.{' '}
              <Link className="link" href="/integrations/security-scanners">
                Connect a scanner
              </Link>
            </>
          ) : (
            `No vulnerability was opened or fixed in the last ${days} days.`
          )
        }
      />
      {data && data.lastScanAt !== null && (
        <p className={s.facts}>
          {overdue.length === 0 ? (
            'No vulnerability is overdue.'
          ) : (
            <>
              <Link className={s.fact} href="/vulnerabilities?overdue=true">
                Overdue <b>{number.format(overdue.reduce((sum, level) => sum + data.overdue[level], 0))}</b>
              </Link>
              {overdue.map((level) => (
                <Link key={level} className={s.fact} href={`/vulnerabilities?severity=${level}&overdue=true`}>
                  <Severity level={level} /> <b>{number.format(data.overdue[level])}</b>
                </Link>
              ))}
            </>
          )}
        </p>
      )}
    </div>
  );
}

const number = new Intl.NumberFormat('en-GB');
