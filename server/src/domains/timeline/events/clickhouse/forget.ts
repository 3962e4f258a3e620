import { forEachOrganization } from '#core/organizations.ts';
import type { Services } from '#core/services.ts';
import { endOf, keptFrom, passingKinds, type RetentionStart } from '../retention-start.ts';
import { binding } from './condition.ts';
import { ensureTable, table } from './table.ts';

/** Deletes of every organization's copy what PostgreSQL keeps no longer. */
export async function forgetCopies(services: Services): Promise<void> {
  if (!services.clickhouse) return;
  const kept = keptFrom(services.config);
  await forEachOrganization(
    services,
    { job: 'events.copies.forget', organizations: 'select orgs_with_event_copies() as id' },
    (orgId) => forgetCopyOf(services, orgId, kept),
  );
}

export async function forgetCopyOf({ clickhouse }: Services, orgId: string, kept: RetentionStart): Promise<void> {
  if (!clickhouse) return;
  await ensureTable(clickhouse);
  const { bind, values } = binding();
  const passed = (['clipboard', 'events'] as const).map((end) => {
    const kinds = passingKinds.filter((kind) => endOf(kind) === end);
    return `(as_of < fromUnixTimestamp64Milli(${bind(kept[end], 'Int64')}, 'UTC') and has(${bind(kinds, 'Array(String)')}, kind))`;
  });
  const gone = `org_id = ${bind(orgId, 'UUID')} and (${passed.join(' or ')})`;
  // A deletion looks at every part of the table: not where there is nothing to delete.
  const [found] = await clickhouse.read<[number]>(
    `select count() from (select 1 from ${table} where ${gone} limit 1)`,
    values,
  );
  if (Number(found?.[0] ?? 0) > 0) await clickhouse.run(`delete from ${table} where ${gone}`, values);
}

/** Deletes the copies of these events; they are sent again where they are noted to be. */
export async function forgetCopiesOf({ clickhouse }: Services, orgId: string, ids: readonly string[]): Promise<void> {
  if (!clickhouse || ids.length === 0) return;
  await ensureTable(clickhouse);
  const { bind, values } = binding();
  await clickhouse.run(
    `delete from ${table} where org_id = ${bind(orgId, 'UUID')} and id in ${bind(ids, 'Array(UUID)')}`,
    values,
  );
}
