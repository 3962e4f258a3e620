import { forEachOrganization } from '#core/organizations.ts';
import type { Services } from '#core/services.ts';
import { expiringKinds, type RetentionStart, retentionPeriodOf, retentionStartOf } from '../retention-start.ts';
import { createClickHouseBind } from './condition.ts';
import { copyTable, ensureTable } from './table.ts';

/** Deletes expired events from the copies of all organizations. */
export async function deleteExpiredCopies(services: Services): Promise<void> {
  if (!services.clickhouse) return;
  const start = retentionStartOf(services.config);
  await forEachOrganization(
    services,
    { job: 'events.copies.forget', organizations: 'select orgs_with_event_copies() as id' },
    (orgId) => deleteExpiredCopiesOf(services, orgId, start),
  );
}

export async function deleteExpiredCopiesOf(
  { clickhouse }: Services,
  orgId: string,
  start: RetentionStart,
): Promise<void> {
  if (!clickhouse) return;
  await ensureTable(clickhouse);
  const { bind, values } = createClickHouseBind();
  const expiredTests = (['clipboard', 'events'] as const).map((end) => {
    const kinds = expiringKinds.filter((kind) => retentionPeriodOf(kind) === end);
    return `(as_of < fromUnixTimestamp64Milli(${bind(start[end], 'Int64')}, 'UTC') and has(${bind(kinds, 'Array(String)')}, kind))`;
  });
  const expiredSql = `org_id = ${bind(orgId, 'UUID')} and (${expiredTests.join(' or ')})`;
  // A deletion scans every part of the table, so it is skipped if no rows match.
  const [found] = await clickhouse.read<[number]>(
    `select count() from (select 1 from ${copyTable} where ${expiredSql} limit 1)`,
    values,
  );
  if (Number(found?.[0] ?? 0) > 0) await clickhouse.run(`delete from ${copyTable} where ${expiredSql}`, values);
}

/** Deletes the copies of these events; those with a pending row are copied again. */
export async function deleteEventCopies(
  { clickhouse }: Services,
  orgId: string,
  ids: readonly string[],
): Promise<void> {
  if (!clickhouse || ids.length === 0) return;
  await ensureTable(clickhouse);
  const { bind, values } = createClickHouseBind();
  await clickhouse.run(
    `delete from ${copyTable} where org_id = ${bind(orgId, 'UUID')} and id in ${bind(ids, 'Array(UUID)')}`,
    values,
  );
}
