import { createHash, randomBytes } from 'node:crypto';
import type { ApiCall } from '@sightline/contract/core/client.ts';
import {
  authorizeExtension,
  disconnectExtension,
  getExtensionSettings,
  listExtensions,
  redeemExtensionCode,
  renewExtensionToken,
} from '@sightline/contract/identity/extensions.ts';
import { deactivateMember } from '@sightline/contract/organization/members.ts';
import { archiveOrganization, getOrganization } from '@sightline/contract/organization/organizations.ts';
import { recordEvents } from '@sightline/contract/timeline/events.ts';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { newId } from '#core/ids.ts';
import { createOrgSecret } from '#core/org-secrets.ts';
import { refusalOf, startTestServer, type TestServer } from '#testing/server.ts';
import {
  auditOf,
  clientWithToken,
  codeFor,
  createVerifierPair,
  renewAccessTokenOf,
  signIn,
} from './testing/sign-in.ts';

let server: TestServer;
let other: TestServer;
beforeAll(async () => {
  const environment = { MASTER_KEY: randomBytes(32).toString('base64') };
  server = await startTestServer({ environment });
  other = await startTestServer({ environment, beside: server });
});
afterAll(async () => {
  await other.close();
  await server.close();
});

const anEvent = () => ({
  plugin_id: 'sightline-editor',
  event_type: 'other',
  message_id: newId(),
  original_timestamp: '2026-03-01T12:00:00Z',
});

test('a member signs in an extension, which may only report and read its settings', async () => {
  const org = await server.make.organization();
  const member = await server.make.member(org.id, 'rol_contributor');
  const signedIn = await signIn(server, member, org.id);
  expect(signedIn.account).toEqual({ id: member.id, name: member.name, email: member.email });
  expect(signedIn.organization).toEqual({ id: org.id, displayName: 'Acme' });
  const lifetimeMs = Date.parse(signedIn.expiresAt) - Date.now();
  expect(lifetimeMs).toBeGreaterThan(9 * 60_000);
  expect(lifetimeMs).toBeLessThanOrEqual(10 * 60_000);
  const ask = clientWithToken(server, signedIn.accessToken);
  expect((await ask(getExtensionSettings, {})).sites).toContain('github.com');
  expect(await ask(recordEvents, { body: [anEvent()] })).toMatchObject({ accepted: 1 });
  // Sequential: a rejection without a handler would abort the test run.
  for (const forbidden of [() => ask(getOrganization, {}), () => ask(listExtensions, {}), () => requestCode(ask)]) {
    expect(await refusalOf(forbidden())).toEqual({ status: 401, code: 'unauthenticated' });
  }
  expect(await server.as(member)(listExtensions, {})).toMatchObject([
    { side: 'ide', type: 'vscode', device: 'desk', version: '1.0.0', organization: { id: org.id } },
  ]);
  expect(await auditOf(server, org)).toContain('extension.signed_in');
});

const requestCode = (ask: ApiCall) =>
  ask(authorizeExtension, { body: { side: 'ide', type: 'vscode', codeChallenge: createVerifierPair().codeChallenge } });

