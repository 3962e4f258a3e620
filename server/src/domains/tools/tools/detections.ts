import type { Page } from '@sightline/contract/core/endpoint.ts';
import type { listToolDetections, ToolSource } from '@sightline/contract/tools/tools.ts';
import { sql } from 'kysely';
import type { z } from 'zod';
import type { Actor } from '#core/actor.ts';
import type { Tx } from '#database/database.ts';
import { containsText } from '#database/page.ts';
import { runPrepared } from '#database/run-prepared.ts';
import { shareRows } from '#database/shared-rows.ts';
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
  const matching = matchingSql(tx, scope, toolId, query);
  const rows = await runPrepared(
    tx,
    matching
      .select(['d.id', 'd.repository_id', 'd.path', 'd.line', 'd.text', 'd.version', 'd.source', 'd.commit_sha'])
      .select(['d.added_by', 'd.person_id', 'd.confidence', 'd.first_seen', 'd.last_seen', 'd.removed_at'])
      .select(['r.provider', 'r.full_name', 'r.html_url'])
      // Reads the texts once for the page and its total.
      .$if(query.search !== '', (q) => q.select(sql<number>`(count(*) over ())::int`.as('total')))
      .orderBy(column, direction)
      .orderBy('d.id', direction)
      .limit(query.perPage)
      .offset((query.page - 1) * query.perPage),
  );
  const counting = matching.select(sql<number>`count(*)::int`.as('total'));
  const [counted] = rows[0]?.total === undefined ? await shareRows(tx, scope, counting) : rows;
  return {
    total: counted?.total ?? 0,
    rows: rows.map((row) => ({
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

/** The detections `d` of a tool that match, with their repositories `r`. */
const matchingSql = (
  tx: Tx,
  scope: InventoryScope,
  toolId: string,
  { repository, search }: Pick<z.output<typeof listToolDetections.query>, 'repository' | 'search'>,
) =>
  tx.db
    .selectFrom('tool_detection as d')
    .innerJoin('repository as r', (join) =>
      join.onRef('r.org_id', '=', 'd.org_id').onRef('r.id', '=', 'd.repository_id'),
    )
    .where('d.org_id', '=', scope.orgId)
    .where('d.tool_id', '=', toolId)
    .where(isVisibleSql('d.repository_id', scope))
    .$if(repository !== undefined, (q) => q.where('d.repository_id', '=', repository ?? ''))
    .$if(search !== '', (q) =>
      q.where((eb) =>
        eb.or([
          containsText(eb.ref('d.path'), search),
          containsText(eb.ref('d.text'), search),
          containsText(eb.ref('r.full_name'), search),
        ]),
      ),
    );

const isSeen = ({ people }: InventoryScope, personId: string | null) =>
  people === undefined || (personId !== null && people.includes(personId));
