import { createHash, randomBytes } from 'node:crypto';
import { createClient } from '@sightline/contract/core/client.ts';
import {
  authorizeExtension,
  redeemExtensionCode,
  renewExtensionToken,
} from '@sightline/contract/identity/extensions.ts';
import { listAudit } from '@sightline/contract/organization/audit.ts';
import type { TestAccount, TestOrganization, TestServer } from '#testing/server.ts';

/** A secret of an extension and its challenge. */
export const createVerifierPair = () => {
  const codeVerifier = randomBytes(32).toString('base64url');
  return { codeVerifier, codeChallenge: createHash('sha256').update(codeVerifier).digest('base64url') };
};

export const codeFor = (server: TestServer, account: TestAccount, orgId: string, codeChallenge: string) =>
  server.as(account, orgId)(authorizeExtension, {
    body: { side: 'ide', type: 'vscode', device: 'desk', codeChallenge },
  });

/** Signs in an editor extension, with the requests of both the page and the extension. */
export async function signIn(server: TestServer, account: TestAccount, orgId: string) {
  const { codeVerifier, codeChallenge } = createVerifierPair();
  const { code } = await codeFor(server, account, orgId, codeChallenge);
  return server.as(undefined)(redeemExtensionCode, { body: { code, codeVerifier, version: '1.0.0' } });
}

export const renewAccessTokenOf = (server: TestServer, refreshToken: string) =>
  server.as(undefined)(renewExtensionToken, { body: { refreshToken } });

/** A client with the given token. */
export const clientWithToken = ({ url }: TestServer, token: string) =>
  createClient({ baseUrl: `${url}/api`, token: () => token });

/** The newest audit log entries of an organization. */
export async function auditOf(server: TestServer, { owner, id }: TestOrganization): Promise<string[]> {
  const { entries } = await server.as(owner, id)(listAudit, {});
  return entries.map(({ action }) => action);
}
