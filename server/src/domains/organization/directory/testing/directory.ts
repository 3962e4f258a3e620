import { connectDirectory, scimPath } from '@sightline/contract/organization/directory.ts';
import type { TestOrganization, TestServer } from '#testing/server.ts';
import { operatorCliOf } from '../../../../cli/testing/in-process.ts';

export interface ScimAnswer {
  status: number;
  headers: Headers;
  // biome-ignore lint/suspicious/noExplicitAny: the tests state the expected form
  body: any;
}

export type Scim = (method: string, path: string, body?: unknown) => Promise<ScimAnswer>;

/** Sends requests like a directory. `body` as text is sent unchanged. */
export const scimClient =
  (server: Pick<TestServer, 'url'>, token: string): Scim =>
  async (method, path, body) => {
    const response = await fetch(`${server.url}${scimPath}${path}`, {
      method,
      headers: {
        authorization: `Bearer ${token}`,
        ...(body !== undefined && { 'content-type': 'application/scim+json' }),
      },
      ...(body !== undefined && { body: typeof body === 'string' ? body : JSON.stringify(body) }),
    });
    const text = await response.text();
    return { status: response.status, headers: response.headers, body: text === '' ? undefined : JSON.parse(text) };
  };

/** Connects a directory with a verified domain, and returns its client. */
export async function connectTestDirectory(
  server: TestServer,
  org: TestOrganization,
  {
    domain,
    defaultRole = 'rol_contributor',
  }: { domain?: string; defaultRole?: 'rol_contributor' | 'rol_reviewer' | null } = {},
): Promise<{ scim: Scim; token: string }> {
  if (domain !== undefined) await operatorCliOf(server).ask('org', 'verify-domain', org.id, domain);
  const { token } = await server.as(org.owner, org.id)(connectDirectory, { body: { product: 'entra', defaultRole } });
  return { scim: scimClient(server, token), token };
}

export const userSchema = 'urn:ietf:params:scim:schemas:core:2.0:User';
export const groupSchema = 'urn:ietf:params:scim:schemas:core:2.0:Group';
const patchSchema = 'urn:ietf:params:scim:api:messages:2.0:PatchOp';

export const patchOf = (...Operations: object[]) => ({ schemas: [patchSchema], Operations });

/** A user as Okta creates it. */
export const userBody = (address: string, more: object = {}) => ({
  schemas: [userSchema],
  userName: address,
  name: { givenName: 'Grace', familyName: 'Hopper' },
  emails: [{ primary: true, value: address, type: 'work' }],
  displayName: 'Grace Hopper',
  active: true,
  ...more,
});
