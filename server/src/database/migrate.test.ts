import { cp, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import pg from 'pg';
import { expect, inject, test, vi } from 'vitest';
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
    await migrate(ownerUrl, undefined, { folder: pathToFileURL(`${folder}/`) });
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

/** An installation that is up to date, a connection of a server that runs on it, and a folder with one migration more. */
async function upgrade(
  name: string,
  sql: string,
  work: (scene: { ownerUrl: string; folder: URL; running: pg.Client }) => Promise<void>,
): Promise<void> {
  const { url } = inject('cluster');
  const folder = await mkdtemp(join(tmpdir(), 'sightline-migrations-'));
  await cp(all, folder, { recursive: true });
  await writeFile(join(folder, '9000-more.sql'), sql);
  const ownerUrl = await prepareCluster(url, name);
  const running = new pg.Client({ connectionString: ownerUrl });
  try {
    await migrate(ownerUrl);
    await running.connect();
    await work({ ownerUrl, folder: pathToFileURL(`${folder}/`), running });
  } finally {
    await running.end();
    await rm(folder, { recursive: true });
  }
}

test('moves rows without waiting for transactions on other tables', async () => {
  await upgrade(
    'sightline_upgrade_other',
    'update repository_import set state = state',
    async ({ ownerUrl, folder, running }) => {
      await running.query('begin; select from member; select from event limit 1');
      const lines: string[] = [];
      await migrate(ownerUrl, (line) => lines.push(line), { folder });
      expect(lines).toEqual(['migrated 9000-more.sql']);
      await running.query('commit');
    },
  );
});

test('waits for a transaction on its table in short turns, which lets other queries through', async () => {
  await upgrade(
    'sightline_upgrade_same',
    'alter table member add column more int',
    async ({ ownerUrl, folder, running }) => {
      await running.query('begin; select from member');
      const lines: string[] = [];
      const migrated = migrate(ownerUrl, (line) => lines.push(line), { folder });
      await vi.waitFor(
        () => expect(lines).toEqual(['9000-more.sql waits for transactions that use its tables']),
        10_000,
      );
      const other = new pg.Client({ connectionString: ownerUrl });
      await other.connect();
      await other.query('select from member');
      await other.end();
      await running.query('commit');
      await migrated;
      expect(lines.at(-1)).toBe('migrated 9000-more.sql');
    },
  );
});

test('refuses to start on a database that needs a later release', async () => {
  const sql = '-- minimum release: 7.2.0\ncreate table more (id int)';
  await upgrade('sightline_upgrade_later', sql, async ({ ownerUrl, folder }) => {
    await migrate(ownerUrl, undefined, { folder, version: '7.2.0' });
    await migrate(ownerUrl, undefined, { folder, version: '7.10.0' });
    await expect(migrate(ownerUrl, undefined, { folder, version: '7.1.9' })).rejects.toThrow(
      'The database needs release 7.2.0 or later since migration 9000-more.sql, and this is release 7.1.9.',
    );
  });
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
