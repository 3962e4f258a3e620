import { randomBytes } from 'node:crypto';
import {
  disconnectExtension,
  getExtensionSettings,
  listExtensions,
  revokeExtensionToken,
} from '@sightline/contract/extensions.ts';
import { deactivateMember, deleteMember, reinstateMember } from '@sightline/contract/members.ts';
import { leaveOrganization } from '@sightline/contract/organizations.ts';
import { changePassword } from '@sightline/contract/passwords.ts';
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest';
import { refusal, startTestServer, type TestAccount, type TestOrganization, type TestServer } from '#testing/server.ts';
import { createSockets, isCut, outcomeOf } from '../../house/sockets.ts';
import { hashPassword } from '../identity/passwords.ts';
import { resetSecondFactors } from '../second-factors/reset.ts';
import { auditOf, renew, signIn, withToken } from './testing/sign-in.ts';

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

const ways: { name: string; end: (scene: Scene) => Promise<unknown> }[] = [
  {
    name: 'signs itself out',
    end: ({ refreshToken }) => server.as(undefined)(revokeExtensionToken, { body: { refreshToken } }),
  },
  {
    name: 'is disconnected by its person',
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
      const hash = await hashPassword('the password of before');
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

interface Scene {
  org: TestOrganization;
  member: TestAccount;
  refreshToken: string;
}

describe.each(ways)('an extension that $name', ({ end }) => {
  test('is refused at once and everywhere, and its sockets are cut', async () => {
    const org = await server.make.organization();
    const member = await server.make.member(org.id, 'rol_reviewer');
    const { accessToken, refreshToken } = await signIn(server, member, org.id);
    const stays = await signIn(server, org.owner, org.id);
    const open = [server, other].map(({ url }) => sockets.connect(url, '/ide/context', accessToken));
    const bystander = sockets.connect(server.url, '/ide/context', stays.accessToken);
    expect(await Promise.all([...open, bystander].map(outcomeOf))).toEqual([undefined, undefined, undefined]);
    const ask = (on: TestServer) => refusal(withToken(on, accessToken)(getExtensionSettings, {}));
    for (const on of [server, other]) expect((await ask(on)).status).toBe(200);

    await end({ org, member, refreshToken });
    await Promise.all(open.map(isCut));
    expect(bystander.connected).toBe(true);
    expect(await ask(server)).toEqual({ status: 401, code: 'unauthenticated' });
    await vi.waitFor(async () => expect((await ask(other)).status).toBe(401), { timeout: 3_000 });
    expect(await refusal(renew(server, refreshToken))).toEqual({ status: 401, code: 'unauthenticated' });
    expect((await outcomeOf(sockets.connect(server.url, '/ide/context', accessToken)))?.data).toEqual({ code: 401 });
    await renew(server, stays.refreshToken);
    expect(await auditOf(server, org)).toContain('extension.signed_out');
  });
});

test('who is let in again signs in anew', async () => {
  const org = await server.make.organization();
  const member = await server.make.member(org.id, 'rol_contributor');
  const { refreshToken } = await signIn(server, member, org.id);
  const owner = server.as(org.owner, org.id);
  await owner(deactivateMember, { params: { userId: member.id } });
  await owner(reinstateMember, { params: { userId: member.id } });
  expect((await refusal(renew(server, refreshToken))).status).toBe(401);
  await signIn(server, member, org.id);
});
