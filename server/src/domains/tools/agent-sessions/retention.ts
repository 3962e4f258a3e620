import type { Config } from '#config.ts';
import { forEachOrganization } from '#core/organizations.ts';
import type { Services } from '#core/services.ts';
import type { Tx } from '#database/database.ts';

/** The start of the retention period: the start of a day in UTC, as of events. */
export function telemetryStart({ EVENT_RETENTION_MONTHS }: Pick<Config, 'EVENT_RETENTION_MONTHS'>): Date {
  const today = new Date();
  return new Date(Date.UTC(today.getUTCFullYear(), today.getUTCMonth() - EVENT_RETENTION_MONTHS, today.getUTCDate()));
}

const recordsPerBatch = 5_000;

/** Deletes records after the retention period, and sessions whose last record is older. */
export const expireTelemetry = (services: Services): Promise<void> =>
  forEachOrganization(services, { job: 'agents.expire', organizations: 'select every_organization() as id' }, (orgId) =>
    expireTelemetryOf(services, orgId),
  );

async function expireTelemetryOf({ database, config }: Services, orgId: string): Promise<void> {
  const start = telemetryStart(config);
  for (const text of [recordsSql, sessionsSql]) {
    while ((await database.withOrg(orgId, (tx) => deleteBatch(tx, text, [orgId, start, recordsPerBatch]))) > 0);
  }
}

async function deleteBatch(tx: Tx, text: string, values: unknown[]): Promise<number> {
  const [row] = await tx.query<{ n: number }>({ name: '', text, values });
  return row?.n ?? 0;
}

const recordsSql = `
  with doomed as materialized (
    select session_id, digest from agent_record where org_id = $1 and at < $2 order by at limit $3
  ), gone as (
    delete from agent_record r using doomed d where r.org_id = $1 and r.session_id = d.session_id and r.digest = d.digest returning 1
  ) select count(*)::int as n from gone`;
// Its totals and remaining records are deleted with it.
const sessionsSql = `
  with doomed as materialized (
    select id from agent_session where org_id = $1 and last_at < $2 order by last_at limit $3
  ), gone as (
    delete from agent_session s using doomed d where s.org_id = $1 and s.id = d.id returning 1
  ) select count(*)::int as n from gone`;
