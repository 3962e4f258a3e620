import type { ExploreRequest } from '@sightline/contract/events.ts';
import type { Cursor } from './store/keys.ts';
import type { TextRow } from './store/pages.ts';

/** The answer that holds a page, as JSON; `more` says whether there are events behind it, `from` where it began. */
export function answerOf(request: ExploreRequest, page: TextRow[], more: boolean, from: Cursor | undefined): string {
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
