import type { Tx } from '#database/database.ts';
import { matchingEvents } from '../archive/counts.ts';
import { eventsAt } from '../archive/events.ts';
import { ordinalsIn } from '../archive/ordinals.ts';
import type { EventChange } from '../archive/rewrite.ts';
import { readRows } from '../archive/rows.ts';
import type { Segment } from '../archive/segment.ts';
import { MICROS, postgresTimeOf } from '../archive/times.ts';
import { expiringKinds, type RetentionStart, retentionPeriodOf } from '../retention-start.ts';
import { and, not, or, type StoreCondition } from '../store/condition.ts';
import { hourSql } from '../store/tests.ts';
import { withCurrentSegments } from './lookup.ts';
import { openEntry } from './open-segments.ts';
import { resolveByTables } from './resolve-candidates.ts';
import { rewriteSegments } from './rewrite-segments.ts';
import type { SegmentServices } from './segment-bytes.ts';

const ends = ['clipboard', 'events'] as const;

/** Deletes the expired events of an organization from its segments, with their counts. Returns their number. */
export const expireArchivedEvents = (
  services: SegmentServices,
  orgId: string,
  start: RetentionStart,
): Promise<number> =>
  rewriteSegments(services, orgId, {
    mayChange: ({ firstAt }) => firstAt < Math.max(start.clipboard, start.events) * MICROS,
    changesOf: async (tx, segment) => {
      const expired = await matchingEvents(segment, expiredCondition(start), undefined, {
        resolve: resolveByTables(services.database, orgId),
      });
      const changes = new Map<string, EventChange>();
      const ordinals = [...ordinalsIn(expired)];
      for (let from = 0; from < ordinals.length; from += EVENTS_PER_STATEMENT) {
        const part = ordinals.slice(from, from + EVENTS_PER_STATEMENT);
        for (const id of await forget(tx, orgId, segment, part)) changes.set(id, { isDeleted: true });
      }
      return changes;
    },
  });

const EVENTS_PER_STATEMENT = 4096;

const expiredCondition = (start: RetentionStart): StoreCondition =>
  or(
    ...ends.map((end) =>
      and(
        { is: 'column', column: 'kind', any: expiringKinds.filter((kind) => retentionPeriodOf(kind) === end) },
        { is: 'time', from: null, to: start[end] },
      ),
    ),
  );

/** Keeps the hashes of expired events that proofs of their batch need, and lowers the counts. Returns their IDs. */
async function forget(tx: Tx, orgId: string, segment: Segment, ordinals: readonly number[]): Promise<string[]> {
  const events = await eventsAt(segment, ordinals);
  await tx.query({
    name: '',
    text: forgetSql,
    values: [
      orgId,
      events.map(({ id }) => id),
      events.map(({ asOf }) => postgresTimeOf(asOf)),
      events.map(({ kind }) => kind),
      events.map(({ receivedAt }) => postgresTimeOf(receivedAt)),
      events.map(({ proof }) => proof),
      events.map(({ leafHash }) => Buffer.from(leafHash)),
      events.map(({ kind }) => retentionPeriodOf(kind as (typeof expiringKinds)[number]) === 'clipboard'),
    ],
  });
  return events.map(({ id }) => id);
}

const forgetSql = `
  with gone as materialized (
    select * from unnest($2::uuid[], $3::timestamptz[], $4::text[], $5::timestamptz[], $6::uuid[], $7::bytea[], $8::boolean[])
      as gone(id, as_of, kind, received_at, proof, leaf_hash, is_clipboard)
  ), proofs as (
    insert into forgotten_event (org_id, received_at, id, proof, leaf_hash)
    select $1::uuid, received_at, id, proof, leaf_hash from gone where proof <> id on conflict do nothing
  ), sums as (
    select ${hourSql('as_of')} as hour, kind, count(*)::int as n from gone group by 1, 2
  ), lowered as (
    update event_hour_kind h set n = h.n - s.n from sums s
    where h.org_id = $1 and h.hour = s.hour and h.kind = s.kind and h.n > s.n
  ), emptied as (
    delete from event_hour_kind h using sums s where h.org_id = $1 and h.hour = s.hour and h.kind = s.kind and h.n <= s.n
  )
  insert into event_retention as r (org_id, events, clipboard_events)
  select $1, count(*) filter (where not is_clipboard), count(*) filter (where is_clipboard) from gone having count(*) > 0
  on conflict (org_id) do update
  set events = r.events + excluded.events, clipboard_events = r.clipboard_events + excluded.clipboard_events`;

/** The entries that prove archived events of kinds that are kept, received before a time, together with other events. */
export const sharedProofsOfKept = (services: SegmentServices, orgId: string, before: number): Promise<string[]> =>
  withCurrentSegments(services, orgId, async (segments) => {
    const proofs = new Set<string>();
    for (const entry of segments) {
      if (entry.receivedFrom >= before * MICROS) continue;
      const segment = await openEntry(services, orgId, entry);
      const kept = await matchingEvents(segment, not({ is: 'column', column: 'kind', any: expiringKinds }), undefined, {
        resolve: resolveByTables(services.database, orgId),
      });
      for (const { id, proof } of await readRows(segment, [...ordinalsIn(kept)], ['id', 'proof']))
        if (proof !== id) proofs.add(proof);
    }
    return [...proofs];
  });
