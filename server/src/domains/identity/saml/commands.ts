import {
  type connectSaml,
  type SamlLogin,
  type SamlProblem,
  samlConnectionOf,
} from '@sightline/contract/identity/saml.ts';
import { sql } from 'kysely';
import type { z } from 'zod';
import type { Actor } from '#core/actor.ts';
import { type AuditActor, type AuditEntry, recordAuditEntry } from '#core/audit.ts';
import { Conflict, Invalid, NotFound, UpstreamFailed } from '#core/errors.ts';
import { requireOwner } from '#core/owner-lock.ts';
import type { Services } from '#core/services.ts';
import type { Tx } from '#database/database.ts';
import { createSigningCertificate } from '#providers/upstream/saml/certificate.ts';
import { MAX_METADATA_LENGTH, parseMetadata, type SamlMetadata } from '#providers/upstream/saml/metadata.ts';
import { endSessions } from '../sessions/commands.ts';
import { listVerifiedDomains } from '../sign-in-policy/queries.ts';
import { findSamlLoginOf, findSamlRow, fingerprintOf, type SamlRow, samlKeyLocation } from './queries.ts';
import { samlResponseId, samlResponseModel } from './responses.ts';

type SamlConnection = z.output<typeof connectSaml.body>;

interface Change {
  services: Services;
  tx: Tx;
  orgId: string;
  actor: AuditActor;
}

/**
 * Connects a SAML identity provider by its metadata, or replaces it. Throws 400 for metadata that cannot be used, 409
 * without a verified domain.
 */
export async function connectSamlOf(services: Services, actor: Actor, connection: SamlConnection): Promise<SamlLogin> {
  const { orgId } = actor;
  const prepared = await prepareSaml(services, orgId, connection);
  return services.database.withOrg(orgId, async (tx) => {
    await requireOwner(tx, actor);
    return saveSaml({ services, tx, orgId, actor }, prepared);
  });
}

/** A connection with what takes long, which happens outside of a transaction. */
type PreparedConnection = Omit<SamlConnection, 'metadata'> & {
  /** Undefined: unchanged. */
  metadata: SamlMetadata | undefined;
  /** Used only by the first connection. */
  key: { privateKey: string; certificate: string };
};

/** Reads the metadata of an identity provider. Throws 400 if they cannot be used. */
export async function prepareSaml(
  services: Services,
  orgId: string,
  connection: SamlConnection,
): Promise<PreparedConnection> {
  if (services.config.direct) throw Conflict('All users of this server already sign in with your identity provider.');
  const metadata = connection.metadata === null ? undefined : await readMetadata(services, orgId, connection.metadata);
  return { ...connection, metadata, key: await createSigningCertificate(`Sightline ${orgId}`) };
}

/** Saves a prepared connection for a member or the operator. Throws 409 without a verified domain. */
export async function saveSaml(change: Change, prepared: PreparedConnection): Promise<SamlLogin> {
  const { services, tx, orgId } = change;
  const { metadata, key, label, groupsAttribute, startsAtProvider } = prepared;
  if ((await listVerifiedDomains(tx, orgId)).length === 0)
    throw Conflict('Verify a domain of your organization first.');
  const before = await findSamlRow(tx, orgId);
  const entityId = metadata?.entityId ?? before?.entity_id;
  if (entityId === undefined) throw Invalid('metadata', 'is required for a new connection');
  const values = {
    label,
    groups_attribute: groupsAttribute,
    starts_at_provider: startsAtProvider,
    problem: null,
    problem_at: null,
    ...(metadata && {
      entity_id: metadata.entityId,
      sign_in_url: metadata.signInUrl,
      certificates: metadata.certificates,
    }),
  };
  // The provider knows the key of this service, so a replaced connection keeps it.
  if (before) {
    await tx.db.updateTable('saml_login').set(values).where('org_id', '=', orgId).execute();
  } else if (metadata) {
    await tx.db
      .insertInto('saml_login')
      .values({
        ...values,
        org_id: orgId,
        entity_id: metadata.entityId,
        sign_in_url: metadata.signInUrl,
        certificates: metadata.certificates,
        certificate: key.certificate,
        key_sealed: services.secrets.seal(samlKeyLocation(orgId), Buffer.from(key.privateKey)),
      })
      .execute();
  }
  if (before && before.entity_id !== entityId) await endSamlSessions(services, tx, orgId);
  const after = await findSamlRow(tx, orgId);
  await record(change, {
    action: 'saml.connected',
    data: { ...(before && { before: factsOf(before) }), ...(after && { after: factsOf(after) }) },
  });
  return findSamlLoginOf(services.config, tx, orgId);
}