describe('an authorization code', () => {
  test('can be redeemed once, also by concurrent requests', async () => {
    const org = await server.make.organization();
    const { codeVerifier, codeChallenge } = createVerifierPair();
    const { code } = await codeFor(server, org.owner, org.id, codeChallenge);
    const tries = await Promise.all(
      Array.from({ length: 100 }, (_, index) =>
        refusalOf((index % 2 ? server : other).as(undefined)(redeemExtensionCode, { body: { code, codeVerifier } })),
      ),
    );
    expect(tries.filter(({ status }) => status === 200)).toHaveLength(1);
    expect(tries.filter(({ status }) => status === 401)).toHaveLength(99);
    expect(await server.as(org.owner)(listExtensions, {})).toHaveLength(1);
  });

  test('is consumed by a wrong verifier', async () => {
    const org = await server.make.organization();
    const { codeVerifier, codeChallenge } = createVerifierPair();
    const { code } = await codeFor(server, org.owner, org.id, codeChallenge);
    const redeem = (verifier: string) =>
      refusalOf(server.as(undefined)(redeemExtensionCode, { body: { code, codeVerifier: verifier } }));
    expect((await redeem(createVerifierPair().codeVerifier)).status).toBe(401);
    expect((await redeem(codeVerifier)).status).toBe(401);
  });

  test('expires after a minute and is deleted afterwards', async () => {
    const org = await server.make.organization();
    const { codeVerifier, codeChallenge } = createVerifierPair();
    const { code, expiresAt } = await codeFor(server, org.owner, org.id, codeChallenge);
    expect(Date.parse(expiresAt) - Date.now()).toBeLessThanOrEqual(60_000);
    const codes = () =>
      server.services.database.withOrg(org.id, ({ db }) =>
        db.selectFrom('extension_code').select('hash').where('org_id', '=', org.id).execute(),
      );
    await server.services.database.withOrg(org.id, ({ db }) =>
      db
        .updateTable('extension_code')
        .set({ expires_at: sql<Date>`now() - interval '1 second'` })
        .where('org_id', '=', org.id)
        .execute(),
    );
    const redemption = refusalOf(server.as(undefined)(redeemExtensionCode, { body: { code, codeVerifier } }));
    expect((await redemption).status).toBe(401);
    await codeFor(server, org.owner, org.id, codeChallenge);
    expect(await codes()).toHaveLength(1);
  });

  test('of one organization is invalid in another', async () => {
    const [mine, theirs] = [await server.make.organization(), await server.make.organization()];
    const { codeVerifier, codeChallenge } = createVerifierPair();
    const { code } = await codeFor(server, mine.owner, mine.id, codeChallenge);
    const bytes = Buffer.from(code.slice('slc_'.length), 'base64url');
    Buffer.from(theirs.id.replaceAll('-', ''), 'hex').copy(bytes);
    const moved = `slc_${bytes.toString('base64url')}`;
    const redemption = refusalOf(server.as(undefined)(redeemExtensionCode, { body: { code: moved, codeVerifier } }));
    expect((await redemption).status).toBe(401);
    await server.as(undefined)(redeemExtensionCode, { body: { code, codeVerifier } });
  });

  test('is issued at a limited rate', async () => {
    const org = await server.make.organization();
    const { codeChallenge } = createVerifierPair();
    for (let index = 0; index < 30; index++) await codeFor(server, org.owner, org.id, codeChallenge);
    expect(await refusalOf(codeFor(server, org.owner, org.id, codeChallenge))).toEqual({
      status: 429,
      code: 'rate_limited',
    });
  });

  test('has a guess limit per network that does not block existing extensions', async () => {
    const org = await server.make.organization();
    const { refreshToken } = await signIn(server, org.owner, org.id);
    const guess = (body: { code: string; codeVerifier: string }) =>
      refusalOf(server.as(undefined)(redeemExtensionCode, { body }));
    const { codeVerifier } = createVerifierPair();
    // A code without an organization and an unknown code of ours count alike.
    const wrong = ['slc_nothing', createOrgSecret({ prefix: 'slc_', bytes: 16 }, org.id).secret];
    for (const code of wrong) expect((await guess({ code, codeVerifier })).status).toBe(401);
    await server.services.database.global(({ db }) => db.updateTable('attempt').set({ count: 299 }).execute());
    expect((await guess({ code: wrong[1] ?? '', codeVerifier })).status).toBe(401);
    for (const code of wrong) {
      expect(await guess({ code, codeVerifier })).toEqual({ status: 429, code: 'rate_limited' });
    }
    expect((await refusalOf(renewAccessTokenOf(server, 'slr_nothing'))).status).toBe(429);
    await renewAccessTokenOf(server, refreshToken);
    await server.services.database.global(({ db }) => db.deleteFrom('attempt').execute());
  });

  test('of a member deactivated meanwhile is invalid', async () => {
    const org = await server.make.organization();
    const member = await server.make.member(org.id, 'rol_contributor');
    const { codeVerifier, codeChallenge } = createVerifierPair();
    const { code } = await codeFor(server, member, org.id, codeChallenge);
    await server.as(org.owner, org.id)(deactivateMember, { params: { userId: member.id } });
    const redemption = refusalOf(server.as(undefined)(redeemExtensionCode, { body: { code, codeVerifier } }));
    expect((await redemption).status).toBe(401);
  });

  test('is invalid in an archived organization and cannot be issued there', async () => {
    const org = await server.make.organization();
    const { codeVerifier, codeChallenge } = createVerifierPair();
    const { code } = await codeFor(server, org.owner, org.id, codeChallenge);
    await server.as(org.owner, org.id)(archiveOrganization, {});
    const redemption = refusalOf(server.as(undefined)(redeemExtensionCode, { body: { code, codeVerifier } }));
    expect((await redemption).status).toBe(401);
    expect((await refusalOf(codeFor(server, org.owner, org.id, codeChallenge))).status).toBe(409);
  });
});

