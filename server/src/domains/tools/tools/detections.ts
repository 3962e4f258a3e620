import type { Page } from '@sightline/contract/core/endpoint.ts';
import type { listToolDetections, ToolSource } from '@sightline/contract/tools/tools.ts';
import type { z } from 'zod';
import type { Actor } from '#core/actor.ts';
import type { Tx } from '#database/database.ts';
import { containsText, fetchPage } from '#database/page.ts';
import { isVisibleSql } from '../../sources/repositories/queries.ts';
import { detectionUrl } from './code-url.ts';
import { scopeWithTool } from './queries.ts';
import type { InventoryScope } from './scope.ts';

type Detections = z.output<typeof listToolDetections.response>;

const detectionSorts = {
  'date-desc': ['d.last_seen', 'desc'],
  'date-asc': ['d.last_seen', 'asc'],
  'repository-asc': ['r.full_name', 'asc'],
  'repository-desc': ['r.full_name', 'desc'],
} as const;

/** Returns one page of the detections of a tool in repositories, current ones first. */
export async function listDetectionsOfTool(
  tx: Tx,
  actor: Actor,
  toolId: string,
  query: z.output<typeof listToolDetections.query>,
): Promise<Page<Detections>> {
  const scope = await scopeWithTool(tx, actor, toolId);
  const [column, direction] = detectionSorts[query.sort];
  const found = await fetchPage(
    tx.db
      .selectFrom('tool_detection as d')
      .innerJoin('repository as r', (join) =>
        join.onRef('r.org_id', '=', 'd.org_id').onRef('r.id', '=', 'd.repository_id'),
      )
      .where('d.org_id', '=', scope.orgId)
      .where('d.tool_id', '=', toolId)
      .where(isVisibleSql('d.repository_id', scope))
      .$if(query.repository !== undefined, (q) => q.where('d.repository_id', '=', query.repository ?? ''))
      .$if(query.search !== '', (q) =>
        q.where((eb) =>
          eb.or([
            containsText(eb.ref('d.path'), query.search),
            containsText(eb.ref('d.text'), query.search),
            containsText(eb.ref('r.full_name'), query.search),
          ]),
        ),
      )
      .select(['d.id', 'd.repository_id', 'd.path', 'd.line', 'd.text', 'd.version', 'd.source', 'd.commit_sha'])
      .select(['d.added_by', 'd.person_id', 'd.confidence', 'd.first_seen', 'd.last_seen', 'd.removed_at'])
      .select(['r.provider', 'r.full_name', 'r.html_url'])
      .orderBy(column, direction)
      .orderBy('d.id', direction),
    query,
  );
  return {
    total: found.total,
    rows: found.rows.map((row) => ({
      id: row.id,
      repository: { id: row.repository_id, provider: row.provider, fullName: row.full_name },
      path: row.path,
      line: row.line,
      text: row.text,
      version: row.version,
      source: row.source as ToolSource,
      commit: row.commit_sha,
      url: detectionUrl(row),
      addedBy: isSeen(scope, row.person_id) ? row.added_by : null,
      confidence: row.confidence as Detections[number]['confidence'],
      firstSeen: row.first_seen.toISOString(),
      lastSeen: row.last_seen.toISOString(),
      removedAt: row.removed_at?.toISOString() ?? null,
    })),
  };
}

const isSeen = ({ people }: InventoryScope, personId: string | null) =>
  people === undefined || (personId !== null && people.includes(personId));
