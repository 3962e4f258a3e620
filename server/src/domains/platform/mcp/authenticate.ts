import type { FastifyRequest } from 'fastify';
import { authenticateAccessKey, isAccessKey, recordKeyUse } from '#core/access-keys.ts';
import { requireMemberActor } from '#core/actor.ts';
import { bearerTokenOf } from '#core/bearer-token.ts';
import { Unauthenticated } from '#core/errors.ts';
import { findActiveMcpGrant } from '#core/mcp-grants.ts';
import { countRequest } from '#core/request-limits.ts';
import type { Services } from '#core/services.ts';
import type { Claims } from '#core/tokens.ts';

/** A member who reads over MCP, and the program that the credential belongs to. */
export interface McpCaller {
  claims: Claims & { orgId: string };
  personId: string;
  /** The name of the program or of the access key, for the audit log. */
  client: string;
}

/**
 * Returns the member of the credential in the `Authorization` header: a token for this resource, or a personal access key
 * for MCP. Throws 401 for any other credential, after the end of its session or grant, and for a member who may no longer
 * enter the organization. Reads grants, keys and memberships from the database at each request.
 */
export async function authenticateMcpCaller(services: Services, request: FastifyRequest): Promise<McpCaller> {
  const token = bearerTokenOf(request);
  if (token === undefined) throw Unauthenticated();
  const { claims, client } = isAccessKey(token)
    ? await callerOfKey(services, token, request)
    : await callerOfToken(services, token);
  const { accountId, personId, orgId } = await requireMemberActor(services.memberships, {
    claims,
    request,
    permission: 'read:org',
    isUse: true,
  });
  await countRequest(services, { request, limit: 'account', subject: accountId });
  await countRequest(services, { request, limit: 'organization', subject: orgId });
  return { claims, personId, client };
}

type Credential = Omit<McpCaller, 'personId'>;

async function callerOfKey({ database }: Services, key: string, request: FastifyRequest): Promise<Credential> {
  const actor = await authenticateAccessKey(database, { key, use: 'mcp' }, request);
  if (actor.member === null) throw Unauthenticated();
  await database.withOrg(actor.orgId, (tx) => recordKeyUse(tx, actor));
  // Without a session: a policy of the organization about sessions or single sign-on rejects the key.
  const claims = { accountId: actor.member.accountId, email: '', orgId: actor.orgId, expiresAt: 0 };
  return { claims, client: actor.accessKey.label };
}

async function callerOfToken(services: Services, token: string): Promise<Credential> {
  const claims = await services.verifyMcpToken(token);
  if (claims?.orgId === undefined || claims.grantId === undefined) throw Unauthenticated();
  const { orgId, accountId, grantId } = claims;
  const grant = await services.database.withOrg(orgId, (tx) => findActiveMcpGrant(tx, { orgId, accountId, grantId }));
  if (!grant) throw Unauthenticated();
  return { claims: { ...claims, orgId }, client: grant.client };
}
