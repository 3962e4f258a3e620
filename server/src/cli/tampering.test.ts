import pg from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createInstallation, type Installation } from './testing/installation.ts';

let installation: Installation;
beforeAll(async () => {
  installation = await createInstallation();
});
afterAll(() => installation.close());

test('doctor names what somebody with the database changed in the ledger, and ends with 1', {
  timeout: 240_000,
}, async () => {
  await installation.ask('user', 'create', '--email', 'ada@example.org', '--name', 'Ada', '--verified');
  const server = await installation.start();
  await installation.ask('org', 'create', '--name', 'Acme', '--owner', 'ada@example.org');
  await installation.ask('token', '--email', 'ada@example.org', '--org', 'acme');
  const superuser = new pg.Client({ connectionString: await installation.databaseUrl() });
  await superuser.connect();
  try {
    await expect
      .poll(async () => (await superuser.query('select from ledger_entry')).rowCount, { timeout: 20_000 })
      .toBeGreaterThan(2);
    expect(await installation.cli(['doctor', '--ledger'])).toMatchObject({ code: 0 });
    const place = 'where leaf_index = 1';
    const { rows } = await superuser.query<{ entry: string }>(`select entry from ledger_entry ${place}`);
    await superuser.query(`update ledger_entry set entry = overlay(entry placing 'X' from 40 for 1) ${place}`);
    const changed = await installation.cli(['doctor', '--ledger']);
    expect(changed).toMatchObject({ code: 1, complaint: '' });
    expect(changed.out).toMatch(/epoch 1, entry 1\b/);
    await superuser.query(`update ledger_entry set entry = $1 ${place}`, [rows[0]?.entry]);
    expect(await installation.cli(['doctor', '--ledger'])).toMatchObject({ code: 0 });
  } finally {
    await superuser.end();
    await server.end('SIGTERM');
  }
});
