import { randomBytes } from 'node:crypto';
import { createClient } from '@sightline/contract/core/client.ts';
import type { RoleId } from '@sightline/contract/core/permissions.ts';
import { namespaces } from '@sightline/contract/delivery/realtime.ts';
import { changeMemberRole, deactivateMember, deleteMember } from '@sightline/contract/organization/members.ts';
import {
  archiveOrganization,
  getOrganization,
  leaveOrganization,
} from '@sightline/contract/organization/organizations.ts';
import { listProviderRepos } from '@sightline/contract/sources/repositories.ts';
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest';
import {
  refusalOf,
  startTestServer,
  type TestAccount,
  type TestOrganization,
  type TestServer,
} from '#testing/server.ts';
import { connectionOutcomeOf, createSockets, waitUntilDisconnected } from './sockets.ts';

// Two servers on one database, as behind a load balancer. Tokens remain valid, but their permissions end at once.
let one: TestServer;
let other: TestServer;
const sockets = createSockets();
beforeAll(async () => {
  const environment = { MASTER_KEY: randomBytes(32).toString('base64') };
  one = await startTestServer({ environment });
  other = await startTestServer({ environment, beside: one });
});
afterEach(sockets.closeAll);
afterAll(async () => {
  await other.close();
  await one.close();
});

interface MemberScene {
  org: TestOrganization;
  member: TestAccount;
}

const endings: { name: string; role: RoleId; end: (scene: MemberScene) => Promise<unknown>; after: number }[] = [
  {
    name: 'deactivation',
    role: 'rol_reviewer',
    end: ({ org, member }) => one.as(org.owner, org.id)(deactivateMember, { params: { userId: member.id } }),
    after: 403,
  },
  {
    name: 'removal',
    role: 'rol_owner',
    end: ({ org, member }) => one.as(org.owner, org.id)(deleteMember, { params: { userId: member.id } }),
    after: 403,
  },
  {
    name: 'leaving',
    role: 'rol_auditor',
    end: ({ org, member }) => one.as(member, org.id)(leaveOrganization, {}),
    after: 403,
  },
  {
    name: 'archiving of the organization',
    role: 'rol_contributor',
    end: ({ org }) => one.as(org.owner, org.id)(archiveOrganization, {}),
    after: 403,
  },
  {
    // A demoted member reconnects at once with fewer permissions.
    name: 'demotion',
    role: 'rol_owner',
    end: ({ org, member }) =>
      one.as(org.owner, org.id)(changeMemberRole, {
        params: { userId: member.id },
        body: { oldRole: 'rol_owner', newRole: 'rol_contributor' },
      }),
    after: 200,
  },
];

describe.each(endings)('a member after $name', ({ role, end, after }) => {
  test('is disconnected from every server at once, regardless of the token lifetime', async () => {
    const org = await one.make.organization();
    const member = await one.make.member(org.id, role);
    const token = await one.token(member, org.id);
    const elsewhere = await one.make.organization('Elsewhere');
    const servers = [one, other];
    const open = servers.flatMap(({ url }) => namespaces.map((namespace) => sockets.connect(url, namespace, token)));
    const bystanders = servers.map(({ url }) => ({ url, account: elsewhere.owner, orgId: elsewhere.id }));
    const bystanderSockets = await Promise.all(
      bystanders.map(async ({ url, account, orgId }) =>
        sockets.connect(url, '/auth0mgm', await one.token(account, orgId)),
      ),
    );
    expect(await Promise.all([...open, ...bystanderSockets].map(connectionOutcomeOf))).toEqual(
      [...open, ...bystanderSockets].map(() => undefined),
    );
    const ask = (url: string) =>
      refusalOf(createClient({ baseUrl: `${url}/api`, token: () => token })(getOrganization, {}));
    // Both servers have the membership in their cache.
    for (const { url } of servers) expect((await ask(url)).status).toBe(200);

    await end({ org, member });
    await Promise.all(open.map(waitUntilDisconnected));
    expect(bystanderSockets.map((socket) => socket.connected)).toEqual([true, true]);
    expect((await ask(one.url)).status).toBe(after);
    await vi.waitFor(async () => expect((await ask(other.url)).status).toBe(after), { timeout: 3_000 });
    const again = await connectionOutcomeOf(sockets.connect(other.url, '/auth0mgm', token));
    expect(again?.data).toEqual(after === 200 ? undefined : { code: 401 });
  });
});

test('revokes the permissions of a demoted owner on every server', async () => {
  const org = await one.make.organization();
  const member = await one.make.member(org.id, 'rol_owner');
  const chooseOn = (server: TestServer) => refusalOf(server.as(member, org.id)(listProviderRepos, {}));
  expect((await chooseOn(other)).status).toBe(200);
  await one.as(org.owner, org.id)(changeMemberRole, {
    params: { userId: member.id },
    body: { oldRole: 'rol_owner', newRole: 'rol_contributor' },
  });
  const archiveOn = (server: TestServer) => refusalOf(server.as(member, org.id)(archiveOrganization, {}));
  expect((await archiveOn(one)).status).toBe(403);
  await vi.waitFor(async () => expect((await archiveOn(other)).status).toBe(403), { timeout: 3_000 });
});
