import { updateGroupRoles } from '@sightline/contract/organization/directory.ts';
import { listMembers } from '@sightline/contract/organization/members.ts';
import { updateOrganizationSecurity } from '@sightline/contract/organization/organization-security.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { TestServer } from '#testing/server.ts';
import { operatorCliOf } from '../../../cli/testing/in-process.ts';
import { openBrowser } from '../../identity/authentication/testing/browser.ts';
import { type LoginScene, signInWith, startLogins } from '../../identity/authentication/testing/logins.ts';
import { password, setTestPassword } from '../../identity/authentication/testing/people.ts';
import { addAuthenticatorApp, openSession } from '../../identity/second-factors/testing/session.ts';

let scene: LoginScene;
let server: TestServer;
beforeAll(async () => {
  scene = await startLogins(({ issuer }) => ({
    OIDC_LOGINS: JSON.stringify([
      { name: 'acme', label: 'Acme', issuer, clientId: 'sightline', clientSecret: 'x', groupsClaim: 'groups' },
      { name: 'other', label: 'Other', issuer, clientId: 'sightline', clientSecret: 'x', groupsClaim: 'groups' },
    ]),
  }));
  server = scene.server;
});
afterAll(() => scene?.close());

/** An organization that requires Acme, and a member who signs in there with groups. */
async function makeScene(domain: string) {
  const org = await server.make.organization();
  await setTestPassword(server, org.owner);
  await addAuthenticatorApp(await openSession(server, org.owner));
  const call = server.as(org.owner, org.id);
  await operatorCliOf(server).ask('org', 'verify-domain', org.id, domain);
  await call(updateOrganizationSecurity, { body: { ssoConnection: 'acme', breakGlassOwners: [org.owner.id] } });
  await call(updateGroupRoles, {
    body: {
      roles: [
        { group: 'Security', roleId: 'rol_reviewer' },
        { group: 'Admins', roleId: 'rol_owner' },
      ],
    },
  });
  const email = `mia@${domain}`;
  const member = await server.make.member(org.id, 'rol_auditor');
  await setTestPassword(server, member);
  await server.services.database.global(({ db }) =>
    db.updateTable('account').set({ email }).where('id', '=', member.id).execute(),
  );
  const login = domain.replace('.example', '');
  const signInAt = (connection: string, groups: string, address = email) =>
    signInWith(server, { browser: openBrowser(server), connection, user: { login, email: address, groups } });
  const connect = async (connection: string, groups: string) => {
    const browser = openBrowser(server);
    const proof = await signInWith(server, { browser, connection, user: { login, email, groups } });
    await browser.submit(proof, { email, password });
  };
  const role = async () => {
    const { rows } = await call(listMembers, { query: { search: email } });
    return rows[0]?.role?.id;
  };
  return { signInAt, connect, role };
}

test('groups of the required provider give a role at each sign-in, which ends with them', async () => {
  const { signInAt, connect, role } = await makeScene('groups.example');
  await connect('acme', 'Staff');
  expect(await role()).toBe('rol_auditor');
  await signInAt('acme', 'Staff');
  expect(await role()).toBe('rol_auditor');
  await signInAt('acme', 'staff, SECURITY');
  expect(await role()).toBe('rol_reviewer');
  await signInAt('acme', 'Security, Admins');
  expect(await role()).toBe('rol_owner');
  await signInAt('acme', 'Staff');
  expect(await role()).toBe('rol_contributor');
});

test('groups of another provider, or with an address of another domain, give nothing', async () => {
  const { signInAt, connect, role } = await makeScene('wrong.example');
  await connect('other', 'Admins');
  await signInAt('other', 'Admins');
  expect(await role()).toBe('rol_auditor');
  await connect('acme', '');
  await signInAt('acme', 'Admins', 'mia@elsewhere.example');
  expect(await role()).toBe('rol_auditor');
});
