import type { Page } from '@sightline/contract/core/endpoint.ts';
import {
  type AuditStream,
  type AuditStreamFailure,
  type AuditStreamKind,
  type listAuditStreams,
  MAX_COUNTED_BACKLOG,
} from '@sightline/contract/organization/audit-streams.ts';
import { sql } from 'kysely';
import type { z } from 'zod';
import { NotFound } from '#core/errors.ts';
import type { Tx } from '#database/database.ts';
import { containsText, fetchPage } from '#database/page.ts';

type StreamsQuery = z.output<typeof listAuditStreams.query>;

const sorts = {
  'name-asc': ['s.name', 'asc'],
  'name-desc': ['s.name', 'desc'],
  'date-desc': ['s.created_at', 'desc'],
  'date-asc': ['s.created_at', 'asc'],
} as const satisfies Record<StreamsQuery['sort'], readonly ['s.name' | 's.created_at', 'asc' | 'desc']>;

const selectStreams = ({ db }: Tx, orgId: string) =>
  db
    .selectFrom('audit_stream as s')
    .leftJoin('visible_account as a', 'a.id', 's.created_by')
    .where('s.org_id', '=', orgId)
    .select([
      's.id',
      's.kind',
      's.name',
      's.settings',
      's.enabled',
      's.last_delivered_at',
      's.failing_since',
      's.failed_at',
      's.failure',
      's.next_at',
      's.created_by',
      's.created_at',
      'a.name as creator',
      sql<Date | null>`case when s.previous_until > now() then s.previous_until end`.as('previous_until'),
      sql<number>`least(${MAX_COUNTED_BACKLOG}, (
        select count(*) from (
          select from ledger_entry e
          where e.org_id = ${orgId} and e.kind like 'audit.%' and (e.epoch, e.leaf_index) > (s.epoch, s.leaf_index)
          limit ${MAX_COUNTED_BACKLOG}) placed
      ) + (
        select count(*) from (
          select from ledger_pending p where p.org_id = ${orgId} and p.kind like 'audit.%' limit ${MAX_COUNTED_BACKLOG}) waiting
      ))`.as('behind'),
    ]);

/** The destinations of the audit log, one page of them. */
export async function listStreams(tx: Tx, orgId: string, query: StreamsQuery): Promise<Page<AuditStream[]>> {
  const [column, direction] = sorts[query.sort];
  const { rows, total } = await fetchPage(
    selectStreams(tx, orgId)
      .$if(query.search !== '', (q) => q.where((eb) => containsText(eb.ref('s.name'), query.search)))
      .orderBy(column, direction)
      .orderBy('s.id'),
    query,
  );
  return { rows: rows.map(streamOf), total };
}

/** One destination; 404 for any that is not there. */
export async function findStream(tx: Tx, orgId: string, id: string): Promise<AuditStream> {
  const row = await selectStreams(tx, orgId).where('s.id', '=', id).executeTakeFirst();
  if (!row) throw NotFound('Audit log stream');
  return streamOf(row);
}

type StreamRow = Awaited<ReturnType<ReturnType<typeof selectStreams>['execute']>>[number];

function streamOf(row: StreamRow): AuditStream {
  const { failure, failing_since: since, failed_at: at } = row;
  const isFailing = failure !== null && since !== null && at !== null;
  return {
    id: row.id,
    kind: row.kind as AuditStreamKind,
    name: row.name,
    settings: row.settings as AuditStream['settings'],
    state: !row.enabled ? 'paused' : isFailing ? 'failing' : 'active',
    lastDeliveredAt: row.last_delivered_at?.toISOString() ?? null,
    behind: Number(row.behind),
    failure: isFailing
      ? { reason: failure as AuditStreamFailure, since: since.toISOString(), at: at.toISOString() }
      : null,
    nextAttemptAt: row.enabled && isFailing ? row.next_at.toISOString() : null,
    previousSecretUntil: row.previous_until?.toISOString() ?? null,
    createdBy: { id: row.created_by, name: row.creator ?? 'Former member' },
    createdAt: row.created_at.toISOString(),
  };
}
