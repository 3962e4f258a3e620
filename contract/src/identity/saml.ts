import { z } from 'zod';
import { endpoint } from '../core/endpoint.ts';
import { boundedText, hostUrl, timestamp } from '../core/text.ts';

/** The connection of the SAML login of an organization, as in sessions and the required provider. */
export const samlConnectionOf = (organizationId: string): string => `saml-${organizationId}`;

const connectionForm = /^saml-([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})$/;
/** The organization of a SAML connection; undefined for another connection. */
export const organizationOfConnection = (connection: string): string | undefined =>
  connectionForm.exec(connection)?.[1];
export const isSamlConnection = (connection: string): boolean => organizationOfConnection(connection) !== undefined;

/** Why a response of an identity provider was refused, with what to do about it. */
export const samlProblemTexts = {
  unreadable: 'It is not a SAML response with one assertion. Check that the identity provider sends to the reply URL.',
  encrypted: 'It is encrypted. Turn off the encryption of assertions at the identity provider.',
  weak_hash: 'It uses SHA-1. Select SHA-256 or stronger at the identity provider.',
  unsigned: 'Its assertion is not signed. Sign assertions at the identity provider, not only responses.',
  signature:
    'Its signature matches none of the connected certificates. If the identity provider has a new certificate, import its metadata again.',
  issuer: 'It names another identity provider. Import the metadata of the identity provider again.',
  audience: 'It is for another service. Enter the entity ID of Sightline as audience at the identity provider.',
  recipient: 'It is for another address. Enter the reply URL of Sightline at the identity provider.',
  request:
    'It does not belong to the sign-in that began here. Start at the sign-in link, and finish in the same browser.',
  expired: 'It is expired or not valid yet. Check the clock of the identity provider and of this server.',
  stale: 'Its sign-in is too long ago. The identity provider must ask for a new sign-in when a change requires one.',
  status:
    'The identity provider refused the sign-in. Its log has the reason, such as a missing assignment of the user.',
  subject: 'It names no lasting ID. Send a persistent NameID at the identity provider.',
  address: 'It contains no email address. Send the attribute email at the identity provider.',
  domain:
    'Its email address is not in a verified domain of the organization. Verify the domain, or change the address.',
} as const;
export const samlProblems = Object.keys(samlProblemTexts) as (keyof typeof samlProblemTexts)[];
export type SamlProblem = keyof typeof samlProblemTexts;

const samlLogin = z.object({
  connection: z.string(),
  /** The name on buttons. */
  label: z.string(),
  /** Of the identity provider. */
  entityId: z.string(),
  signInUrl: z.string(),
  /** The signing certificates of the identity provider. */
  certificates: z.array(z.object({ fingerprint: z.string(), subject: z.string(), expiresAt: timestamp })),
  /** The attribute with the groups of a member; null: groups are not read. */
  groupsAttribute: z.string().nullable(),
  /** Whether the portal of the identity provider may start sign-ins. Its response is discarded, and a sign-in begins here. */
  startsAtProvider: z.boolean(),
  /** To enter at the identity provider. */
  service: z.object({ entityId: z.string(), callbackUrl: z.string(), metadataUrl: z.string() }),
  /** Where members begin. */
  startUrl: z.string(),
  /** Checks the login in the browser that opens it, without a sign-in. */
  testUrl: z.string(),
  connectedAt: timestamp,
  /** The last response that was accepted, also of a test. */
  lastSignInAt: timestamp.nullable(),
  /** The last response that was refused since then. */
  problem: z.object({ reason: z.enum(samlProblems), at: timestamp }).nullable(),
});
export type SamlLogin = z.infer<typeof samlLogin>;

const owner = { scope: 'organization', permission: 'update:org' } as const;

/** Addresses of this service, which an identity provider needs before its metadata can be imported. */
export const getSamlLogin = endpoint({
  method: 'GET',
  path: '/v2/auth0mgm/org/saml',
  summary: 'Returns the SAML 2.0 login of the organization, or null, and the addresses of this service.',
  ...owner,
  reads: true,
  topics: ['orgSettings'],
  response: z.object({ login: samlLogin.nullable(), service: samlLogin.shape.service }),
});

/** The metadata of an identity provider: the XML, or where to read it. */
const metadata = z.union([z.strictObject({ url: hostUrl }), z.strictObject({ xml: boundedText(500_000).min(1) })]);

export const connectSaml = endpoint({
  method: 'PUT',
  path: '/v2/auth0mgm/org/saml',
  summary:
    'Connects a SAML 2.0 identity provider by its metadata, or replaces it. Sessions that began with another one end.',
  ...owner,
  body: z.strictObject({
    label: boundedText(40).trim().min(1),
    /** Null keeps the metadata of the connected identity provider. */
    metadata: metadata.nullable(),
    groupsAttribute: boundedText(200).trim().min(1).nullable(),
    startsAtProvider: z.boolean().default(false),
  }),
  changes: ['orgSettings'],
  response: samlLogin,
  errors: ['conflict', 'upstream_failed'],
  stepUp: true,
});

export const disconnectSaml = endpoint({
  method: 'DELETE',
  path: '/v2/auth0mgm/org/saml',
  summary: 'Disconnects the SAML 2.0 login. Sessions that began with it end.',
  ...owner,
  status: 204,
  changes: ['orgSettings'],
  response: z.null(),
  errors: ['conflict'],
  stepUp: true,
});
