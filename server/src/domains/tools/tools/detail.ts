import { type ToolDetail, toolTabs } from '@sightline/contract/tools/tools.ts';
import type { Actor } from '#core/actor.ts';
import { NotFound } from '#core/errors.ts';
import type { Tx } from '#database/database.ts';
import { entryOf } from './catalog/catalog.ts';
import { everything, rowsOf, toolsOf } from './queries.ts';
import { scopeOf } from './scope.ts';

/** A tool as its page shows it, from every tab it stands under; 404 for one the actor does not see. */
export async function findTool(tx: Tx, actor: Actor, toolId: string): Promise<ToolDetail> {
  const scope = await scopeOf(tx, actor);
  const found = [];
  for (const tab of toolTabs) {
    const asked = { ...everything, tab, only: [toolId] };
    const { rows } = await rowsOf(tx, scope, asked, { limit: 1, offset: 0 });
    found.push(...(await toolsOf(tx, scope, asked, rows)));
  }
  const [first, second] = found;
  if (!first) throw NotFound('Tool');
  const entry = entryOf(toolId);
  const about = { description: entry?.description ?? '', website: entry?.website ?? null };
  if (!second) return { ...first, ...about, tabs: [first.type] };
  return {
    ...first,
    ...about,
    tabs: [first.type, second.type],
    version: second.lastSeen > first.lastSeen ? (second.version ?? first.version) : (first.version ?? second.version),
    sources: [...new Set([...first.sources, ...second.sources])],
    firstSeen: [first.firstSeen, second.firstSeen].sort()[0] ?? first.firstSeen,
    lastSeen: [first.lastSeen, second.lastSeen].sort()[1] ?? first.lastSeen,
    inUse: first.inUse || second.inUse,
  };
}
