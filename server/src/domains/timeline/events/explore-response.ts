import {
  type EventKind,
  type ExploreRequest,
  type ExploreResponse,
  type Parameter,
  specifiedEventKind,
} from '@sightline/contract/timeline/events.ts';
import { splitEventTexts } from '#core/event-text.ts';
import type { Cursor } from './store/keys.ts';
import type { EventPageRow } from './store/pages.ts';

interface Page {
  /** With restored summaries, and details in their stored form. */
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
  const complete = parameterCompleter();
  const events = page.map(
    (row) => `${factsJson(row)},${request.details ? detailJson(row, complete) : `"summary":${row.summary}`}}`,
  );
  return `${JSON.stringify(head).slice(0, -1)},"events":[${events.join(',')}]}`;
}

// '2026-11-21 10:13:14.5+00' becomes RFC 3339; the session's time zone is UTC.
const isoOf = (time: string) => `${time.slice(0, 10)}T${time.slice(11, -3)}Z`;
const keyOf = (row: EventPageRow) => `${isoOf(row.as_of)}_${row.id}`;
const factsJson = (row: EventPageRow) =>
  `{"uuid":"${row.id}","kind":"${specifiedEventKind(row.kind as EventKind)}","type":"${row.kind}","as_of":"${isoOf(row.as_of)}","receivedAt":"${isoOf(row.received_at)}","source":${JSON.stringify(row.source)}`;

/** Summary and details with all fields of section 3 of the specification. `complete` returns a parameter with all its fields. */
function detailJson({ summary, detail = '[]' }: EventPageRow, complete: (parameter: string) => string): string {
  const { phrase, parameters, details } = splitEventTexts({ summary, detail });
  const labeled = details.map(({ label, parameter }) => {
    const json = complete(parameter);
    return `{"label":${label},${json.slice(1, -1)},"parameter":${json}}`;
  });
  return `"summary":{"phrase":${phrase},"parameters":[${parameters.map(complete).join(',')}]},"detail":{"parameters":[${labeled.join(',')}]}`;
}

const startOfKind = '{"kind":"';

/** Returns the JSON of parameters with all fields. The parameters of a page often repeat. */
function parameterCompleter(): (parameter: string) => string {
  const known = new Map<string, string>();
  return (parameter) => {
    const found = known.get(parameter);
    if (found !== undefined) return found;
    const complete = completedJson(parameter);
    known.set(parameter, complete);
    return complete;
  };
}

/**
 * Adds `data` and `icon` to the JSON of a parameter without them. A quotation mark within a string is escaped, so only a key
 * looks like one.
 */
function completedJson(parameter: string): string {
  if (!parameter.startsWith(startOfKind) || parameter.includes('"icon":') || parameter.includes('"data":null'))
    return parsedAndCompleted(parameter);
  const kind = parameter.slice(startOfKind.length, parameter.indexOf('"', startOfKind.length));
  return `${parameter.slice(0, -1)}${parameter.includes(',"data":') ? '' : ',"data":{}'},"icon":"${kind}"}`;
}

function parsedAndCompleted(json: string): string {
  const parameter = JSON.parse(json) as Parameter;
  return JSON.stringify({ ...parameter, data: parameter.data ?? {}, icon: parameter.icon ?? parameter.kind });
}
