import { z } from 'zod';
import { endpoint } from '../core/endpoint.ts';
import { boundedText, hostUrl, timestamp } from '../core/text.ts';

/** The connection of the SAML login of an organization, as in sessions and the required provider. */
export const samlConnectionOf = (organizationId: string): string => `saml-${organizationId}`;
export const isSamlConnection = (connection: string): boolean => connection.startsWith('saml-');

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
  /** To enter at the identity provider. */
  service: z.object({ entityId: z.string(), callbackUrl: z.string(), metadataUrl: z.string() }),
  /** Where members begin. */
  startUrl: z.string(),
  connectedAt: timestamp,
  /** The last sign-in that was accepted. */
  lastSignInAt: timestamp.nullable(),
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

export const connectSaml = endpoint({
  method: 'PUT',
  path: '/v2/auth0mgm/org/saml',
  summary:
    'Connects a SAML 2.0 identity provider by its metadata, or replaces it. Sessions that began with another one end.',
  ...owner,
  body: z.strictObject({
    label: boundedText(40).trim().min(1),
    /** The metadata itself, or where to read them. */
    metadata: z.union([z.strictObject({ url: hostUrl }), z.strictObject({ xml: boundedText(500_000).min(1) })]),
    groupsAttribute: boundedText(200).trim().min(1).nullable(),
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
