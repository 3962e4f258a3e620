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
  const from = new Date(starts[0] ?? 0);
  const rows = await visibleRecords(tx, actor)
    .where('c.merged_at', '>=', from)
    .where('c.merge_method', 'in', ['pull_request', 'merge_queue'])
    .$if(repository !== undefined, (query) => query.where('c.repository_id', '=', repository ?? ''))
    // All versions of a change have the time of its merge. Limited to that range, the later versions are one hash table
    // instead of a lookup for each record.
    .where(
      sql<boolean>`not exists (select from change_record n where n.org_id = ${actor.orgId} and n.id = c.id
        and n.version > c.version and n.version > 1 and n.merged_at >= ${from})`,
    )
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
