import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import pg from 'pg';
import { hashTerm } from '../../server/src/domains/timeline/events/terms.ts';
import type { BenchServer } from '../process.ts';
import { archiveMonth, monthTableSql, type Places, placesByMonth } from './archived.ts';
import {
  buildEventsSql,
  chooseEventsSql,
  helperFunctionsSql,
  insertEventsSql,
  insertHourlyTotalsSql,
  insertLedgerEntriesSql,
  insertLedgerTilesSql,
  insertPostingListsSql,
  temporaryTablesSql,
} from './rows.ts';
import {
  markedWordIntervals,
  numberTerms,
  pullRequestTerms,
  shaTerms,
  vocabularyCounts,
  vocabularyItems,
  vocabularyWords,
} from './vocabulary.ts';

export interface SeededOrganizations {
  /** Organizations besides the benchmarked one. */
  others: number;
  /** The share of events of the benchmarked organization. The others share the rest alike. */
  share: number;
  /** Whether the others have people, repositories and an owner too, so that requests can be sent for them. */
  complete: boolean;
  /** Whether events older than 30 days are in segments from the start. Needs a third of the time and of the disk. */
  archived?: boolean;
}

export const oneOfTwenty: SeededOrganizations = { others: 19, share: 0.5, complete: false };

/**
 * Inserts events of half a year in several organizations, by default 20 with half of them in the benchmarked one, with
 * posting lists, dictionary and hourly totals. Writes them in bulk without the API. A database that already contains
 * them stays unchanged.
 */
export async function seedEvents(
  server: BenchServer,
  total: number,
  organizations: SeededOrganizations = oneOfTwenty,
): Promise<void> {
  const markerFile = join(server.folder, 'bench-events');
  const storedTotal = await readFile(markerFile, 'utf8').catch(() => undefined);
  if (storedTotal === String(total)) return;
  if (storedTotal !== undefined) throw new Error(`${server.folder} holds ${storedTotal} events and not ${total}`);
  const started = performance.now();
  const clients = await Promise.all([connect(server), connect(server)]);
  const [first] = clients;
  if (!first) throw new Error('no connection');
  try {
    await setDurabilityOff(first, true);
    await seedNames(first, server.orgId, organizations);
    const source = { orgId: server.orgId, total, share: organizations.share };
    const { recent, months } = placesByMonth(total);
    if (organizations.archived) await fillArchive(server, clients, source, months);
    const restore = await withoutIndexes(first);
    await fill(clients, source, organizations.archived ? recent : { from: 1, to: total });
    await forEachItem(clients, restore, (client, statement) => client.query(statement));
    await first.query('reset enable_nestloop; reset enable_hashagg');
    await first.query(insertHourlyTotalsSql('event'));
    await first.query(insertLedgerEntriesSql('event'));
    await first.query(insertLedgerTilesSql);
    await first.query('drop table bench_thing, bench_word');
    await first.query('delete from event_reindex');
    for (const table of [
      'event',
      'posting_list',
      'posting_name',
      'event_hour_kind',
      'event_segment',
      'ledger_entry',
      'ledger_tile',
      'person',
      'identity',
      'repository',
    ])
      await first.query(`vacuum analyze ${table}`);
    await setDurabilityOff(first, false);
    await first.query('checkpoint');
  } finally {
    await Promise.all(clients.map((client) => client.end()));
  }
  await writeFile(markerFile, String(total));
  console.log(`${total} events were made in ${Math.round((performance.now() - started) / 1000)} s`);
}

/** Turns off durability while seeding: an interrupted run is discarded. */
async function setDurabilityOff(client: pg.Client, on: boolean): Promise<void> {
  const settings = {
    fsync: 'off',
    full_page_writes: 'off',
    synchronous_commit: 'off',
    max_wal_size: "'16GB'",
    autovacuum: 'off',
  };
  for (const [name, value] of Object.entries(settings))
    await client.query(on ? `alter system set ${name} = ${value}` : `alter system reset ${name}`);
  await client.query('select pg_reload_conf()');
}

