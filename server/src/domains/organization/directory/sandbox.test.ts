import { connectDirectory, getDirectory, updateDirectory } from '@sightline/contract/organization/directory.ts';
import { listMembers } from '@sightline/contract/organization/members.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startTestServer, type TestServer } from '#testing/server.ts';
import { createDirectory } from '../../../../../sandbox/src/directory/directory.ts';
import { operatorCliOf } from '../../../cli/testing/in-process.ts';

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer();
});
afterAll(() => server?.close());

test.each(['entra', 'okta'] as const)(
  'synchronizes its content in the dialect of %s, and again without a change',
  async (dialect) => {
    const org = await server.make.organization();
    await operatorCliOf(server).ask('org', 'verify-domain', org.id, 'sandbox.example');
    const call = server.as(org.owner, org.id);
    const { token } = await call(connectDirectory, { body: { product: dialect, defaultRole: 'rol_contributor' } });
    await call(updateDirectory, {
      body: { defaultRole: 'rol_contributor', groupRoles: [{ group: 'Security', roleId: 'rol_reviewer' }] },
    });
    const directory = createDirectory();
    const { state } = directory;
    state.target = { url: `${server.url}/scim/v2`, token, dialect };
    expect((await directory.synchronize()).failures).toEqual([]);
    const members = async () => {
      const { rows } = await call(listMembers, { query: { search: 'sandbox.example' } });
      return rows.map(({ email, role, status }) => `${email?.split('@')[0]} ${role?.id} ${status}`).toSorted();
    };
    expect(await members()).toEqual([
      'alan.turing rol_contributor accepted',
      'barbara.liskov rol_contributor accepted',
      'donald.knuth rol_contributor accepted',
      'grace.hopper rol_reviewer accepted',
    ]);
    expect(await directory.synchronize()).toMatchObject({ changes: 0, failures: [] });

    const [grace, alan] = state.users;
    const [engineering, security] = state.groups;
    if (!grace || !alan || !engineering || !security) throw new Error('The directory has no content.');
    grace.active = false;
    alan.familyName = 'Mathison Turing';
    security.members = [alan.id];
    expect((await directory.synchronize()).failures).toEqual([]);
    expect(await members()).toEqual([
      'alan.turing rol_reviewer accepted',
      'barbara.liskov rol_contributor accepted',
      'donald.knuth rol_contributor accepted',
      'grace.hopper rol_reviewer deactivated',
    ]);
    state.deleted.users.push(alan.email);
    state.users.splice(state.users.indexOf(alan), 1);
    state.deleted.groups.push(engineering.name);
    state.groups.splice(state.groups.indexOf(engineering), 1);
    security.members = [];
    expect((await directory.synchronize()).failures).toEqual([]);
    expect(await call(getDirectory, {})).toMatchObject({ users: { active: 2, inactive: 1, withheld: 0 }, groups: 1 });
    expect((await members())[0]).toBe('alan.turing rol_contributor deactivated');
  },
);
test('receives several groups with roles and the same people at once', async () => {
  const org = await server.make.organization();
  await operatorCliOf(server).ask('org', 'verify-domain', org.id, 'sandbox.example');
  const call = server.as(org.owner, org.id);
  const { token } = await call(connectDirectory, { body: { product: 'entra', defaultRole: null } });
  const names = ['One', 'Two', 'Three', 'Four', 'Five', 'Six', 'Seven', 'Eight'];
  const groupRoles = names.map((group, index) => ({
    group,
    roleId: index === 3 ? ('rol_reviewer' as const) : ('rol_contributor' as const),
  }));
  await call(updateDirectory, { body: { defaultRole: null, groupRoles } });
  const directory = createDirectory();
  const { state } = directory;
  state.users = Array.from({ length: 12 }, (_, index) => ({
    id: `user-${index}`,
    givenName: 'Person',
    familyName: String(index),
    email: `person.${index}@sandbox.example`,
    active: true,
  }));
  const members = state.users.map(({ id }) => id);
  state.groups = names.map((name) => ({ id: name, name, members }));
  state.target = { url: `${server.url}/scim/v2`, token, dialect: 'entra' };
  expect((await directory.synchronize()).failures).toEqual([]);
  const { rows } = await call(listMembers, { query: { search: 'sandbox.example', perPage: 40 } });
  expect(rows.map(({ role }) => role?.id)).toEqual(members.map(() => 'rol_reviewer'));
});
