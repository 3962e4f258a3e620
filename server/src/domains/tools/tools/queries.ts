import type { Page } from '@sightline/contract/core/endpoint.ts';
import { type ContextFilter, equalsFilter } from '@sightline/contract/timeline/contexts.ts';
import {
  type Tool,
  type ToolKind,
  type ToolSource,
  type ToolsQuery,
  type ToolTab,
  toolTabs,
} from '@sightline/contract/tools/tools.ts';
import { type RawBuilder, sql } from 'kysely';
import type { Actor } from '#core/actor.ts';
import { NotFound } from '#core/errors.ts';
import type { LedgerSize } from '#core/ledger-size.ts';
import type { Tx } from '#database/database.ts';
import { containedPattern } from '#database/page.ts';
import { runPrepared } from '#database/run-prepared.ts';
import { shareRows } from '#database/shared-rows.ts';
import { loadToolApprovals, toolsWithApproval } from './approvals.ts';
import { NO_DEVICE_ID } from './record-sightings.ts';
import {
  hiddenToolsOf,
  type InventoryScope,
  inventoryScopeOf,
  type ToolFilter,
  toolRowsSql,
  toolsInUse,
} from './scope.ts';
import { loadToolUsage } from './tool-usage.ts';
import { listToolsAtSize } from './tools-at-size.ts';

/** A row of the inventory without the details of a page. */
export interface InventoryRow {
  id: string;
  name: string;
  vendor: string | null;
  icon: string | null;
  kind: ToolKind;
  categories: string[];
  version: string | null;
  sources: ToolSource[];
  first_seen: Date;
  last_seen: Date;
}

export type InventoryFilter = Omit<ToolsQuery, 'page' | 'perPage'>;

/** A filter that matches all tools. */
export const unfilteredInventory: Omit<InventoryFilter, 'tab'> = {
  search: '',
  vendors: [],
  types: [],
  sources: [],
  categories: [],
  statuses: [],
  approvals: [],
  users: [],
  projects: [],
  period: undefined,
  firstSeenFrom: undefined,
  sort: 'name-asc',
};

/** Returns one page of the matching tools in the actor's scope, now or at a ledger size. */
export async function listInventory(tx: Tx, actor: Actor, query: ToolsQuery, size?: LedgerSize): Promise<Page<Tool[]>> {
  const { page, perPage } = query;
  const scope = await inventoryScopeOf(tx, actor);
  if (size) return listToolsAtSize(tx, scope, query, size);
  const { rows, total } = await listInventoryRows(tx, scope, query, { limit: perPage, offset: (page - 1) * perPage });
  return { total, rows: await toTools(tx, scope, query, rows) };
}

/** Returns the number of matching tools in the actor's scope, and the IDs of at most `limit` of them. */
export async function listMatchingToolIds(
  tx: Tx,
  actor: Actor,
  filter: InventoryFilter,
  limit: number,
): Promise<{ ids: string[]; total: number }> {
  const { rows, total } = await listInventoryRows(tx, await inventoryScopeOf(tx, actor), filter, { limit, offset: 0 });
  return { total, ids: rows.map(({ id }) => id) };
}

/** Returns the actor's scope. Throws 404 for a tool outside of it. */
export async function scopeWithTool(tx: Tx, actor: Actor, toolId: string): Promise<InventoryScope> {
  const scope = await inventoryScopeOf(tx, actor);
  for (const tab of toolTabs) {
    const { total } = await listInventoryRows(
      tx,
      scope,
      { ...unfilteredInventory, tab, only: [toolId] },
      { limit: 0, offset: 0 },
    );
    if (total > 0) return scope;
  }
  throw NotFound('Tool');
}

/** Returns the filters of a link from a tool to Explore. Throws 404 for a tool outside the actor's scope. */
export async function toolContext(tx: Tx, actor: Actor, id: string): Promise<ContextFilter[]> {
  await scopeWithTool(tx, actor, id);
  return [equalsFilter('tool', 'id', id)];
}

