import { X509Certificate } from 'node:crypto';
import {
  organizationOfConnection,
  type SamlLogin,
  type SamlProblem,
  samlConnectionOf,
} from '@sightline/contract/identity/saml.ts';
import type { Config } from '#config.ts';
import { domainOf } from '#core/email-address.ts';
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

const baseUrlOf = ({ PUBLIC_URL }: Pick<Config, 'PUBLIC_URL'>, orgId: string): string =>
  `${PUBLIC_URL}/oidc/upstream/${samlConnectionOf(orgId)}`;

/** Where a sign-in with the login of an organization begins. */
export const samlStartUrlOf = ({ PUBLIC_URL }: Pick<Config, 'PUBLIC_URL'>, orgId: string): string =>
  `${PUBLIC_URL}/login?organization=${orgId}&connection=${samlConnectionOf(orgId)}`;

/** The addresses of this service for the identity provider of an organization. */
export function samlServiceOf(config: Pick<Config, 'PUBLIC_URL'>, orgId: string): SamlLogin['service'] {
  const base = baseUrlOf(config, orgId);
  return { entityId: `${base}/metadata`, callbackUrl: `${base}/acs`, metadataUrl: `${base}/metadata` };
}

export interface SamlRow {
  label: string;
  entity_id: string;
  sign_in_url: string;
  certificates: string[];
  key_sealed: Buffer;
  certificate: string;
  groups_attribute: string | null;
  starts_at_provider: boolean;
  connected_at: Date;
  last_sign_in_at: Date | null;
  problem: SamlProblem | null;
  problem_at: Date | null;
}

export async function findSamlRow(tx: Tx, orgId: string): Promise<SamlRow | undefined> {
  const [row] = await tx.query<SamlRow & Record<string, unknown>>({
    name: 'saml.find',
    text: `select label, entity_id, sign_in_url, certificates, key_sealed, certificate, groups_attribute,
             starts_at_provider, connected_at, last_sign_in_at, problem, problem_at from saml_login where org_id = $1`,
    values: [orgId],
  });
  return row;
}

/** The SHA-256 fingerprint of a certificate, as identity providers show it. */
export const fingerprintOf = (pem: string): string => new X509Certificate(pem).fingerprint256;

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
      const { subject, validTo } = new X509Certificate(pem);
      return { fingerprint: fingerprintOf(pem), subject, expiresAt: new Date(validTo).toISOString() };
    }),
    groupsAttribute: row.groups_attribute,
    service: samlServiceOf(config, orgId),
    startsAtProvider: row.starts_at_provider,
    startUrl: samlStartUrlOf(config, orgId),
    testUrl: `${baseUrlOf(config, orgId)}/test`,
    connectedAt: row.connected_at.toISOString(),
    lastSignInAt: row.last_sign_in_at?.toISOString() ?? null,
    problem:
      row.problem === null || row.problem_at === null
        ? null
        : { reason: row.problem, at: row.problem_at.toISOString() },
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

/** Whether the portal of the identity provider of an organization may start sign-ins. False without a SAML login. */
export const startsAtProvider = ({ database }: Pick<Services, 'database'>, orgId: string): Promise<boolean> =>
  database.withOrg(orgId, async (tx) => (await findSamlRow(tx, orgId))?.starts_at_provider === true);

/** The identity provider of a connection: of the operator, or the SAML login of an organization. */
export async function findUpstream(services: Services, connection: string): Promise<IdentityProvider | undefined> {
  const orgId = organizationOfConnection(connection);
  return orgId === undefined ? services.upstreams.get(connection) : findSamlProvider(services, orgId);
}

/** The SAML logins of the organizations that verified the domain of an address. */
export async function findSamlProvidersOf(services: Services, email: string): Promise<IdentityProvider[]> {
  const rows = await services.database.global((tx) =>
    tx.query<{ id: string }>({
      name: 'saml.of-domain',
      text: 'select orgs_with_saml_login($1) as id',
      values: [domainOf(email)],
    }),
  );
  const found = await Promise.all(rows.map(({ id }) => findSamlProvider(services, id)));
  return found.filter((one) => one !== undefined);
}

/** The SAML login of an organization as an identity provider; undefined if none is connected. */
async function findSamlProvider(services: Services, orgId: string): Promise<IdentityProvider | undefined> {
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
      (state) => takeSamlResponse(database, state),
    );
  });
}
