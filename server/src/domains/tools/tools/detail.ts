import { type ToolDetail, toolTabs } from '@sightline/contract/tools/tools.ts';
import type { Actor } from '#core/actor.ts';
import { NotFound } from '#core/errors.ts';
import type { Tx } from '#database/database.ts';
import { findToolEntry } from './catalog/catalog.ts';
import { listInventoryRows, toTools, unfilteredInventory } from './queries.ts';
import { inventoryScopeOf } from './scope.ts';

/**
 * Returns the details of a tool, merged from all tabs that list it. Throws 404 for a tool outside the actor's scope.
 */
export async function findTool(tx: Tx, actor: Actor, toolId: string): Promise<ToolDetail> {
  const scope = await inventoryScopeOf(tx, actor);
  const found = [];
  for (const tab of toolTabs) {
    const query = { ...unfilteredInventory, tab, only: [toolId] };
    const { rows } = await listInventoryRows(tx, scope, query, { limit: 1, offset: 0 });
    found.push(...(await toTools(tx, scope, query, rows)));
  }
  const [first, second] = found;
  if (!first) throw NotFound('Tool');
  const entry = findToolEntry(toolId);
  const catalogFields = { description: entry?.description ?? '', website: entry?.website ?? null };
  if (!second) return { ...first, ...catalogFields, tabs: [first.type] };
  return {
    ...first,
    ...catalogFields,
    tabs: [first.type, second.type],
    version: second.lastSeen > first.lastSeen ? (second.version ?? first.version) : (first.version ?? second.version),
    sources: [...new Set([...first.sources, ...second.sources])],
    firstSeen: [first.firstSeen, second.firstSeen].sort()[0] ?? first.firstSeen,
    lastSeen: [first.lastSeen, second.lastSeen].sort()[1] ?? first.lastSeen,
    inUse: first.inUse === true || second.inUse === true,
  };
}
