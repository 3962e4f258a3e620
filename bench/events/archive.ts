import pg from 'pg';
import type { Services } from '../../server/src/core/services.ts';
import { openDatabase } from '../../server/src/database/database.ts';
import { archiveEventsOf } from '../../server/src/domains/timeline/events/segments/archive-events.ts';
import type { BenchServer } from '../process.ts';
import type { ReportRow } from '../report.ts';

// The newest events are of this day.
const lastDay = Date.UTC(2026, 10, 20);
const days = 30;

/** Archives the events of all organizations that are older than 30 days, and frees the space of their rows. */
export async function archiveOldEvents({ superuserUrl }: BenchServer): Promise<ReportRow> {
  const url = new URL(superuserUrl);
  url.pathname = '/sightline';
  const client = new pg.Client({ connectionString: url.href });
  await client.connect();
  const database = openDatabase({ url: url.href, max: 4, role: 'sightline_app', onError: () => undefined });
  const services = { database } as Services;
  const { rows } = await client.query<{ id: string }>('select id from organization');
  const cutoff = { occurred: new Date(lastDay - days * 86_400_000), received: new Date() };
  const started = performance.now();
  const cpu = process.cpuUsage();
  let events = 0;
  for (const { id } of rows) events += await archiveEventsOf(services, id, cutoff, 1);
  const seconds = (performance.now() - started) / 1000;
  const { user, system } = process.cpuUsage(cpu);
  const { rows: segments } = await client.query<{ n: number; bytes: number }>(
    'select count(*)::int as n, coalesce(sum(bytes), 0)::float8 as bytes from event_segment',
  );
  await database.close();
  // Rows that arrive later reuse this space; a measurement must not count it.
  await client.query('vacuum full analyze event');
  await client.query('vacuum full analyze posting_list');
  await client.query('vacuum analyze event_segment');
  await client.query('checkpoint');
  await client.end();
  return {
    name: 'archived events',
    events,
    segments: segments[0]?.n ?? 0,
    'bytes per archived event': Math.round((segments[0]?.bytes ?? 0) / events),
    seconds: Math.round(seconds),
    'events/s': Math.round(events / seconds),
    'server cpu µs per event': Math.round((user + system) / events),
  };
}
