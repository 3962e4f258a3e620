import { createAccessKey, listAccessKeys, revokeAccessKey } from '@sightline/contract/identity/access-keys.ts';
import { archiveOrganization } from '@sightline/contract/organization/organizations.ts';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { newId } from '#core/ids.ts';
import { createTestRepository } from '#testing/findings.ts';
import { refusalOf, shareTestServer, type TestOrganization, type TestServer } from '#testing/server.ts';
import { sendUpload } from '../../vulnerabilities/sarif/testing/uploads.ts';

let server: TestServer;
beforeAll(async () => {
  server = await shareTestServer();
});
afterAll(() => server?.close());

const file = JSON.stringify({ version: '2.1.0', runs: [] });

async function scene(): Promise<{ org: TestOrganization; repositoryId: string; ask: ReturnType<TestServer['as']> }> {
  const org = await server.make.organization();
  return { org, repositoryId: await createTestRepository(server, org, 'api'), ask: server.as(org.owner, org.id) };
}

describe('an access key', () => {
  test('is shown once, stored as a hash, and listed with its last characters and last use', async () => {
    const { org, repositoryId, ask } = await scene();
    const { key, accessKey } = await ask(createAccessKey, { body: { name: ' CI ', repositoryId, days: 30 } });
    expect(key).toMatch(/^sightline_[\w-]{54}$/);
    expect(accessKey).toMatchObject({
      name: 'CI',
      keyEnd: key.slice(-4),
      state: 'active',
      repository: { id: repositoryId, fullName: 'acme/api' },
      createdBy: { id: org.owner.id, name: 'Olga Owner' },
      lastUsedAt: null,
    });
    const days = (Date.parse(accessKey.expiresAt ?? '') - Date.parse(accessKey.createdAt)) / 86_400_000;
    expect(days).toBeCloseTo(30, 1);
    await sendUpload(server, file, { token: key, repository: 'acme/api' });
    const { rows, total } = await ask(listAccessKeys, { query: { search: 'c', sort: 'name-asc' } });
    expect([total, rows[0]?.id, rows[0]?.lastUsedAt]).toEqual([1, accessKey.id, expect.any(String)]);
    const { rows: stored } = await server.services.database.withOrg(org.id, ({ db }) =>
      sql<{ all: string }>`select access_key::text as all from access_key`.execute(db),
    );
    expect(JSON.stringify(stored)).not.toContain(key.slice(-32));
  });

  test('is refused after it expires', async () => {
    const { org, ask } = await scene();
    const { key, accessKey } = await ask(createAccessKey, { body: { name: 'CI', days: 1 } });
    await server.services.database.withOrg(org.id, ({ db }) =>
      db.updateTable('access_key').set({ expires_at: new Date() }).where('org_id', '=', org.id).execute(),
    );
    expect((await sendUpload(server, file, { token: key, repository: 'acme/api' })).status).toBe(401);
    const { rows } = await ask(listAccessKeys, {});
    expect(rows.map(({ id, state }) => [id, state])).toEqual([[accessKey.id, 'expired']]);
  });

  test('stays in the list after revocation, and revoking it again changes nothing', async () => {
    const { ask } = await scene();
    const { accessKey } = await ask(createAccessKey, { body: { name: 'CI' } });
    const params = { accessKeyId: accessKey.id };
    await ask(revokeAccessKey, { params });
    const { rows } = await ask(listAccessKeys, {});
    expect(rows[0]).toMatchObject({ state: 'revoked', revokedAt: expect.any(String) });
    await ask(revokeAccessKey, { params });
    expect((await ask(listAccessKeys, {})).rows).toEqual(rows);
  });

  test('grants access to nothing else, and to nothing of another organization', async () => {
    const [ours, theirs] = [await scene(), await scene()];
    const { key } = await ours.ask(createAccessKey, { body: { name: 'CI' } });
    const elsewhere = await server.app.inject({
      url: '/api/v2/repositories',
      headers: { authorization: `Bearer ${key}` },
    });
    expect(elsewhere.statusCode).toBe(401);
    const forged = `sightline_${Buffer.concat([Buffer.from(theirs.org.id.replaceAll('-', ''), 'hex'), Buffer.from(key.slice(10), 'base64url').subarray(16)]).toString('base64url')}`;
    expect((await sendUpload(server, file, { token: forged, repository: 'acme/api' })).status).toBe(401);
    for (const token of ['sightline_', 'sightline_x', `${key}x`, key.slice(0, -1)]) {
      expect((await sendUpload(server, file, { token, repository: 'acme/api' })).status).toBe(401);
    }
  });

  test('cannot write to an archived organization', async () => {
    const { ask } = await scene();
    const { key } = await ask(createAccessKey, { body: { name: 'CI' } });
    await ask(archiveOrganization, {});
    const answer = await sendUpload(server, file, { token: key, repository: 'acme/api' });
    expect([answer.status, answer.refusal.message]).toEqual([409, expect.stringContaining('archived')]);
  });

  test('is rate limited', async () => {
    const { ask } = await scene();
    const { key } = await ask(createAccessKey, { body: { name: 'CI' } });
    await server.services.database.global(({ db }) => db.updateTable('attempt').set({ count: 300 }).execute());
    expect((await sendUpload(server, file, { token: key, repository: 'acme/api' })).status).toBe(202);
    await server.services.database.global(({ db }) => db.updateTable('attempt').set({ count: 300 }).execute());
    expect((await sendUpload(server, file, { token: key, repository: 'acme/api' })).refusal.code).toBe('rate_limited');
  });
});

test.each([
  [{ name: '' }, 'validation_failed'],
  [{ name: 'a'.repeat(81) }, 'validation_failed'],
  [{ name: 'CI', days: 0 }, 'validation_failed'],
  [{ name: 'CI', repositoryId: newId() }, 'validation_failed'],
])('rejects %j', async (body, code) => {
  const { ask } = await scene();
  expect(await refusalOf(ask(createAccessKey, { body }))).toEqual({ status: 400, code });
});

test('limits an organization to a hundred active keys', async () => {
  const { org, ask } = await scene();
  await server.services.database.withOrg(org.id, ({ db }) =>
    sql`insert into access_key (org_id, id, name, use, hash, key_end, created_by)
        select ${org.id}, gen_random_uuid(), 'Key ' || n, 'sarif', sha256(n::text::bytea), 'abcd', ${org.owner.id}
        from generate_series(1, 100) as n`.execute(db),
  );
  expect(await refusalOf(ask(createAccessKey, { body: { name: 'CI' } }))).toEqual({ status: 409, code: 'conflict' });
});
