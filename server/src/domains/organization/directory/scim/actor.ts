import type { FastifyRequest } from 'fastify';
import { bearerTokenOf } from '#core/bearer-token.ts';
import { Archived, Unauthenticated } from '#core/errors.ts';
import { organizationOfSecret, secretHash } from '#core/org-secrets.ts';
import { countRequest } from '#core/request-limits.ts';
import type { Services } from '#core/services.ts';
import { directoryTokenKind } from '../token.ts';

/** A directory that sent a request with its token. */
export interface ScimActor {
  orgId: string;
}

/**
 * Authenticates the token of a directory: 401 for any other one, 409 for a change in an archived organization, 429 over
 * the limit. Queries the database on each call, so that a revoked token is rejected at once.
 */
export async function authenticateDirectory(services: Services, request: FastifyRequest): Promise<ScimActor> {
  const token = bearerTokenOf(request);
  const orgId = token === undefined ? undefined : organizationOfSecret(directoryTokenKind, token);
  if (token === undefined || orgId === undefined) throw Unauthenticated();
  const isArchived = await services.database.withOrg(orgId, async (tx) => {
    const hash = secretHash(token);
    const [row] = await tx.query<{ archived: boolean; is_stale: boolean }>({
      name: 'directory.authenticate',
      text: `select o.archived_at is not null as archived,
               d.last_request_at is null or d.last_request_at < now() - interval '1 minute' as is_stale
             from directory d join organization o on o.id = d.org_id
             where d.org_id = $1 and (d.token_hash = $2 or (d.previous_hash = $2 and d.previous_until > now()))`,
      values: [orgId, hash],
    });
    if (!row) throw Unauthenticated();
    if (row.is_stale) {
      await tx.query({
        name: 'directory.requested',
        text: `update directory set last_request_at = now() where org_id = $1
               and (last_request_at is null or last_request_at < now() - interval '1 minute')`,
        values: [orgId],
      });
    }
    return row.archived;
  });
  await countRequest(services, { request, limit: 'directoryOfOrganization', subject: orgId });
  if (isArchived && request.method !== 'GET' && !request.url.includes('/.search')) throw Archived();
  return { orgId };
}
