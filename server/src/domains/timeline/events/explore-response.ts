import {
  type EventKind,
  type ExploreRequest,
  type ExploreResponse,
  specifiedEventKind,
} from '@sightline/contract/timeline/events.ts';
import { fullDetail } from '#core/event-text.ts';
import { completeTexts } from './complete-texts.ts';
import type { Cursor } from './store/keys.ts';
import type { EventPageRow } from './store/pages.ts';

interface Page {
  /** With summaries as JSON, and details in their stored form. */
  rows: EventPageRow[];
  /** Whether more events follow. */
  more: boolean;
  /** The cursor that the page starts at. */
  from: Cursor | undefined;
  people: ExploreResponse['people'];
  archived: ExploreResponse['archived'];
}

/** The response for a page, as JSON. */
export function exploreResponseJson(
  request: ExploreRequest,
  { rows: page, more, from, people, archived }: Page,
  kept: ExploreResponse['kept'],
): string {
  const { direction } = request.pagination;
  const [newest] = page;
  const oldest = page.at(-1);
  const startCursor = from ? `${from.asOf}_${from.id}` : null;
  const head = {
    request: { context: request.context ?? null, query: request.query, direction },
    cursors: { older: oldest ? keyOf(oldest) : startCursor, newer: newest ? keyOf(newest) : startCursor },
    reachedStart: direction === 'newer' ? !more : from === undefined,
    reachedEnd: direction === 'older' && !more,
    dataUpdatedAt: new Date().toISOString(),
    kept,
    people,
    archived,
  };
  const events = page.map(
    (row) =>
      `${factsJson(row)},${request.details ? completeTexts(row.summary, fullDetail(row.detail ?? '[]', row.summary)) : `"summary":${row.summary}`}}`,
  );
  return `${JSON.stringify(head).slice(0, -1)},"events":[${events.join(',')}]}`;
}

// '2026-11-21 10:13:14.5+00' becomes RFC 3339; the session's time zone is UTC.
const isoOf = (time: string) => `${time.slice(0, 10)}T${time.slice(11, -3)}Z`;
const keyOf = (row: EventPageRow) => `${isoOf(row.as_of)}_${row.id}`;
const factsJson = (row: EventPageRow) =>
  `{"uuid":"${row.id}","kind":"${specifiedEventKind(row.kind as EventKind)}","type":"${row.kind}","as_of":"${isoOf(row.as_of)}","receivedAt":"${isoOf(row.received_at)}","source":${JSON.stringify(row.source)}`;
