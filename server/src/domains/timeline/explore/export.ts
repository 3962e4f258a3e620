import { type Event, type EventKind, type Parameter, specifiedEventKind } from '@sightline/contract/timeline/events.ts';
import type { EventFormat } from '@sightline/contract/timeline/explore.ts';
import type { Actor } from '#core/actor.ts';
import { Refusal } from '#core/errors.ts';
import { parsedEventTexts } from '#core/event-text.ts';
import { type ExportColumns, exportTextOf, recordExport } from '#core/exports.ts';
import type { FileAnswer } from '#core/route.ts';
import type { Services } from '#core/services.ts';
import { type ResolvedQuery, readEventsPage, resolveQuestion, type TimelineQuestion } from '../events/queries.ts';
import { histogramOfQuery, toRfc3339 } from './queries.ts';

/** Exports the events of a query as a file. */
export async function exportTimelineEvents(
  services: Services,
  actor: Actor,
  { format, ...question }: TimelineQuestion & { format: EventFormat },
): Promise<FileAnswer> {
  const resolved = await resolveQuestion(services, actor, question);
  const total = await maybeCount(services, resolved, question.offset);
  const fileOf = await services.database.withOrg(actor.orgId, (tx) =>
    recordExport(tx, services, actor, {
      of: 'events',
      format,
      entry: {
        action: 'event.exported',
        subject: { kind: 'organization', id: actor.orgId },
        data: {
          format,
          ...(total !== undefined && { events: total }),
          ...(question.context !== undefined && { context: question.context }),
        },
        // A query may name a person.
        ...(question.query !== '' && { personal: { query: question.query } }),
      },
    }),
  );
  const columns = columnsWith((id) => `${services.config.PUBLIC_URL}/explore?event=${id}`);
  return fileOf(exportTextOf(format, columns, batches(services, resolved)), total);
}

/** The number of events; undefined if counting takes too long. */
async function maybeCount(services: Services, resolved: ResolvedQuery, offset: number): Promise<number | undefined> {
  try {
    const { total, countedFrom, sample } = await histogramOfQuery(services, resolved, offset);
    return countedFrom === null && sample === null ? total : undefined;
  } catch (error) {
    // Counting takes too long, but an export in batches may succeed.
    if (error instanceof Refusal && error.code === 'unavailable') return undefined;
    throw error;
  }
}

const eventsPerBatch = 1000;

// Each batch has its own transaction, so that a slow reader holds no connection.
async function* batches(services: Services, resolved: ResolvedQuery): AsyncGenerator<Event[]> {
  for (let from: { asOf: string; id: string } | undefined, more = true; more; ) {
    const page = await readEventsPage(services, resolved, { from, direction: 'older', limit: eventsPerBatch }, true);
    if (page.rows.length > 0) yield page.rows.map(eventOf);
    const last = page.rows.at(-1);
    from = last && { asOf: toRfc3339(last.as_of), id: last.id };
    more = page.more && from !== undefined;
  }
}

function eventOf(row: Awaited<ReturnType<typeof readEventsPage>>['rows'][number]): Event {
  const { summary, detail } = parsedEventTexts({ summary: row.summary, detail: row.detail ?? '[]' });
  return {
    uuid: row.id,
    kind: specifiedEventKind(row.kind as EventKind),
    type: row.kind as EventKind,
    as_of: toRfc3339(row.as_of),
    receivedAt: toRfc3339(row.received_at),
    source: row.source,
    summary,
    detail: { parameters: detail },
  };
}

const columnsWith = (linkOf: (id: string) => string): ExportColumns<Event> => ({
  time: ({ as_of }) => as_of,
  kind: ({ type }) => type,
  what: ({ summary: { phrase, parameters } }) =>
    phrase.replace(/\{(\d+)\}/g, (_, place) => parameters[Number(place)]?.display ?? ''),
  who: firstOf('user'),
  repository: firstOf('repository'),
  details: ({ detail }) =>
    (detail?.parameters ?? []).map(({ label, parameter }) => `${label}: ${parameter.display}`).join('; '),
  source: ({ source }) => source,
  received: ({ receivedAt }) => receivedAt,
  id: ({ uuid }) => uuid,
  link: ({ uuid }) => linkOf(uuid),
});

/** The first parameter of a kind in the sentence or the details. */
function firstOf(kind: Parameter['kind']): (event: Event) => string {
  return ({ summary, detail }) =>
    [...summary.parameters, ...(detail?.parameters ?? []).map(({ parameter }) => parameter)].find(
      (parameter) => parameter.kind === kind,
    )?.ident ?? '';
}
