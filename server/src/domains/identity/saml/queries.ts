import { X509Certificate } from 'node:crypto';
import { isSamlConnection, type SamlLogin, samlConnectionOf } from '@sightline/contract/identity/saml.ts';
import type { Config } from '#config.ts';
import { NotFound } from '#core/errors.ts';
import type { SecretLocation } from '#core/secrets.ts';
import type { Services } from '#core/services.ts';
import type { Tx } from '#database/database.ts';
import { createSamlLogin } from '#providers/upstream/saml/login.ts';
import type { IdentityProvider } from '#providers/upstream/upstream.ts';
import { listVerifiedDomains } from '../sign-in-policy/queries.ts';
import { takeSamlResponse } from './responses.ts';

/** Where the signing key of an organization is sealed. */
export const samlKeyLocation = (orgId: string): SecretLocation => ({
  org: orgId,
  table: 'saml_login',
  field: 'key_sealed',
});

const uuidForm = /^saml-([0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12})$/;

/** The organization of a SAML connection; undefined for another connection. */
export const organizationOfConnection = (connection: string): string | undefined => uuidForm.exec(connection)?.[1];

/** The addresses of this service for the identity provider of an organization. */
export function samlServiceOf({ PUBLIC_URL }: Pick<Config, 'PUBLIC_URL'>, orgId: string): SamlLogin['service'] {
  const base = `${PUBLIC_URL}/oidc/upstream/${samlConnectionOf(orgId)}`;
  return { entityId: `${base}/metadata`, callbackUrl: `${base}/acs`, metadataUrl: `${base}/metadata` };
}

interface SamlRow {
  label: string;
  entity_id: string;
  sign_in_url: string;
  certificates: string[];
  key_sealed: Buffer;
  certificate: string;
  groups_attribute: string | null;
  connected_at: Date;
  last_sign_in_at: Date | null;
}

export async function findSamlRow(tx: Tx, orgId: string): Promise<SamlRow | undefined> {
  const [row] = await tx.query<SamlRow & Record<string, unknown>>({
    name: 'saml.find',
    text: `select label, entity_id, sign_in_url, certificates, key_sealed, certificate, groups_attribute, connected_at,
             last_sign_in_at from saml_login where org_id = $1`,
    values: [orgId],
  });
  return row;
}

/** The SAML login of an organization without its key; undefined if none is connected. */
export async function maybeSamlLogin(config: Config, tx: Tx, orgId: string): Promise<SamlLogin | undefined> {
  const row = await findSamlRow(tx, orgId);
  if (!row) return undefined;
  const connection = samlConnectionOf(orgId);
  return {
    connection,
    label: row.label,
    entityId: row.entity_id,
    signInUrl: row.sign_in_url,
    certificates: row.certificates.map((pem) => {
      const { fingerprint256, subject, validTo } = new X509Certificate(pem);
      return { fingerprint: fingerprint256, subject, expiresAt: new Date(validTo).toISOString() };
    }),
    groupsAttribute: row.groups_attribute,
    service: samlServiceOf(config, orgId),
    startUrl: `${config.PUBLIC_URL}/login?organization=${orgId}`,
    connectedAt: row.connected_at.toISOString(),
    lastSignInAt: row.last_sign_in_at?.toISOString() ?? null,
  };
}

/** The SAML login of an organization without its key. Throws 404 if none is connected. */
export async function findSamlLoginOf(config: Config, tx: Tx, orgId: string): Promise<SamlLogin> {
  const found = await maybeSamlLogin(config, tx, orgId);
  if (!found) throw NotFound('SAML login');
  return found;
}

/** The key that signs requests of an organization, with its certificate; undefined without a SAML login. */
export async function findSamlKey(
  { database, secrets }: Pick<Services, 'database' | 'secrets'>,
  orgId: string,
): Promise<{ privateKey: string; certificate: string } | undefined> {
  const row = await database.withOrg(orgId, (tx) => findSamlRow(tx, orgId));
  if (!row) return undefined;
  return { privateKey: secrets.open(samlKeyLocation(orgId), row.key_sealed).toString(), certificate: row.certificate };
}

/** The identity provider of a connection: of the operator, or the SAML login of an organization. */
export async function findUpstream(services: Services, connection: string): Promise<IdentityProvider | undefined> {
  if (!isSamlConnection(connection)) return services.upstreams.get(connection);
  const orgId = organizationOfConnection(connection);
  return orgId === undefined ? undefined : findSamlProvider(services, orgId);
}

/** The SAML login of an organization as an identity provider; undefined if none is connected. */
export async function findSamlProvider(services: Services, orgId: string): Promise<IdentityProvider | undefined> {
  const { database, secrets, config } = services;
  return database.withOrg(orgId, async (tx) => {
    const row = await findSamlRow(tx, orgId);
    if (!row) return undefined;
    const { entityId: serviceEntityId, callbackUrl } = samlServiceOf(config, orgId);
    return createSamlLogin(
      {
        connection: samlConnectionOf(orgId),
        label: row.label,
        entityId: row.entity_id,
        signInUrl: row.sign_in_url,
        certificates: row.certificates,
        privateKey: secrets.open(samlKeyLocation(orgId), row.key_sealed).toString(),
        domains: await listVerifiedDomains(tx, orgId),
        groupsAttribute: row.groups_attribute ?? undefined,
        serviceEntityId,
        callbackUrl,
      },
      (callback) => takeSamlResponse(database, samlConnectionOf(orgId), callback),
    );
  });
}
