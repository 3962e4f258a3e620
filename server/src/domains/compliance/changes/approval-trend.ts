import type { ApprovalTrend, getApprovalTrend } from '@sightline/contract/compliance/changes.ts';
import { trendIntervals } from '@sightline/contract/core/trends.ts';
import { sql } from 'kysely';
import type { z } from 'zod';
import type { Actor } from '#core/actor.ts';
import type { Tx } from '#database/database.ts';
import { visibleRepositories } from '../../organization/repository-access/queries.ts';
import { visibleRecords } from './list.ts';

interface WeekCounts {
  day: string;
  yes: number;
  no: number;
  unknown: number;
}

/** The weeks and the repository of a trend; `mondays` are dates in UTC, oldest first. */
interface TrendRange {
  mondays: readonly string[];
  repository: string | undefined;
}

/** Counts the merges of each week by independent approval, in their latest version, as the list of changes does. */
export async function approvalTrendOf(
  tx: Tx,
  actor: Actor,
  { days, repository }: z.output<typeof getApprovalTrend.query>,
): Promise<ApprovalTrend> {
  const mondays = trendIntervals(new Date(), { days, interval: 'week' });
  // The counts are of everybody's merges, and a reader of their own changes sees some of them.
  const countsOf = actor.reach('read:events') === 'all' ? storedMergeCounts : countMergesOfRecords;
  const counts = new Map((await countsOf(tx, actor, { mondays, repository })).map((counts) => [counts.day, counts]));
  return { points: mondays.map((day) => counts.get(day) ?? { day, yes: 0, no: 0, unknown: 0 }) };
}

/** The stored counts of the repositories that the reader sees. */
const storedMergeCounts = (tx: Tx, actor: Actor, { mondays, repository }: TrendRange): Promise<WeekCounts[]> =>
  tx.db
    .selectFrom('merge_count as m')
    .where('m.org_id', '=', actor.orgId)
    .where('m.week', '>=', sql<Date>`${mondays[0]}::date`)
    .where('m.repository_id', 'in', visibleRepositories(tx, actor).select('repository.id'))
    .$if(repository !== undefined, (query) => query.where('m.repository_id', '=', repository ?? ''))
    .select([
      sql<string>`m.week::text`.as('day'),
      sql<number>`sum(m.yes)::int`.as('yes'),
      sql<number>`sum(m.no)::int`.as('no'),
      sql<number>`sum(m.unknown)::int`.as('unknown'),
    ])
    .groupBy('m.week')
    .execute();

/** Counts the records that the reader sees. */
export const countMergesOfRecords = (
  tx: Tx,
  actor: Actor,
  { mondays, repository }: TrendRange,
): Promise<WeekCounts[]> => {
  const from = new Date(`${mondays[0]}T00:00:00Z`);
  const countOf = (approval: string) => sql<number>`(count(*) filter (where c.approval = ${approval}))::int`;
  return (
    visibleRecords(tx, actor)
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
        sql<string>`date_trunc('week', c.merged_at at time zone 'UTC')::date::text`.as('day'),
        countOf('yes').as('yes'),
        countOf('no').as('no'),
        countOf('unknown').as('unknown'),
      ])
      .groupBy('day')
      .execute()
  );
};
