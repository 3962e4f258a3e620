import { cp, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import pg from 'pg';
import { expect, inject, test, vi } from 'vitest';
import { migrate } from './migrate.ts';
import { prepareCluster } from './prepare.ts';

const all = new URL('./migrations/', import.meta.url);

/** Creates an up-to-date installation, a connection of a running server, and a folder with one more migration. */
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

test('waits for a transaction on its table in short turns, which lets other queries through', {
  tags: ['full'],
}, async () => {
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

test('moves rows of every organization and leaves row-level security forced', async () => {
  await upgrade(
    'sightline_upgrade_rows',
    "update organization set description = 'moved'",
    async ({ ownerUrl, folder, running }) => {
      const ids = ['aa', 'bb'].map((end) => `00000000-0000-0000-0000-0000000000${end}`);
      for (const id of ids) {
        await running.query("select set_config('app.org', $1, false)", [id]);
        await running.query('insert into organization (id, name, slug, display_name) values ($1, $2, $2, $2)', [
          id,
          id,
        ]);
      }
      await migrate(ownerUrl, undefined, { folder });
      for (const id of ids) {
        await running.query("select set_config('app.org', $1, false)", [id]);
        const { rows } = await running.query('select description from organization where id = $1', [id]);
        expect(rows).toEqual([{ description: 'moved' }]);
      }
      const unforced = await running.query(
        `select relname from pg_class
         where relkind = 'r' and relrowsecurity and not relforcerowsecurity and relnamespace = 'public'::regnamespace`,
      );
      expect(unforced.rows).toEqual([]);
    },
  );
});

test('refuses a database from before the first release', async () => {
  const ownerUrl = await prepareCluster(inject('cluster').url, 'sightline_prerelease');
  const owner = new pg.Client({ connectionString: ownerUrl });
  await owner.connect();
  await owner.query(`create table migration (name text primary key, sha256 text not null, at timestamptz not null default now());
    insert into migration (name, sha256) values ('0001-foundation.sql', '')`);
  await expect(migrate(ownerUrl)).rejects.toThrow(
    'This database was created by a version before the first release, which this release cannot read. Start with an empty database',
  );
  const { rows } = await owner.query(`select to_regclass('public.account') as account`);
  expect(rows).toEqual([{ account: null }]);
  await owner.end();
});
