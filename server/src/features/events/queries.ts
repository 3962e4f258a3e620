import { type Context, contextFilter } from '@sightline/contract/contexts.ts';
import type { Event, ExploreRequest } from '@sightline/contract/events.ts';
import { z } from 'zod';
import type { Actor } from '#core/actor.ts';
import { NotFound } from '#core/errors.ts';
import type { RawJson } from '#core/route.ts';
import type { Services } from '#core/services.ts';
import { type Database, textTypes } from '#database/database.ts';
import { narrow } from './filters.ts';
import { type Cursor, type TimelineQuery, timelineQuery } from './timeline.ts';

/** A row of the page as PostgreSQL writes it: every column text. */
interface TextRow extends Record<string, string> {
  id: string;
  kind: string;
  as_of: string;
  received_at: string;
  source: string;
  summary: string;
}

/** One page of the timeline, as JSON: newest first whichever way it was walked. */
export async function exploreEvents(services: Services, actor: Actor, request: ExploreRequest): Promise<RawJson> {
  const { pagination } = request;
  const { direction, events: count } = pagination;
  const from = cursorOf(pagination.cursors[direction]);
  const { database } = services;
  const context =
    request.context === undefined ? [] : (await findContext(database, actor.orgId, request.context)).filters;
  const narrowing = await narrow(database, actor.orgId, [...context, ...request.filters], request.query);
  if (actor.reach('read:events') === 'own') narrowing.actors.push({ any: [actor.personId], not: false });
  const query = timelineQuery({ narrowing, direction, from, limit: count + 1 });
  const rows = await database.onceWithOrg<TextRow>(actor.orgId, { name: nameOf(query), ...query, types: textTypes });
  const more = rows.length > count;
  const page = more ? rows.slice(0, count) : rows;
  if (direction === 'newer') page.reverse();
  return { rawJson: answerOf(request, page, more, from) };
}

// Equal texts keep one plan on the server; the name must be short and the same for the same text.
const names = new Map<string, string>();
function nameOf({ text }: TimelineQuery): string {
  const known = names.get(text);
  if (known !== undefined) return known;
  const name = `events.timeline.${names.size}`;
  // Past this many shapes a statement is planned each time: unnamed.
  if (names.size >= 200) return '';
  names.set(text, name);
  return name;
}

function cursorOf(cursor: string | undefined): Cursor | undefined {
  if (cursor === undefined) return undefined;
  const [asOf = '', id = ''] = cursor.split('_');
  return { asOf, id };
}

function answerOf(request: ExploreRequest, page: TextRow[], more: boolean, from: Cursor | undefined): string {
  const { direction } = request.pagination;
  const [newest] = page;
  const oldest = page.at(-1);
  const standing = from ? `${from.asOf}_${from.id}` : null;
  const head = {
    request: { context: request.context ?? null, query: request.query, direction },
    cursors: { older: oldest ? keyOf(oldest) : standing, newer: newest ? keyOf(newest) : standing },
    reachedStart: direction === 'newer' ? !more : from === undefined,
    reachedEnd: direction === 'older' && !more,
    dataUpdatedAt: new Date().toISOString(),
  };
  return `${JSON.stringify(head).slice(0, -1)},"events":[${page.map(eventJson).join(',')}]}`;
}

// '2026-11-21 10:13:14.5+00' becomes RFC 3339; the session's time zone is UTC.
const isoOf = (time: string) => `${time.slice(0, 10)}T${time.slice(11, -3)}Z`;
const keyOf = (row: TextRow) => `${isoOf(row.as_of)}_${row.id}`;
const eventJson = (row: TextRow) =>
  `{"uuid":"${row.id}","kind":"${row.kind}","as_of":"${isoOf(row.as_of)}","receivedAt":"${isoOf(row.received_at)}","source":${JSON.stringify(row.source)},"summary":${row.summary}}`;

/** One event with its details; 404 for one the actor may not see. */
export function findEvent(services: Services, actor: Actor, eventId: string): Promise<Event> {
  return services.database.withOrg(actor.orgId, async (tx) => {
    const row = await tx.db
      .selectFrom('event as e')
      .where('e.org_id', '=', actor.orgId)
      .where('e.id', '=', eventId)
      .$if(actor.reach('read:events') === 'own', (query) => query.where('e.actor', '=', actor.personId))
      .select(['e.id', 'e.kind', 'e.as_of', 'e.received_at', 'e.source', 'e.summary', 'e.detail'])
      .executeTakeFirst();
    if (!row) throw NotFound('That event');
    return {
      uuid: row.id,
      kind: row.kind as Event['kind'],
      as_of: row.as_of.toISOString(),
      receivedAt: row.received_at.toISOString(),
      source: row.source,
      summary: JSON.parse(String(row.summary)),
      detail: { parameters: JSON.parse(String(row.detail)) },
    };
  });
}

/** The filters of a context; 404 for one of another organisation. */
export async function findContext(database: Database, orgId: string, contextId: string): Promise<Context> {
  const [row] = await database.onceWithOrg<{ filters: unknown }>(orgId, {
    name: 'events.context',
    text: ` select c.filters from tenant cross join lateral (
              select filters from context where org_id = tenant.org and id = $2 offset 0) c`,
    values: [contextId],
  });
  if (!row) throw NotFound('That context');
  return { contextId, filters: z.array(contextFilter).parse(row.filters) };
}