/** Connects as the superuser, with the functions and temporary tables that create events. */
export async function connect({ superuserUrl }: BenchServer): Promise<pg.Client> {
  const url = new URL(superuserUrl);
  url.pathname = '/sightline';
  const client = new pg.Client({ connectionString: url.href });
  await client.connect();
  await client.query(
    `set work_mem = '1GB'; set maintenance_work_mem = '1GB'; set jit = off; set timezone = 'UTC'; set temp_buffers = '256MB'; set enable_hashagg = off; set enable_nestloop = off`,
  );
  await client.query(helperFunctionsSql);
  await client.query(temporaryTablesSql);
  return client;
}

async function seedNames(client: pg.Client, orgId: string, { others, complete }: SeededOrganizations): Promise<void> {
  const { rows } = await client.query<{ id: string }>(
    "insert into organization (id, name, slug, display_name) select gen_random_uuid(), 'Other', 'other-' || n, 'Other' from generate_series(1, $1::int) n returning id",
    [others],
  );
  if (complete) await seedOwners(client);
  await seedItems(client, [orgId, ...(complete ? rows.map(({ id }) => id) : [])]);
  await seedVocabulary(client);
  const names = [
    ...vocabularyItems.flatMap(({ names: of, nameTerms }) =>
      of.map((name, place) => ({ name, term: nameTerms[place] })),
    ),
    ...wordsWithMarks.map(({ word, term }) => ({ name: `word\n${word}`, term })),
  ];
  await client.query(
    `insert into posting_name (org_id, field, value, term)
     select o.id, split_part(x.name, E'\\n', 1), substr(x.name, strpos(x.name, E'\\n') + 1), x.term
     from organization o cross join unnest($1::text[], $2::bigint[]) as x(name, term) order by 1, 2, 3 on conflict do nothing`,
    [names.map(({ name }) => name), names.map(({ term }) => term)],
  );
}

const wordsWithMarks = [
  ...vocabularyWords,
  ...Object.keys(markedWordIntervals).map((word) => ({ word, term: hashTerm(word) })),
];

/** Creates the tables of items and words that events are built from. */
export async function seedVocabulary(client: pg.Client): Promise<void> {
  await client.query(
    'create table bench_thing (sort text, place int, name text, display text, terms bigint[], primary key (sort, place))',
  );
  await client.query('create table bench_word (place int primary key, word text not null, term bigint not null)');
  await client.query(
    'insert into bench_thing select sort, place, name, display, terms::bigint[] from jsonb_to_recordset($1::jsonb) as x(sort text, place int, name text, display text, terms text)',
    [
      JSON.stringify(
        vocabularyItems.map(({ sort, place, name, display, terms }) => ({
          sort,
          place,
          name,
          display,
          terms: `{${terms.join()}}`,
        })),
      ),
    ],
  );
  await client.query('insert into bench_word select * from unnest($1::int[], $2::text[], $3::bigint[])', [
    wordsWithMarks.map((_, place) => place),
    wordsWithMarks.map(({ word }) => word),
    wordsWithMarks.map(({ term }) => term),
  ]);
  await client.query('analyze bench_thing, bench_word');
}

/** Inserts an owner for each organization without members. */
async function seedOwners(client: pg.Client): Promise<void> {
  await client.query(`
    create temp table owner_of as select id as org_id, gen_random_uuid() as account_id, gen_random_uuid() as person_id
      from organization o where not exists (select from member m where m.org_id = o.id);
    insert into account (id, email, name, email_verified_at)
      select account_id, account_id || '@example.org', 'Owner', now() from owner_of;
    insert into member (org_id, account_id, role_id, status)
      select org_id, account_id, 'rol_owner', 'active' from owner_of;
    insert into person (org_id, id) select org_id, person_id from owner_of;
    insert into identity (org_id, kind, value, person_id, source, confidence)
      select org_id, 'account', account_id::text, person_id, 'sightline', 'declared' from owner_of;
    drop table owner_of`);
}

/** Inserts the people and repositories of organizations. */
async function seedItems(client: pg.Client, organizations: readonly string[]): Promise<void> {
  await client.query(
    `insert into person (org_id, id) select o, pg_temp.id('person' || n)
     from unnest($1::uuid[]) o, generate_series(0, $2::int - 1) n`,
    [organizations, vocabularyCounts.person],
  );
  await client.query(
    `insert into identity (org_id, kind, value, person_id, display, source, confidence)
     select o, 'github', 'person-' || n, pg_temp.id('person' || n), 'Person' || n, 'github', 'declared'
     from unnest($1::uuid[]) o, generate_series(0, $2::int - 1) n`,
    [organizations, vocabularyCounts.person],
  );
  await client.query(
    `insert into repository (org_id, id, provider, provider_repo_id, installation_id, owner, name, full_name, default_branch, is_private, html_url, tracked)
     select o, pg_temp.id('repository' || n), 'github', n, '1', 'acme', 'repo-' || n, 'acme/repo-' || n, 'main', true, 'https://code.example.org/acme/repo-' || n, true
     from unnest($1::uuid[]) o, generate_series(0, $2::int - 1) n`,
    [organizations, vocabularyCounts.repository],
  );
}

