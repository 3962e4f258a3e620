import type { ApprovalTrend, getApprovalTrend } from '@sightline/contract/compliance/changes.ts';
import { trendIntervals } from '@sightline/contract/core/trends.ts';
import { sql } from 'kysely';
import type { z } from 'zod';
import type { Actor } from '#core/actor.ts';
import type { Tx } from '#database/database.ts';
import { visibleRecords } from './list.ts';

/** Counts the merges of each week by independent approval, in their latest version, as the list of changes does. */
export async function approvalTrendOf(
  tx: Tx,
  actor: Actor,
  { days, repository }: z.output<typeof getApprovalTrend.query>,
): Promise<ApprovalTrend> {
  const mondays = trendIntervals(new Date(), { days, interval: 'week' });
  const starts = mondays.map((day) => `${day}T00:00:00Z`);
  // All versions of a change have the time of its merge, so that its versions are compared within the range.
  const latest = visibleRecords(tx, actor)
    .where('c.merged_at', '>=', new Date(starts[0] ?? 0))
    .$if(repository !== undefined, (query) => query.where('c.repository_id', '=', repository ?? ''))
    .distinctOn('c.id')
    .orderBy('c.id')
    .orderBy('c.version', 'desc')
    .select(['c.id', 'c.merged_at', 'c.merge_method', 'c.approval']);
  const rows = await tx.db
    .selectFrom(latest.as('c'))
    .where('c.merge_method', 'in', ['pull_request', 'merge_queue'])
    .select([
      sql<number>`width_bucket(c.merged_at, ${starts}::timestamptz[])`.as('week'),
      'c.approval',
      sql<number>`count(*)::int`.as('count'),
    ])
    .groupBy(['week', 'c.approval'])
    .execute();
  return {
    points: mondays.map((day, index) => {
      const point = { day, yes: 0, no: 0, unknown: 0 };
      for (const row of rows) if (row.week === index + 1) point[row.approval as 'yes' | 'no' | 'unknown'] = row.count;
      return point;
    }),
  };
}
