import { inflateRawSync } from 'node:zlib';
import type { ApiCall } from '@sightline/contract/core/client.ts';
import type { RoleId } from '@sightline/contract/core/permissions.ts';
import { connectSaml, type SamlLogin } from '@sightline/contract/identity/saml.ts';
import { updateOrganizationSecurity } from '@sightline/contract/organization/organization-security.ts';
import type { SigningKey } from '@sightline/sandbox/saml/certificate.ts';
import { type AssertionFacts, metadataXml, signedResponse } from '@sightline/sandbox/saml/response.ts';
import { expect } from 'vitest';
import type { TestAccount, TestOrganization, TestServer } from '#testing/server.ts';
import { operatorCliOf } from '../../../../cli/testing/in-process.ts';
import { authorize, type Browser, openBrowser, type Visited } from '../../authentication/testing/browser.ts';
import { password, setTestPassword } from '../../authentication/testing/people.ts';
import { addAuthenticatorApp, openSession } from '../../second-factors/testing/session.ts';

export const idp = 'https://idp.corp.example/metadata';
export const signInUrl = 'https://idp.corp.example/sso';

/** An organization with a verified domain, a SAML login, and a member with an address of the domain. */
export interface SamlScene {
  server: TestServer;
  key: SigningKey;
  org: TestOrganization;
  domain: string;
  /** Calls of the owner. */
  call: ApiCall;
  login: SamlLogin;
  member: TestAccount;
  /** Makes members use the login, or another connection. */
  require: (connection?: string) => Promise<unknown>;
}

let scenes = 0;

export async function makeSamlScene(
  server: TestServer,
  key: SigningKey,
  {
    groupsAttribute = null,
    startsAtProvider = false,
  }: { groupsAttribute?: string | null; startsAtProvider?: boolean } = {},
): Promise<SamlScene> {
  scenes += 1;
  const domain = `corp${scenes}.example`;
  const org = await server.make.organization();
  const call = server.as(org.owner, org.id);
  await operatorCliOf(server).ask('org', 'verify-domain', org.id, domain);
  const metadata = { xml: metadataXml(idp, signInUrl, key) };
  const login = await call(connectSaml, { body: { label: 'Corp', metadata, groupsAttribute, startsAtProvider } });
  const member = { ...(await server.make.member(org.id, 'rol_auditor')), email: `mia@${domain}` };
  await setAddress(server, member, member.email);
  const require = async (connection = login.connection) => {
    await setTestPassword(server, org.owner);
    await addAuthenticatorApp(await openSession(server, org.owner));
    const body = { ssoConnection: connection, breakGlassOwners: [org.owner.id] };
    return call(updateOrganizationSecurity, { body });
  };
  return { server, key, org, domain, call, login, member, require };
}

const setAddress = ({ services }: TestServer, { id }: TestAccount, email: string): Promise<unknown> =>
  services.database.global(({ db }) => db.updateTable('account').set({ email }).where('id', '=', id).execute());

/** Makes an account a member of another organization. */
export const join = ({ services }: TestServer, orgId: string, { id, email, name }: TestAccount, roleId: RoleId) =>
  services.database.withOrg(orgId, async (tx) => {
    const member = { org_id: orgId, account_id: id, role_id: roleId, status: 'active' };
    await tx.db.insertInto('member').values(member).execute();
    const names = [{ kind: 'account', value: id } as const, { kind: 'email', value: email } as const];
    await services.people.resolve(tx, orgId, [{ names, display: name, picture: null, source: 'sightline' }]);
  });

/** Begins a sign-in and returns what the identity provider receives. */
export async function begin(scene: SamlScene, browser: Browser, extra: Record<string, string> = {}) {
  const { connection } = scene.login;
  const params = { organization: scene.org.id, connection, prompt: 'login', ...extra };
  return requestAt(await browser.get(authorize(scene.server, params).url));
}

/** The request that a browser took to the identity provider. */
export function requestAt({ url }: Visited): { requestId: string; state: string } {
  expect(url.origin + url.pathname).toBe(signInUrl);
  const xml = inflateRawSync(Buffer.from(url.searchParams.get('SAMLRequest') ?? '', 'base64')).toString();
  return { requestId: /ID="([^"]+)"/.exec(xml)?.[1] ?? '', state: url.searchParams.get('RelayState') ?? '' };
}

export interface StatedPerson {
  email: string;
  nameId?: string;
  groups?: readonly string[];
}

/** What the identity provider states about a person. */
export const factsOf = (
  { login }: SamlScene,
  requestId: string,
  { email, nameId = email, groups = [] }: StatedPerson,
): AssertionFacts => ({
  issuer: idp,
  audience: login.service.entityId,
  recipient: login.service.callbackUrl,
  inResponseTo: requestId,
  nameId,
  attributes: { email, displayName: 'Mia Corp', groups },
});

/** Posts a response as another site does: without the cookies of this one. Returns where the browser goes. */
export async function postResponse(
  { server, login }: SamlScene,
  xml: string,
  state: string | undefined,
): Promise<{ status: number; location: string }> {
  const answer = await fetch(`${server.url}${new URL(login.service.callbackUrl).pathname}`, {
    method: 'POST',
    redirect: 'manual',
    headers: { origin: 'https://idp.corp.example' },
    body: new URLSearchParams({
      SAMLResponse: Buffer.from(xml).toString('base64'),
      ...(state !== undefined && { RelayState: state }),
    }),
  });
  return { status: answer.status, location: answer.headers.get('location') ?? '' };
}

/** Completes a sign-in that began. Returns the last page. */
export async function complete(
  scene: SamlScene,
  browser: Browser,
  { requestId, state }: { requestId: string; state: string },
  person: StatedPerson,
): Promise<Visited> {
  const { location } = await postResponse(scene, signedResponse(factsOf(scene, requestId, person), scene.key), state);
  return browser.get(location);
}

/** Signs in at the identity provider. Returns the last page. */
export const signInBySaml = async (
  scene: SamlScene,
  browser: Browser,
  person: StatedPerson,
  extra: Record<string, string> = {},
): Promise<Visited> => complete(scene, browser, await begin(scene, browser, extra), person);

/** Connects the login to the account of the member, who proves it by the password once. */
export async function connectMember(scene: SamlScene, person: StatedPerson = scene.member): Promise<void> {
  await setTestPassword(scene.server, scene.member);
  const browser = openBrowser(scene.server);
  const proof = await signInBySaml(scene, browser, person);
  await browser.submit(proof, { email: scene.member.email, password });
}
