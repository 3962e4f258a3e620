import { randomBytes } from 'node:crypto';
import { type connectSaml, type SamlLogin, samlConnectionOf } from '@sightline/contract/identity/saml.ts';
import { sql } from 'kysely';
import type { z } from 'zod';
import type { Actor } from '#core/actor.ts';
import { recordAuditEntry } from '#core/audit.ts';
import { Conflict, Invalid, NotFound, UpstreamFailed } from '#core/errors.ts';
import { requireOwner } from '#core/owner-lock.ts';
import type { Services } from '#core/services.ts';
import type { Tx } from '#database/database.ts';
import { createSigningCertificate } from '#providers/upstream/saml/certificate.ts';
import { MAX_METADATA_LENGTH, parseMetadata, type SamlMetadata } from '#providers/upstream/saml/metadata.ts';
import { endSessions } from '../sessions/commands.ts';
import { listVerifiedDomains } from '../sign-in-policy/queries.ts';
import { findSamlLoginOf, findSamlRow, samlKeyLocation } from './queries.ts';
import { samlResponseId, samlResponseModel } from './responses.ts';

type Connection = z.output<typeof connectSaml.body>;

/**
 * Connects a SAML identity provider by its metadata, or replaces it. Throws 400 for metadata that cannot be used, 409
 * without a verified domain.
 */
export async function connectSamlOf(services: Services, actor: Actor, connection: Connection): Promise<SamlLogin> {
  const { orgId } = actor;
  if (services.config.direct) throw Conflict('All users of this server already sign in with your identity provider.');
  const metadata = await readMetadata(services, orgId, connection.metadata);
  const { privateKey, certificate } = await createSigningCertificate(`Sightline ${orgId}`);
  return services.database.withOrg(orgId, async (tx) => {
    await requireOwner(tx, actor);
    if ((await listVerifiedDomains(tx, orgId)).length === 0)
      throw Conflict('Verify a domain of your organization first.');
    const before = await findSamlRow(tx, orgId);
    const values = {
      label: connection.label,
      entity_id: metadata.entityId,
      sign_in_url: metadata.signInUrl,
      certificates: metadata.certificates,
      groups_attribute: connection.groupsAttribute,
    };
    // The provider knows the key of this service, so a replaced connection keeps it.
    const key = before
      ? {}
      : { certificate, key_sealed: services.secrets.seal(samlKeyLocation(orgId), Buffer.from(privateKey)) };
    if (before) {
      await tx.db.updateTable('saml_login').set(values).where('org_id', '=', orgId).execute();
    } else {
      await tx.db
        .insertInto('saml_login')
        .values({ org_id: orgId, ...values, certificate, key_sealed: key.key_sealed ?? Buffer.alloc(0) })
        .execute();
    }
    if (before && before.entity_id !== metadata.entityId) await endSamlSessions(services, tx, orgId);
    await recordAuditEntry(tx, {
      people: services.people,
      orgId,
      actor,
      entry: {
        action: 'saml.connected',
        subject: { kind: 'organization', id: orgId },
        data: {
          ...(before && { before: { entityId: before.entity_id, certificates: before.certificates.length } }),
          after: { entityId: metadata.entityId, certificates: metadata.certificates.length },
        },
      },
    });
    tx.afterCommit(() => services.realtime.notifyOrganization(orgId, 'orgSettings', {}));
    return findSamlLoginOf(services.config, tx, orgId);
  });
}

/** Disconnects the SAML login. Throws 409 while members must use it. */
export const disconnectSamlOf = (services: Services, actor: Actor): Promise<null> =>
  services.database.withOrg(actor.orgId, async (tx) => {
    const { orgId } = actor;
    await requireOwner(tx, actor);
    const row = await findSamlRow(tx, orgId);
    if (!row) throw NotFound('SAML login');
    const [required] = await tx.query<{ id: string }>({
      name: 'saml.is-required',
      text: 'select id from organization where id = $1 and sso_connection = $2',
      values: [orgId, samlConnectionOf(orgId)],
    });
    if (required) throw Conflict('Members must sign in with this provider. Require another one first.');
    await tx.db.deleteFrom('saml_login').where('org_id', '=', orgId).execute();
    await endSamlSessions(services, tx, orgId);
    await recordAuditEntry(tx, {
      people: services.people,
      orgId,
      actor,
      entry: {
        action: 'saml.disconnected',
        subject: { kind: 'organization', id: orgId },
        data: { before: { entityId: row.entity_id } },
      },
    });
    tx.afterCommit(() => services.realtime.notifyOrganization(orgId, 'orgSettings', {}));
    return null;
  });

/** Ends the sessions that began with the SAML login of an organization. */
async function endSamlSessions(services: Services, tx: Tx, orgId: string): Promise<void> {
  const rows = await tx.db
    .selectFrom('account_session')
    .select(['id', 'account_id'])
    .where('connection', '=', samlConnectionOf(orgId))
    .where('ended_at', 'is', null)
    .execute();
  const ids = new Set(rows.map(({ id }) => id));
  for (const account of new Set(rows.map(({ account_id }) => account_id)))
    await endSessions(services, tx, account, (id) => ids.has(id));
}

async function readMetadata(
  { outboundFor }: Services,
  orgId: string,
  given: Connection['metadata'],
): Promise<SamlMetadata> {
  const outbound = outboundFor(orgId, 'identity-provider');
  const field = 'url' in given ? 'metadata.url' : 'metadata.xml';
  const xml = 'url' in given ? await fetchMetadata(outbound, given.url) : given.xml;
  const metadata = parseMetadata(xml);
  if ('problem' in metadata) throw Invalid(field, metadata.problem);
  // The browser goes there, so it may be a private address; but only over https, unless the operator allows it.
  const url = URL.canParse(metadata.signInUrl) ? new URL(metadata.signInUrl) : undefined;
  const isAllowed = url?.protocol === 'https:' || (url?.protocol === 'http:' && (await outbound.allows(url.href)));
  if (!url || !isAllowed || url.username !== '' || url.password !== '')
    throw Invalid(field, 'names a sign-in address that is not an https URL');
  return { ...metadata, signInUrl: url.href };
}

async function fetchMetadata(outbound: ReturnType<Services['outboundFor']>, url: string): Promise<string> {
  const { status, body } = await outbound.fetch('metadata.url', url, {}, { size: MAX_METADATA_LENGTH });
  if (status !== 200) throw UpstreamFailed(`The identity provider answered with status ${status}.`);
  return body;
}

/** Records when the SAML login of an organization last admitted a person. */
export const recordSamlSignIn = (tx: Tx, orgId: string): Promise<unknown> =>
  tx.db.updateTable('saml_login').set({ last_sign_in_at: sql<Date>`now()` }).where('org_id', '=', orgId).execute();

const RESPONSE_MINUTES = 5;

/**
 * Stores a response that an identity provider posted, until the browser comes back to this site: cookies of this site are
 * not sent with a post of another one. Returns the parameter for the callback.
 */
export async function storeSamlResponse({ db }: Tx, connection: string, response: string): Promise<string> {
  const secret = randomBytes(32).toString('base64url');
  await db
    .insertInto('oidc_payload')
    .values({
      model: samlResponseModel,
      id: samlResponseId(secret),
      payload: JSON.stringify({ connection, response }),
      expires_at: sql<Date>`now() + make_interval(mins => ${RESPONSE_MINUTES})`,
    })
    .execute();
  return secret;
}
