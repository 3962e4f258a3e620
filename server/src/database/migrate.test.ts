import { cp, mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import pg from 'pg';
import { expect, inject, test } from 'vitest';
import { migrate } from './migrate.ts';
import { prepareCluster } from './prepare.ts';

const all = new URL('./migrations/', import.meta.url);

test('migrates an installation with events and keeps all of them', async () => {
  const { url } = inject('cluster');
  const folder = await mkdtemp(join(tmpdir(), 'sightline-migrations-'));
  const before = (await readdir(all)).filter((name) => name < '0020');
  await Promise.all(before.map((name) => cp(new URL(name, all), join(folder, name))));
  const ownerUrl = await prepareCluster(url, 'sightline_upgrade');
  const superuser = new pg.Client({
    connectionString: Object.assign(new URL(url), { pathname: '/sightline_upgrade' }).href,
  });
  try {
    await migrate(ownerUrl, undefined, pathToFileURL(`${folder}/`));
    await superuser.connect();
    await superuser.query(facts);
    await migrate(ownerUrl);

    const { rows } = await superuser.query(`select id, detail from event order by id`);
    expect(rows).toEqual([
      { id: '00000000-0000-0000-0000-000000000001', detail: [{ label: 'Message' }] },
      { id: '00000000-0000-0000-0000-000000000002', detail: [] },
    ]);
    const postings = await superuser.query(`select term::int, id from posting_list order by term`);
    expect(postings.rows).toEqual([
      { term: 7, id: ['00000000-0000-0000-0000-000000000001'] },
      { term: 8, id: ['00000000-0000-0000-0000-000000000002'] },
    ]);
    const loose = await superuser.query(
      `select relname from pg_class where relkind = 'r' and relrowsecurity and not relforcerowsecurity and relnamespace = 'public'::regnamespace`,
    );
    expect(loose.rows).toEqual([]);
  } finally {
    await superuser.end();
    await rm(folder, { recursive: true });
  }
});

const org = `'00000000-0000-0000-0000-0000000000aa'`;
const eventId = (place: number) => `'00000000-0000-0000-0000-00000000000${place}'`;
const event = (place: number) =>
  `insert into event (org_id, id, as_of, received_at, kind, source, summary, leaf_hash, proof)
   values (${org}, ${eventId(place)}, '2026-01-0${place}', now(), 'commit', 'github', '{}', '', ${eventId(place)})`;
const facts = [
  `insert into organization (id, name, slug, display_name) values (${org}, 'Acme', 'acme', 'Acme')`,
  event(1),
  event(2),
  `insert into event_detail (org_id, as_of, id, detail) values (${org}, '2026-01-01', ${eventId(1)}, '[{"label":"Message"}]')`,
  `insert into event_term (org_id, term, as_of, id) values (${org}, 7, '2026-01-01', ${eventId(1)})`,
  `insert into event_term_pending (org_id, as_of, id, terms) values (${org}, '2026-01-02', ${eventId(2)}, '{8}')`,
].join(';\n');
