import type { listPortals as listCall, Portal, PortalState } from '@sightline/contract/compliance/auditor-portals.ts';
import type { SnapshotRedaction } from '@sightline/contract/compliance/snapshots.ts';
import type { Page } from '@sightline/contract/core/endpoint.ts';
import type { z } from 'zod';
import { NotFound } from '#core/errors.ts';
import type { Tx } from '#database/database.ts';

interface PortalRow extends Record<string, unknown> {
  id: string;
  name: string;
  auditorName: string;
  auditorEmail: string | null;
  redaction: SnapshotRedaction;
  people: Portal['people'];
  earlier: Portal['earlier'];
  state: PortalState;
  createdAt: Date;
  createdBy: string;
  createdByName: string | null;
  expiresAt: Date;
  revokedAt: Date | null;
  mailedAt: Date | null;
  mailFailed: boolean;
  views: number;
  lastViewAt: Date | null;
  requests: number;
  openRequests: number;
  overdueRequests: number;
  snapshots: { id: string; name: string; from: string; to: string }[];
}

const stateSql = `case when r.revoked_at is not null then 'revoked' when r.expires_at <= now() then 'closed' else 'open' end`;
/** The current day in UTC. */
const today = `(now() at time zone 'utc')::date`;
const portalsSql = `select r.id, r.name, r.auditor_name as "auditorName", r.auditor_email as "auditorEmail", r.redaction, r.people,
    (select jsonb_build_object('id', e.id, 'name', e.name) from auditor_portal e where e.org_id = r.org_id and e.id = r.earlier_portal_id) as earlier,
    ${stateSql} as state,
    r.created_at as "createdAt", r.created_by as "createdBy", a.name as "createdByName", r.expires_at as "expiresAt",
    r.revoked_at as "revokedAt", r.mailed_at as "mailedAt", r.mail_failed_at is not null and r.mailed_at is null as "mailFailed",
    r.views, r.last_view_at as "lastViewAt", q.requests, q.open as "openRequests", q.overdue as "overdueRequests", s.snapshots
  from auditor_portal r
  left join visible_account a on a.id = r.created_by
  cross join lateral (
    select count(*)::int as requests, (count(*) filter (where waits))::int as open,
      (count(*) filter (where waits and due_on < ${today}))::int as overdue
    from evidence_request q where q.org_id = r.org_id and q.portal_id = r.id) q
  cross join lateral (
    select jsonb_agg(jsonb_build_object('id', s.id, 'name', s.name, 'from', s.period_from, 'to', s.period_to)
             order by s.period_from desc, s.id) as snapshots
    from auditor_portal_snapshot i join snapshot s on s.org_id = i.org_id and s.id = i.snapshot_id
    where i.org_id = r.org_id and i.portal_id = r.id) s`;
const filterSql = `r.org_id = $1 and ($2 = '' or strpos(lower(r.name || ' ' || r.auditor_name), lower($2)) > 0)
    and ($3::text[] is null or ${stateSql} = any($3))
    and ($4 = 'any' or exists (
      select from evidence_request q where q.org_id = r.org_id and q.portal_id = r.id and q.waits
        and ($4 = 'open' or q.due_on < ${today})))`;

export async function listPortals(
  tx: Tx,
  orgId: string,
  { sort, page, perPage, search, state: states, requests }: z.output<typeof listCall.query>,
): Promise<Page<Portal[]>> {
  const direction = sort === 'date-asc' ? 'asc' : 'desc';
  const values = [orgId, search, states.length > 0 ? states : null, requests];
  const rows = await tx.query<PortalRow>({
    name: `portals.list-${direction}`,
    text: `${portalsSql} where ${filterSql} order by r.created_at ${direction}, r.id limit $5 offset $6`,
    values: [...values, perPage, (page - 1) * perPage],
  });
  const [counted] = await tx.query<{ total: number }>({
    name: 'portals.count',
    text: `select count(*)::int as total from auditor_portal r where ${filterSql}`,
    values,
  });
  return { rows: rows.map(portalOf), total: counted?.total ?? 0 };
}

/** Returns a portal. Throws 404. */
export async function findPortal(tx: Tx, orgId: string, id: string): Promise<Portal> {
  const [row] = await tx.query<PortalRow>({
    name: 'portals.find',
    text: `${portalsSql} where r.org_id = $1 and r.id = $2`,
    values: [orgId, id],
  });
  if (!row) throw NotFound('Portal');
  return portalOf(row);
}

const portalOf = (row: PortalRow): Portal => ({
  id: row.id,
  name: row.name,
  auditor: { name: row.auditorName, email: row.auditorEmail },
  snapshots: row.snapshots.map(({ id, name, from, to }) => ({ id, name, period: { from: iso(from), to: iso(to) } })),
  redaction: row.redaction,
  people: row.people,
  earlier: row.earlier,
  state: row.state,
  createdAt: row.createdAt.toISOString(),
  createdBy: { id: row.createdBy, name: row.createdByName ?? 'Former member' },
  expiresAt: row.expiresAt.toISOString(),
  revokedAt: row.revokedAt?.toISOString() ?? null,
  mailedAt: row.mailedAt?.toISOString() ?? null,
  mailFailed: row.mailFailed,
  views: row.views,
  lastViewAt: row.lastViewAt?.toISOString() ?? null,
  requests: row.requests,
  openRequests: row.openRequests,
  overdueRequests: row.overdueRequests,
});

const iso = (at: string): string => new Date(at).toISOString();