/** What audit entries contain. The fingerprints identify certificates. */
const factsOf = (row: SamlRow) => ({
  entityId: row.entity_id,
  signInUrl: row.sign_in_url,
  certificates: row.certificates.map(fingerprintOf),
  groupsAttribute: row.groups_attribute,
  startsAtProvider: row.starts_at_provider,
});

/** Disconnects the SAML login. Throws 409 while members must use it. */
export const disconnectSamlOf = (services: Services, actor: Actor): Promise<null> =>
  services.database.withOrg(actor.orgId, async (tx) => {
    await requireOwner(tx, actor);
    return deleteSaml({ services, tx, orgId: actor.orgId, actor });
  });

/** Deletes the SAML login for a member or the operator. Throws 404 if none is connected, 409 while members must use it. */
export async function deleteSaml(change: Change): Promise<null> {
  const { services, tx, orgId } = change;
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
  await record(change, { action: 'saml.disconnected', data: { before: factsOf(row) } });
  return null;
}

async function record({ services, tx, orgId, actor }: Change, entry: Pick<AuditEntry, 'action' | 'data'>) {
  const subject = { kind: 'organization', id: orgId } as const;
  await recordAuditEntry(tx, { people: services.people, orgId, actor, entry: { ...entry, subject } });
  tx.afterCommit(() => services.realtime.notifyOrganization(orgId, 'orgSettings', {}));
}

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
  given: NonNullable<SamlConnection['metadata']>,
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

/** Records that a response of the identity provider of an organization was accepted. */
export const recordSamlSignIn = ({ database }: Services, orgId: string): Promise<unknown> =>
  database.withOrg(orgId, ({ db }) =>
    db
      .updateTable('saml_login')
      .set({ last_sign_in_at: sql<Date>`now()`, problem: null, problem_at: null })
      .where('org_id', '=', orgId)
      .execute(),
  );

/** Records why a response was refused, for the owners. */
export const recordSamlProblem = ({ database, realtime }: Services, orgId: string, problem: SamlProblem) =>
  database.withOrg(orgId, async (tx) => {
    await tx.db
      .updateTable('saml_login')
      .set({ problem, problem_at: sql<Date>`now()` })
      .where('org_id', '=', orgId)
      .execute();
    tx.afterCommit(() => realtime.notifyOrganization(orgId, 'orgSettings', {}));
  });

const RESPONSE_MINUTES = 5;

/**
 * Stores the response to the sign-in with this state until the browser comes back to this site: cookies of this site are
 * not sent with a post of another one. A later response to the same sign-in replaces it, so that a stranger who repeats
 * one stores it once.
 */
export async function storeSamlResponse({ db }: Tx, state: string, response: string): Promise<void> {
  const values = {
    payload: JSON.stringify({ response }),
    expires_at: sql<Date>`now() + make_interval(mins => ${RESPONSE_MINUTES})`,
  };
  await db
    .insertInto('oidc_payload')
    .values({ model: samlResponseModel, id: samlResponseId(state), ...values })
    .onConflict((conflict) => conflict.columns(['model', 'id']).doUpdateSet(values))
    .execute();
}
