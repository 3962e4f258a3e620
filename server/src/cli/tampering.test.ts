import pg from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startTestServer, superuserUrl, type TestServer } from '#testing/server.ts';
import { sequenceAndSign } from '../domains/ledger/ledger/commands.ts';
import { operatorCliOf } from './testing/in-process.ts';

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer();
});
afterAll(() => server.close());

test('doctor reports ledger entries tampered with in the database and exits with 1', async () => {
  const { cli, ask } = operatorCliOf(server);
  await ask('user', 'create', '--email', 'ada@example.org', '--name', 'Ada', '--verified');
  const { organization } = await ask<{ organization: { id: string } }>(
    ...['org', 'create', '--name', 'Acme', '--owner', 'ada@example.org'],
  );
  await ask('token', '--email', 'ada@example.org', '--org', 'acme');
  const superuser = new pg.Client({ connectionString: superuserUrl(server.databaseUrl) });
  await superuser.connect();
  try {
    const signed = await sequenceAndSign(server.services.ledger, organization.id);
    expect(signed?.size).toBeGreaterThan(2);
    expect(await cli(['doctor', '--ledger'])).toMatchObject({ code: 0 });
    const firstEntrySql = 'where leaf_index = 1';
    const { rows } = await superuser.query<{ packed: string }>(`select packed from ledger_entry ${firstEntrySql}`);
    await superuser.query(
      `update ledger_entry set packed = overlay(entry_text(ledger_entry) placing 'X' from 40 for 1) ${firstEntrySql}`,
    );
    const changed = await cli(['doctor', '--ledger']);
    expect(changed).toMatchObject({ code: 1, complaint: '' });
    expect(changed.out).toMatch(/epoch 1, entry 1\b/);
    await superuser.query(`update ledger_entry set packed = $1 ${firstEntrySql}`, [rows[0]?.packed]);
    expect(await cli(['doctor', '--ledger'])).toMatchObject({ code: 0 });
  } finally {
    await superuser.end();
  }
});