describe('a refresh token', () => {
  test('stays the same, is stored as a hash, and records its use', async () => {
    const org = await server.make.organization();
    const { refreshToken } = await signIn(server, org.owner, org.id);
    const [one, two] = await Promise.all([
      renewAccessTokenOf(server, refreshToken),
      renewAccessTokenOf(server, refreshToken),
    ]);
    expect(one.organization).toEqual(two.organization);
    await server.as(undefined)(renewExtensionToken, { body: { refreshToken, version: '1.1.0' } });
    const [extension] = await server.as(org.owner)(listExtensions, {});
    expect(extension).toMatchObject({ version: '1.1.0', lastUsedAt: expect.any(String) });
    const rows = await server.services.database.withOrg(org.id, ({ db }) =>
      db.selectFrom('extension_grant').selectAll().where('org_id', '=', org.id).execute(),
    );
    expect(rows.map(({ hash }) => Buffer.from(hash))).toEqual([createHash('sha256').update(refreshToken).digest()]);
  });

  test('expires after 90 days without use', async () => {
    const org = await server.make.organization();
    const { refreshToken } = await signIn(server, org.owner, org.id);
    const unused = (days: number) =>
      server.services.database.withOrg(org.id, ({ db }) =>
        db
          .updateTable('extension_grant')
          .set({ last_used_at: sql<Date>`now() - make_interval(days => ${days})` })
          .where('org_id', '=', org.id)
          .execute(),
      );
    await unused(89);
    await renewAccessTokenOf(server, refreshToken);
    await unused(90);
    expect(await refusalOf(renewAccessTokenOf(server, refreshToken))).toEqual({ status: 401, code: 'unauthenticated' });
    expect(await server.as(org.owner)(listExtensions, {})).toEqual([]);
  });

  test('is rate limited', async () => {
    const org = await server.make.organization();
    const { refreshToken } = await signIn(server, org.owner, org.id);
    await server.services.database.global(({ db }) => db.updateTable('attempt').set({ count: 300 }).execute());
    await renewAccessTokenOf(server, refreshToken);
    await server.services.database.global(({ db }) => db.updateTable('attempt').set({ count: 300 }).execute());
    expect(await refusalOf(renewAccessTokenOf(server, refreshToken))).toEqual({ status: 429, code: 'rate_limited' });
    await server.services.database.global(({ db }) => db.deleteFrom('attempt').execute());
  });

  test('of an archived organization is valid for its owners only', async () => {
    const org = await server.make.organization();
    const member = await server.make.member(org.id, 'rol_contributor');
    const [owners, members] = [await signIn(server, org.owner, org.id), await signIn(server, member, org.id)];
    await server.as(org.owner, org.id)(archiveOrganization, {});
    const { accessToken } = await renewAccessTokenOf(server, owners.refreshToken);
    expect(await refusalOf(clientWithToken(server, accessToken)(recordEvents, { body: [anEvent()] }))).toMatchObject({
      status: 409,
    });
    expect((await refusalOf(renewAccessTokenOf(server, members.refreshToken))).status).toBe(401);
    expect((await refusalOf(clientWithToken(server, members.accessToken)(getExtensionSettings, {}))).status).toBe(403);
    // A member who is no longer an Account Owner cannot use it either.
    await server.services.database.withOrg(org.id, ({ db }) =>
      db
        .updateTable('member')
        .set({ role_id: 'rol_contributor' })
        .where('org_id', '=', org.id)
        .where('account_id', '=', org.owner.id)
        .execute(),
    );
    expect((await refusalOf(renewAccessTokenOf(server, owners.refreshToken))).status).toBe(401);
  });

  test('is rejected without the second factor that the organization requires', async () => {
    const org = await server.make.organization();
    const { refreshToken } = await signIn(server, org.owner, org.id);
    await server.services.database.withOrg(org.id, ({ db }) =>
      db.updateTable('organization').set({ require_second_factor: true }).where('id', '=', org.id).execute(),
    );
    expect((await refusalOf(renewAccessTokenOf(server, refreshToken))).status).toBe(401);
  });
});

test('an account neither sees nor disconnects extensions of others', async () => {
  const org = await server.make.organization();
  const member = await server.make.member(org.id, 'rol_contributor');
  await signIn(server, member, org.id);
  const [extension] = await server.as(member)(listExtensions, {});
  expect(await server.as(org.owner)(listExtensions, {})).toEqual([]);
  const params = { extensionId: extension?.id ?? '' };
  expect((await refusalOf(server.as(org.owner)(disconnectExtension, { params }))).status).toBe(404);
  expect(await server.as(member)(listExtensions, {})).toHaveLength(1);
});

test('lists the extensions of a person in every organization, last used first', async () => {
  const org = await server.make.organization('One');
  const second = await server.make.organization('Two');
  await server.services.database.withOrg(second.id, async (tx) => {
    await tx.db
      .insertInto('member')
      .values({ org_id: second.id, account_id: org.owner.id, role_id: 'rol_contributor', status: 'active' })
      .execute();
    const names = [{ kind: 'account', value: org.owner.id } as const];
    await server.services.people.resolve(tx, second.id, [{ names, display: 'Olga', picture: null, source: 'test' }]);
  });
  await signIn(server, org.owner, org.id);
  await signIn(server, org.owner, second.id);
  const names = (await server.as(org.owner)(listExtensions, {})).map(({ organization }) => organization.displayName);
  expect(names).toEqual(['Two', 'One']);
});

test('accepts requests of extensions with their own origin or with none', async () => {
  const org = await server.make.organization();
  const { accessToken, refreshToken } = await signIn(server, org.owner, org.id);
  for (const origin of [undefined, 'chrome-extension://abcdefghijklmnop', 'moz-extension://5f1c-uuid']) {
    const headers = { 'content-type': 'application/json', ...(origin !== undefined && { origin }) };
    const renewed = await fetch(`${server.url}/api/v2/extensions/token/renew`, {
      method: 'POST',
      headers,
      body: JSON.stringify({ refreshToken }),
    });
    expect(renewed.status).toBe(200);
    expect(renewed.headers.get('access-control-allow-origin')).toBeNull();
    const polling = `${server.url}/api/v2/ws/?EIO=4&transport=polling`;
    expect((await fetch(polling, { headers })).status).toBe(200);
  }
  expect(accessToken).not.toBe('');
});
