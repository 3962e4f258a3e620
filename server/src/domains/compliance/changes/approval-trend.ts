import type { ApprovalTrend, getApprovalTrend } from '@sightline/contract/compliance/changes.ts';
import { trendIntervals } from '@sightline/contract/core/trends.ts';
import { sql } from 'kysely';
import type { z } from 'zod';
import type { Actor } from '#core/actor.ts';
import type { Tx } from '#database/database.ts';
import { isLatestVersion, visibleRecords } from './list.ts';

/** Counts the merges of each week by independent approval, as the list of changes does. */
export async function approvalTrendOf(
  tx: Tx,
  actor: Actor,
  { days, repository }: z.output<typeof getApprovalTrend.query>,
): Promise<ApprovalTrend> {
  const mondays = trendIntervals(new Date(), { days, interval: 'week' });
  const rows = await visibleRecords(tx, actor)
    .where(isLatestVersion)
    .where('c.merge_method', 'in', ['pull_request', 'merge_queue'])
    .where('c.merged_at', '>=', new Date(`${mondays[0]}T00:00:00Z`))
    .$if(repository !== undefined, (query) => query.where('c.repository_id', '=', repository ?? ''))
    .select([
      sql<string>`to_char(date_trunc('week', c.merged_at at time zone 'UTC'), 'YYYY-MM-DD')`.as('day'),
      'c.approval',
      sql<number>`count(*)::int`.as('count'),
    ])
    .groupBy(['day', 'c.approval'])
    .execute();
  return {
    points: mondays.map((day) => {
      const point = { day, yes: 0, no: 0, unknown: 0 };
      for (const row of rows) if (row.day === day) point[row.approval as 'yes' | 'no' | 'unknown'] = row.count;
      return point;
    }),
  };
}
