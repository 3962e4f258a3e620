import { execFileSync, spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { checkAppLogin, checkTenancy } from '../cli/doctor/database.ts';
import { openTestbed } from './embedded/testbed.ts';
import { migrate } from './migrate.ts';

const script = fileURLToPath(new URL('../../../deploy/postgres-init.sh', import.meta.url));
const hasPsql = spawnSync('psql', ['--version']).status === 0;
if (!hasPsql) console.log('The start-up script of the PostgreSQL container is not tested: there is no psql here.');

test.skipIf(!hasPsql)(
  'the PostgreSQL container creates a login that owns the database and one that row-level security binds',
  { tags: 'full' },
  async () => {
    const bed = await openTestbed();
    try {
      const { url } = await bed.start();
      const { port, password } = new URL(url);
      execFileSync('sh', [script], {
        stdio: 'pipe',
        env: {
          ...process.env,
          PGHOST: '127.0.0.1',
          PGPORT: port,
          PGPASSWORD: decodeURIComponent(password),
          DATABASE_PASSWORD: 'owner-password',
          DATABASE_APP_PASSWORD: 'app-password',
        },
      });
      const urlOf = (login: string) => `postgresql://${login}@127.0.0.1:${port}/sightline`;
      const ownerUrl = urlOf('sightline:owner-password');
      await migrate(ownerUrl);
      expect(await checkAppLogin(urlOf('sightline_app:app-password'))).toMatchObject({ state: 'ok' });
      expect(await checkTenancy(ownerUrl)).toMatchObject({ state: 'ok' });
    } finally {
      await bed.close();
    }
  },
);
