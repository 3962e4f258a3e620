import { randomBytes, randomUUID } from 'node:crypto';
import {
  disconnectExtension,
  getExtensionSettings,
  listExtensions,
  revokeExtensionToken,
} from '@sightline/contract/identity/extensions.ts';
import { changePassword } from '@sightline/contract/identity/passwords.ts';
import { deactivateMember, deleteMember, reinstateMember } from '@sightline/contract/organization/members.ts';
import { leaveOrganization } from '@sightline/contract/organization/organizations.ts';
import { getUserStatus, sendHeartbeat } from '@sightline/contract/tools/presence.ts';
import { sql } from 'kysely';
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest';
import {
  refusalOf,
  startTestServer,
  type TestAccount,
  type TestOrganization,
  type TestServer,
} from '#testing/server.ts';
import { connectionOutcomeOf, createSockets, waitUntilDisconnected } from '../../../architecture/sockets.ts';
import { hashPassword } from '../authentication/passwords.ts';
import { resetSecondFactors } from '../second-factors/reset.ts';
import { auditOf, clientWithToken, renewAccessTokenOf, signIn } from './testing/sign-in.ts';

let server: TestServer;
let other: TestServer;
const sockets = createSockets();
beforeAll(async () => {
  const environment = { MASTER_KEY: randomBytes(32).toString('base64') };
  server = await startTestServer({ environment });
  other = await startTestServer({ environment, beside: server });
});
afterEach(sockets.closeAll);
afterAll(async () => {
  await other.close();
  await server.close();
});

const endings: { name: string; end: (scene: GrantScene) => Promise<unknown> }[] = [
  {
    name: 'signs itself out',
    end: ({ refreshToken }) => server.as(undefined)(revokeExtensionToken, { body: { refreshToken } }),
  },
  {
    name: 'is disconnected by its owner',
    end: async ({ member }) => {
      const [extension] = await server.as(member)(listExtensions, {});
      await server.as(member)(disconnectExtension, { params: { extensionId: extension?.id ?? '' } });
    },
  },
  {
    name: 'belongs to a member who is deactivated',
    end: ({ org, member }) => server.as(org.owner, org.id)(deactivateMember, { params: { userId: member.id } }),
  },
  {
    name: 'belongs to a member who is removed',
    end: ({ org, member }) => server.as(org.owner, org.id)(deleteMember, { params: { userId: member.id } }),
  },
  {
    name: 'belongs to a member who leaves',
    end: ({ org, member }) => server.as(member, org.id)(leaveOrganization, {}),
  },
  {
    name: 'belongs to an account whose password is changed, with all other sessions ended',
    end: async ({ member }) => {
      const hash = await hashPassword('the password of before', server.config);
      await server.services.database.global(({ db }) =>
        db.insertInto('account_password').values({ account_id: member.id, hash }).execute(),
      );
      const newPassword = 'a brand new password';
      await server.as(member)(changePassword, {
        body: { currentPassword: 'the password of before', newPassword, endOtherSessions: true },
      });
    },
  },
  {
    name: 'belongs to an account whose second factor an operator reset',
    end: async ({ member }) => {
      await server.services.database.global(({ db }) =>
        db
          .insertInto('account_recovery_code')
          .values({ account_id: member.id, hash: randomBytes(32) })
          .execute(),
      );
      await server.services.database.global(({ db }) =>
        db
          .insertInto('account_totp')
          .values({ account_id: member.id, secret: randomBytes(8), last_step: 0 })
          .execute(),
      );
      await resetSecondFactors(server.services, {
        accountId: member.id,
        email: member.email,
        requestId: 'test',
        address: undefined,
        operator: 'root',
      });
    },
  },
];

interface GrantScene {
  org: TestOrganization;
  member: TestAccount;
  refreshToken: string;
}

