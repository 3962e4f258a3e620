import { type ApprovalTrend, listChanges } from '@sightline/contract/compliance/changes.ts';
import type { FrameworkReadiness } from '@sightline/contract/compliance/control-runs.ts';
import { type TrendDays, trendIntervals } from '@sightline/contract/core/trends.ts';
import { type FindingTrend, findingStatuses, listFindings } from '@sightline/contract/vulnerabilities/findings.ts';
import { stringifySearch } from '#lib/search-params.ts';
import { patchSearch } from '#lib/url-query.ts';
import { type ChartData, valueText } from '#ui/charts/chart.ts';

export const trendStaleMs = 600_000;

const startOf = (points: readonly { day: string }[]): string => `${points[0]?.day}T00:00:00Z`;
const sumOf = <Key extends string>(points: readonly Record<Key, number>[], key: Key): number =>
  points.reduce((sum, point) => sum + point[key], 0);

/** Opened and fixed vulnerabilities, with links to the lists of both. */
export function findingsChart({ points, interval }: FindingTrend): ChartData {
  const from = startOf(points);
  const hrefOf = (query: object) => `/vulnerabilities${stringifySearch(patchSearch(listFindings.query, {}, query))}`;
  return {
    unit: 'count',
    interval,
    points: points.map(({ day, opened, fixed }) => ({ day, values: { opened, fixed } })),
    series: [
      {
        key: 'opened',
        label: 'Opened',
        color: 'var(--ui-orange-bar)',
        total: valueText(sumOf(points, 'opened'), 'count'),
        href: hrefOf({ status: findingStatuses, discoveredFrom: from }),
      },
      {
        key: 'fixed',
        label: 'Fixed',
        color: 'var(--ui-green-bar)',
        total: valueText(sumOf(points, 'fixed'), 'count'),
        href: hrefOf({ status: ['fixed'], fixedFrom: from }),
      },
    ],
  };
}

type Approval = 'yes' | 'no' | 'unknown';
const approvalLabels: Record<Approval, string> = { yes: 'Approved', no: 'Not approved', unknown: 'Unknown' };

/** The share of approved merges, of those whose approval is known. */
export function approvalChart({ points }: ApprovalTrend, repository: string): ChartData {
  const shareOf = (yes: number, no: number) => (yes + no === 0 ? null : yes / (yes + no));
  return {
    unit: 'share',
    interval: 'week',
    points: points.map(({ day, yes, no, unknown }) => ({
      day,
      values: { share: shareOf(yes, no), yes, no, unknown },
    })),
    series: [
      {
        key: 'share',
        label: 'With independent approval',
        color: 'var(--ui-accent-line)',
        total: valueText(shareOf(sumOf(points, 'yes'), sumOf(points, 'no')), 'share'),
        href: mergesHref(points, repository, ['yes', 'no']),
      },
    ],
    details: Object.entries(approvalLabels).map(([key, label]) => ({ key, label })),
  };
}

/** The number of merges by approval, with links to their lists. */
export const approvalLinks = ({ points }: ApprovalTrend, repository: string) =>
  (Object.keys(approvalLabels) as Approval[])
    .map((approval) => ({
      label: approvalLabels[approval],
      total: sumOf(points, approval),
      href: mergesHref(points, repository, [approval]),
    }))
    .filter(({ total }) => total > 0)
    .map(({ total, ...link }) => ({ ...link, count: valueText(total, 'count') }));

function mergesHref(points: ApprovalTrend['points'], repository: string, approval: Approval[]): string {
  const query = {
    ...(repository !== '' && { repository }),
    mergeMethod: ['pull_request', 'merge_queue'] as ('pull_request' | 'merge_queue')[],
    approval,
    from: startOf(points),
  };
  return `/changes${stringifySearch(patchSearch(listChanges.query, {}, query))}`;
}

/** The share of passing controls on each day; days without evaluation have no value. */
export function readinessChart({ framework, points }: FrameworkReadiness, days: TrendDays): ChartData {
  const byDay = new Map(points.map((point) => [point.day, point]));
  const last = points.at(-1);
  return {
    unit: 'share',
    interval: 'day',
    points: trendIntervals(new Date(), { days, interval: 'day' }).map((day) => {
      const point = byDay.get(day);
      return {
        day,
        values: {
          share: point ? shareOf(point) : null,
          passing: point?.passing ?? null,
          applicable: point?.applicable ?? null,
        },
      };
    }),
    series: [
      {
        key: 'share',
        label: 'Applicable controls passing',
        color: 'var(--ui-accent-line)',
        ...(last && { total: valueText(shareOf(last), 'share') }),
        href: readinessHref(framework),
      },
    ],
    details: [
      { key: 'passing', label: 'Passing' },
      { key: 'applicable', label: 'Applicable' },
    ],
  };
}

type Readiness = FrameworkReadiness['points'][number];
const shareOf = ({ passing, applicable }: Readiness): number | null => (applicable === 0 ? null : passing / applicable);

/** The latest readiness of each framework with applicable controls. */
export const latestReadiness = (frameworks: readonly FrameworkReadiness[]) =>
  frameworks.flatMap(({ framework, points }) => {
    const last = points.at(-1);
    return last && last.applicable > 0 ? [{ framework, ...last }] : [];
  });

export const readinessHref = (framework: string): string => `/evidence${stringifySearch({ framework })}`;