/**
 * Drops the indexes of the large tables and returns the statements that create them: building them last takes half the
 * time.
 */
async function withoutIndexes(client: pg.Client): Promise<string[]> {
  const { rows } = await client.query<{ name: string; make: string }>(
    `select c.relname as name, pg_get_indexdef(i.indexrelid) as make
     from pg_index i join pg_class c on c.oid = i.indexrelid join pg_class t on t.oid = i.indrelid
     where t.relname in ('event', 'posting_list') and not i.indisprimary order by c.relname`,
  );
  const keys = await client.query<{ name: string; table: string; make: string }>(
    `select c.conname as name, t.relname as table, pg_get_constraintdef(c.oid) as make
     from pg_constraint c join pg_class t on t.oid = c.conrelid where t.relname in ('event', 'posting_list') and c.contype = 'p'`,
  );
  for (const { name } of rows) await client.query(`drop index ${name}`);
  for (const { name, table } of keys.rows) await client.query(`alter table ${table} drop constraint ${name}`);
  return [
    ...keys.rows.map(({ name, table, make }) => `alter table ${table} add constraint ${name} ${make}`),
    ...rows.map(({ make }) => make),
  ];
}

/** The number of events that are sorted in memory at once. */
const chunk = 250_000;

interface EventSource {
  orgId: string;
  total: number;
  share: number;
}

function fill(clients: readonly pg.Client[], source: EventSource, places: Places): Promise<void> {
  return forEachChunk(clients, source, places, async (client) => {
    await client.query(insertEventsSql('event'), [source.orgId]);
    await client.query(insertPostingListsSql);
  });
}

/** Writes older events to segments, month by month. */
async function fillArchive(
  server: BenchServer,
  clients: readonly pg.Client[],
  source: EventSource,
  months: readonly Places[],
): Promise<void> {
  const [first] = clients;
  await first?.query(monthTableSql);
  for (const places of months) {
    await forEachChunk(clients, source, places, (client) =>
      client.query(insertEventsSql('bench_month'), [source.orgId]),
    );
    await first?.query('analyze bench_month');
    await first?.query(insertHourlyTotalsSql('bench_month'));
    await first?.query(insertLedgerEntriesSql('bench_month'));
    await archiveMonth(server);
  }
  await first?.query('drop table bench_month');
}

/** Prepares the events of a range in `made`, in parts that are sorted in memory, and calls `insert` for each. */
function forEachChunk(
  clients: readonly pg.Client[],
  { orgId, total, share }: EventSource,
  { from, to }: Places,
  insert: (client: pg.Client) => Promise<unknown>,
): Promise<void> {
  // From the oldest to the newest, as events arrive.
  const starts = Array.from(
    { length: Math.ceil((to - from + 1) / chunk) },
    (_, place) => from + place * chunk,
  ).reverse();
  return forEachItem(clients, starts, async (client, start) => {
    await client.query('truncate chosen, made');
    await client.query(chooseEventsSql, [total, orgId, start, Math.min(start + chunk - 1, to), share]);
    await client.query('analyze chosen');
    await client.query(buildEventsSql, termParameters);
    await client.query('analyze made');
    await insert(client);
  });
}

const inArrays = (terms: readonly number[]) => `{${terms.join()}}`;
/** The parameters of `buildEventsSql`. */
export const termParameters = [inArrays(shaTerms), inArrays(pullRequestTerms), inArrays(numberTerms)];

/** Distributes items over connections: each processes the next item when it has finished one. */
async function forEachItem<Item>(
  clients: readonly pg.Client[],
  items: readonly Item[],
  work: (client: pg.Client, item: Item) => Promise<unknown>,
): Promise<void> {
  const left = items.values();
  await Promise.all(
    clients.map(async (client) => {
      for (const item of left) await work(client, item);
    }),
  );
}