describe.each(endings)('an extension that $name', ({ end }) => {
  test('is refused at once on every server, and its sockets are closed', async () => {
    const org = await server.make.organization();
    const member = await server.make.member(org.id, 'rol_reviewer');
    const { accessToken, refreshToken } = await signIn(server, member, org.id);
    const remaining = await signIn(server, org.owner, org.id);
    const open = [server, other].map(({ url }) => sockets.connect(url, '/ide/context', accessToken));
    const otherSocket = sockets.connect(server.url, '/ide/context', remaining.accessToken);
    expect(await Promise.all([...open, otherSocket].map(connectionOutcomeOf))).toEqual([
      undefined,
      undefined,
      undefined,
    ]);
    const ask = (on: TestServer) => refusalOf(clientWithToken(on, accessToken)(getExtensionSettings, {}));
    for (const on of [server, other]) expect((await ask(on)).status).toBe(200);
    await beat(server, accessToken);
    await beat(server, remaining.accessToken);

    await end({ org, member, refreshToken });
    expect(await present(org)).toEqual([org.owner.id]);
    await Promise.all(open.map(waitUntilDisconnected));
    expect(otherSocket.connected).toBe(true);
    expect(await ask(server)).toEqual({ status: 401, code: 'unauthenticated' });
    await vi.waitFor(async () => expect((await ask(other)).status).toBe(401), { timeout: 3_000 });
    expect(await refusalOf(renewAccessTokenOf(server, refreshToken))).toEqual({ status: 401, code: 'unauthenticated' });
    expect((await connectionOutcomeOf(sockets.connect(server.url, '/ide/context', accessToken)))?.data).toEqual({
      code: 401,
    });
    await renewAccessTokenOf(server, remaining.refreshToken);
    expect(await auditOf(server, org)).toContain('extension.signed_out');
  });
});

test('disconnects a heartbeat-only extension on every node as soon as it is signed out', async () => {
  const org = await server.make.organization();
  const page = sockets.connect(other.url, '/user', await other.token(org.owner, org.id));
  expect(await connectionOutcomeOf(page)).toBeUndefined();
  const { accessToken, refreshToken } = await signIn(server, org.owner, org.id);
  await beat(server, accessToken);
  const statusOn = (on: TestServer) => on.as(org.owner, org.id)(getUserStatus, {});
  for (const on of [server, other])
    await vi.waitFor(async () => expect(await statusOn(on)).toMatchObject({ ide_status: 'connected' }), 20_000);

  const notice = new Promise((resolve) => page.on('extStatus', resolve));
  await server.as(undefined)(revokeExtensionToken, { body: { refreshToken } });
  expect(await statusOn(server)).toMatchObject({ ide_status: 'disconnected' });
  await vi.waitFor(async () => expect(await statusOn(other)).toMatchObject({ ide_status: 'disconnected' }), 20_000);
  expect(await notice).toEqual({ accountIds: [org.owner.id] });
});

test('a heartbeat that arrives as its grant ends connects no extension', async () => {
  const org = await server.make.organization();
  const { accessToken } = await signIn(server, org.owner, org.id);
  await server.services.database.withOrg(org.id, ({ db }) =>
    db.updateTable('extension_grant').set({ revoked_at: new Date() }).where('org_id', '=', org.id).execute(),
  );
  await beat(server, accessToken);
  expect(await present(org)).toEqual([]);
});

/** Sends a heartbeat of an extension without a socket. */
const beat = (on: TestServer, accessToken: string) =>
  clientWithToken(on, accessToken)(sendHeartbeat, {
    body: { side: 'ide', sessionId: randomUUID(), type: 'vscode', version: '1.0.0' },
  });

/** The accounts with a connected extension, whether the caller may see their presence or not. */
const present = ({ id }: TestOrganization) =>
  server.services.database.withOrg(id, async ({ db }) => {
    const rows = await db
      .selectFrom('extension_session')
      .select('account_id')
      .distinct()
      .where('org_id', '=', id)
      .where('live_until', '>', sql<Date>`now()`)
      .execute();
    return rows.map(({ account_id }) => account_id);
  });

test('requires a new sign-in from a reinstated member', async () => {
  const org = await server.make.organization();
  const member = await server.make.member(org.id, 'rol_contributor');
  const { refreshToken } = await signIn(server, member, org.id);
  const owner = server.as(org.owner, org.id);
  await owner(deactivateMember, { params: { userId: member.id } });
  await owner(reinstateMember, { params: { userId: member.id } });
  expect((await refusalOf(renewAccessTokenOf(server, refreshToken))).status).toBe(401);
  await signIn(server, member, org.id);
});
