import type { ArchivedEvent } from '../../server/src/domains/timeline/events/archive/archived-event.ts';
import { microsOf } from '../../server/src/domains/timeline/events/archive/times.ts';
import { startServer } from '../process.ts';
import { buildEventsSql, chooseEventsSql } from './rows.ts';
import { connect, seedVocabulary, termParameters } from './seed.ts';

const size = 65_536;

/** As many events of one organization as a segment can contain, in 30 days, with the shares and words of `bench/events`. */
export async function monthOfEvents(): Promise<ArchivedEvent[]> {
  const server = await startServer();
  const client = await connect(server);
  try {
    await client.query(
      "insert into organization (id, name, slug, display_name) select gen_random_uuid(), 'Other', 'other-' || n, 'Other' from generate_series(1, 19) n",
    );
    await seedVocabulary(client);
    // Half of the events of 180 days belong to the organization.
    await client.query(chooseEventsSql, [size * 12, server.orgId, 1, Math.ceil(size * 2.02)]);
    await client.query('analyze chosen');
    await client.query(buildEventsSql, termParameters);
    // They occurred up to a minute before their batch was received. The month ends on 31 October.
    const { rows } = await client.query<Record<string, unknown> & Record<'as_of' | 'received_at', string>>(
      `select id, kind, actor, repo, pr, source, summary, detail, sha256(int8send(n)) as "leafHash", pg_temp.id('batch' || n / 100) as proof,
         (date_trunc('milliseconds', as_of) - interval '19 days' - pg_temp.place(n, 50, 60000, 1) * interval '1 millisecond')::text as as_of,
         (max(as_of) over (partition by n / 100) - interval '19 days' + interval '2.123456 s')::text as received_at,
         array(select distinct t::float8 from unnest(terms) t where t is not null) as terms
       from made where org_id = $1`,
      [server.orgId],
    );
    return rows
      .map(({ as_of, received_at, ...row }) => ({
        ...(row as Omit<ArchivedEvent, 'asOf' | 'receivedAt'>),
        asOf: microsOf(as_of),
        receivedAt: microsOf(received_at),
      }))
      .sort((one, other) => one.asOf - other.asOf || (one.id < other.id ? -1 : 1))
      .slice(0, size);
  } finally {
    await client.end();
    await server.stop();
  }
}
