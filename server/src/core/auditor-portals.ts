import type { SnapshotRedaction } from '@sightline/contract/compliance/snapshots.ts';
import type { FastifyRequest } from 'fastify';
import type { Database } from '#database/database.ts';
import { secureCookieName, usesSecureCookies } from './cookies.ts';
import { NotFound } from './errors.ts';
import { createOrgSecret, organizationOfSecret, type SecretKind, secretHash } from './org-secrets.ts';

/** A visitor whom a link admitted to an auditor portal. A visitor is not a member. */
export interface PortalActor {
  portal: {
    id: string;
    name: string;
    /** What the portal withholds of the bundles. */
    redaction: SnapshotRedaction;
    /** Whether pages show current names of persons. */
    people: 'names' | 'pseudonyms';
    expiresAt: Date;
    /** The person in the organization; null if no email address was given. */
    personId: string | null;
    email: string | null;
  };
  orgId: string;
  requestId: string;
}

export const portalCookieName = (secure: boolean): string => secureCookieName('sightline_portal', secure);

const link: SecretKind = { prefix: 'slportal_', bytes: 32 };
const visit: SecretKind = { prefix: 'slvisit_', bytes: 32 };

/** Creates the secret of a link or a visit together with the hash that is stored. */
export const createPortalLinkToken = (orgId: string) => createOrgSecret(link, orgId);
export const createPortalVisitToken = (orgId: string) => createOrgSecret(visit, orgId);
export const organizationOfPortalLink = (token: string): string | undefined => organizationOfSecret(link, token);

/**
 * The cookie of a visit. Browsers send it only to the paths of its portal, and neither to scripts nor to other sites.
 */
export function portalVisitCookie(
  token: string,
  { portalId, endsAt, secure }: { portalId: string; endsAt: Date; secure: boolean },
) {
  const seconds = Math.max(0, Math.floor((endsAt.getTime() - Date.now()) / 1000));
  const attributes = [`Path=/api/v2/portal/${portalId}`, `Max-Age=${seconds}`, 'HttpOnly', 'SameSite=Strict'];
  return [`${portalCookieName(secure)}=${token}`, ...attributes, ...(secure ? ['Secure'] : [])].join('; ');
}

/**
 * Authenticates the visitor of the portal in the path of a request. Throws the same 404 for a missing cookie, a wrong
 * cookie and a cookie of another portal. The same applies if the portal is closed or revoked, or its organization is
 * archived. Queries the database on each call, so that closing a portal takes effect at once.
 */
export async function authenticatePortalVisitor(
  { config, database }: { config: { PUBLIC_URL: string }; database: Database },
  { id, headers, params }: Pick<FastifyRequest, 'id' | 'headers' | 'params'>,
): Promise<PortalActor> {
  const token = tokenOf(headers.cookie, portalCookieName(usesSecureCookies(config)));
  const orgId = token === undefined ? undefined : organizationOfSecret(visit, token);
  const { portalId } = params as { portalId?: string };
  if (token === undefined || orgId === undefined || portalId === undefined || !uuid.test(portalId)) throw NotFound();
  const [portal] = await database.withOrg(orgId, (tx) =>
    tx.query<PortalActor['portal']>({
      name: 'portals.visitor',
      text: `select r.id, r.name, r.redaction, r.people, r.expires_at as "expiresAt", r.person_id as "personId", r.auditor_email as email
             from auditor_portal_session v
             join auditor_portal r on r.org_id = v.org_id and r.id = v.portal_id
             join organization o on o.id = r.org_id
             where v.org_id = $1 and v.hash = $2 and v.portal_id = $3 and v.expires_at > now()
               and r.expires_at > now() and r.revoked_at is null and o.archived_at is null`,
      values: [orgId, secretHash(token), portalId],
    }),
  );
  if (!portal) throw NotFound();
  return { portal, orgId, requestId: id };
}

const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;

const tokenOf = (cookies = '', name: string): string | undefined =>
  cookies
    .split(';')
    .map((one) => one.trim())
    .find((one) => one.startsWith(`${name}=`))
    ?.slice(name.length + 1);
