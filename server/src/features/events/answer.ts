import type { ExploreAnswer, ExploreRequest } from '@sightline/contract/events.ts';
import type { Cursor } from './store/keys.ts';
import type { TextRow } from './store/pages.ts';

interface Page {
  rows: TextRow[];
  /** Whether there are events behind it. */
  more: boolean;
  /** Where it began. */
  from: Cursor | undefined;
}

/** The answer that holds a page, as JSON. */
export function answerOf(
  request: ExploreRequest,
  { rows: page, more, from }: Page,
  kept: ExploreAnswer['kept'],
): string {
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
    kept,
  };
  return `${JSON.stringify(head).slice(0, -1)},"events":[${page.map(eventJson).join(',')}]}`;
}

// '2026-11-21 10:13:14.5+00' becomes RFC 3339; the session's time zone is UTC.
const isoOf = (time: string) => `${time.slice(0, 10)}T${time.slice(11, -3)}Z`;
const keyOf = (row: TextRow) => `${isoOf(row.as_of)}_${row.id}`;
const eventJson = (row: TextRow) =>
  `{"uuid":"${row.id}","kind":"${row.kind}","as_of":"${isoOf(row.as_of)}","receivedAt":"${isoOf(row.received_at)}","source":${JSON.stringify(row.source)},"summary":${row.summary}}`;
