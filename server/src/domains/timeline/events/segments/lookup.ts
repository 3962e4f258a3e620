import { ordinalsOfIds } from '../archive/lookup.ts';
import { type ArchivedColumn, type ArchivedRow, readRows } from '../archive/rows.ts';
import type { Segment } from '../archive/segment.ts';
import { microsOf } from '../archive/times.ts';
import { openEntry } from './open-segments.ts';
import type { SegmentServices } from './segment-bytes.ts';
import { readSegmentList, type SegmentEntry, SegmentReplaced } from './segment-list.ts';

/** An event that may be archived, with the time that it probably has, in RFC 3339. */
interface LookedUpEvent {
  id: string;
  asOf?: string | undefined;
}

interface LocatedEvent {
  entry: SegmentEntry;
  segment: Segment;
  ordinal: number;
}

/** The archived events with these IDs, of an organization, by ID. */
async function locate(
  services: SegmentServices,
  orgId: string,
  events: readonly LookedUpEvent[],
  segments: readonly SegmentEntry[],
): Promise<Map<string, LocatedEvent>> {
  const found = new Map<string, LocatedEvent>();
  const times = events.flatMap(({ asOf }) => (asOf === undefined || asOf === '' ? [] : Math.floor(microsOfAny(asOf))));
  const isLikely = ({ firstAt, lastAt }: SegmentEntry) => times.some((time) => time >= firstAt && time <= lastAt);
  const ordered = segments.toSorted((one, other) => Number(isLikely(other)) - Number(isLikely(one)));
  for (const entry of ordered) {
    const missing = events.flatMap(({ id }) => (found.has(id) ? [] : id));
    if (missing.length === 0) break;
    const segment = await openEntry(services, orgId, entry);
    for (const [id, ordinal] of await ordinalsOfIds(segment, missing)) found.set(id, { entry, segment, ordinal });
  }
  return found;
}

/** Microseconds of a time in RFC 3339 with any offset. */
const microsOfAny = (time: string): number => (time.endsWith('Z') ? microsOf(time) : Date.parse(time) * 1000);

const MAX_ATTEMPTS = 5;

/** Runs a read of the current segments, again if they were replaced meanwhile. */
export async function withCurrentSegments<Answer>(
  { database }: SegmentServices,
  orgId: string,
  read: (segments: readonly SegmentEntry[]) => Promise<Answer>,
): Promise<Answer> {
  for (let attempt = 1; ; attempt += 1) {
    const { segments } = await readSegmentList(database, orgId);
    try {
      return await read(segments);
    } catch (error) {
      if (!(error instanceof SegmentReplaced) || attempt === MAX_ATTEMPTS) throw error;
    }
  }
}

/** Those of these events that are archived, by ID. */
export const findArchivedIds = (
  services: SegmentServices,
  orgId: string,
  events: readonly LookedUpEvent[],
): Promise<Set<string>> =>
  withCurrentSegments(
    services,
    orgId,
    async (segments) => new Set((await locate(services, orgId, events, segments)).keys()),
  );

/** The columns of archived events with these IDs, by ID. */
export const readArchivedEvents = <Column extends ArchivedColumn>(
  services: SegmentServices,
  orgId: string,
  ids: readonly string[],
  columns: readonly Column[],
): Promise<Map<string, Pick<ArchivedRow, Column>>> =>
  withCurrentSegments(services, orgId, async (segments) => {
    const located = await locate(
      services,
      orgId,
      ids.map((id) => ({ id })),
      segments,
    );
    const rows = new Map<string, Pick<ArchivedRow, Column>>();
    for (const [segment, ofSegment] of Map.groupBy(located, ([, event]) => event.segment)) {
      const read = await readRows(
        segment,
        ofSegment.map(([, { ordinal }]) => ordinal),
        columns,
      );
      ofSegment.forEach(([id], place) => {
        const row = read[place];
        if (row) rows.set(id, row);
      });
    }
    return rows;
  });