/** Returns inventory rows without the details of a page. */
export async function listInventoryRows(
  tx: Tx,
  scope: InventoryScope,
  filter: InventoryFilter & { only?: readonly string[] },
  { limit, offset }: { limit: number; offset: number },
): Promise<Page<InventoryRow[]>> {
  const approvalFilter = await toolsWithApproval(tx, scope.orgId, filter.approvals);
  const hidden = await hiddenToolsOf(tx, scope, filter.tab);
  const { firstSeenFrom } = filter;
  const matching = sql`(${toolRowsSql(scope, filter, hidden)}) t
    where ${nameConditionsSql(filter)} ${await statusConditionSql(tx, scope, filter)} ${approvalConditionSql(approvalFilter)}
      ${firstSeenFrom === undefined ? sql`` : sql`and t.first_seen >= ${firstSeenFrom}::timestamptz`}`;
  const counting = sql<{ total: number }>`select count(*)::int as total from ${matching}`;
  // The version does not change with the time of day at which a tool was seen.
  const counted = firstSeenFrom === undefined ? await shareRows(tx, scope, counting) : await runPrepared(tx, counting);
  const total = counted[0]?.total ?? 0;
  if (offset >= total || limit === 0) return { total, rows: [] };
  const rows = await runPrepared(
    tx,
    sql<InventoryRow>`select t.* from ${matching} order by ${orders[filter.sort]} limit ${limit} offset ${offset}`,
  );
  return { total, rows };
}

const orders: Record<InventoryFilter['sort'], RawBuilder<unknown>> = {
  'name-asc': sql`lower(name), id`,
  'name-desc': sql`lower(name) desc, id desc`,
  'date-asc': sql`last_seen, id`,
  'date-desc': sql`last_seen desc, id desc`,
};

const inValuesSql = (column: string, values: readonly string[]) =>
  values.length > 0 ? sql`and ${sql.ref(column)} = any(${values}::text[])` : sql``;

const approvalConditionSql = (tools: Awaited<ReturnType<typeof toolsWithApproval>>): RawBuilder<unknown> =>
  tools === undefined
    ? sql``
    : tools.isWithout
      ? sql`and t.id <> all(${tools.ids}::text[])`
      : sql`and t.id = any(${tools.ids}::text[])`;

// Both statuses, or none, match every tool.
async function statusConditionSql(
  tx: Tx,
  scope: InventoryScope,
  { statuses, tab }: InventoryFilter,
): Promise<RawBuilder<unknown>> {
  const [status, another] = new Set(statuses);
  if (status === undefined || another !== undefined) return sql``;
  const used = await toolsInUse(tx, scope, tab);
  return status === 'in-use' ? sql`and t.id = any(${used}::text[])` : sql`and t.id <> all(${used}::text[])`;
}

function nameConditionsSql({ search, vendors, types, categories }: InventoryFilter): RawBuilder<unknown> {
  const words = search.trim() === '' ? [] : search.trim().split(/\s+/);
  return sql`true ${inValuesSql('t.vendor', vendors)} ${inValuesSql('t.kind', types)}
    ${categories.length > 0 ? sql`and t.categories && ${categories}::text[]` : sql``}
    ${
      words.length === 0
        ? sql``
        : sql`and concat_ws(' ', t.name, t.vendor, t.id, array_to_string(t.categories, ' ')) ilike all(${words.map(containedPattern)}::text[])`
    }`;
}

/** Converts rows to the response of the API, with the persons and repositories of each. */
export async function toTools(
  tx: Tx,
  scope: InventoryScope,
  filter: ToolFilter,
  rows: readonly InventoryRow[],
): Promise<Tool[]> {
  const usageOf = await loadToolUsage(
    tx,
    scope,
    filter,
    rows.map(({ id }) => id),
  );
  const approvals = await loadToolApprovals(tx, scope.orgId);
  return rows.map((row) => {
    const { people, projects, version: ownVersion, inUse } = usageOf(row.id);
    const version = ownVersion === undefined ? row.version : ownVersion;
    const firstSeen = row.first_seen.toISOString();
    return {
      id: row.id,
      name: row.name,
      vendor: row.vendor,
      icon: row.icon,
      type: filter.tab satisfies ToolTab,
      kind: row.kind,
      categories: row.categories,
      version,
      sources: row.sources,
      source: row.sources[0] ?? null,
      firstSeen,
      lastSeen: row.last_seen.toISOString(),
      inUse,
      approval: approvals.of({ id: row.id, version, firstSeen }),
      people,
      projects,
    };
  });
}

/** The installations of editors that reported tools of persons; more than one person may have used an installation. */
export const editorDevicesOf = (
  tx: Tx,
  orgId: string,
  persons: readonly string[],
): Promise<{ person: string; device: string }[]> =>
  tx.query<{ person: string; device: string }>({
    name: 'tools.devices',
    text: `select distinct person_id as person, device_id as device from tool_person
           where org_id = $1 and person_id = any($2::uuid[]) and device_id <> $3`,
    values: [orgId, persons, NO_DEVICE_ID],
  });
