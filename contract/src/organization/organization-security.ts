import { z } from 'zod';
import { endpoint } from '../core/endpoint.ts';
import { boundedText } from '../core/text.ts';

/** Maximum number of allowed networks of an organization. */
export const allowedNetworksMax = 100;

/** Bounds of session limits: minutes of inactivity, and hours after sign-in. */
export const idleMinutesRange = { min: 5, max: 20_160 };
export const sessionHoursRange = { min: 1, max: 336 };

/** The security requirements of an organization for its members. */
const rules = {
  requireSecondFactor: z.boolean(),
  /** Minutes of inactivity after which members must sign in again; null: no limit. */
  idleMinutes: z.int().min(idleMinutesRange.min).max(idleMinutesRange.max).nullable(),
  /** Hours after which members must sign in again; null: no limit. */
  sessionHours: z.int().min(sessionHoursRange.min).max(sessionHoursRange.max).nullable(),
  /** CIDR ranges of permitted client addresses; empty: all. */
  allowedNetworks: z.array(boundedText(50).trim()).max(allowedNetworksMax),
};

/** Maximum number of domains of an organization. */
export const domainsMax = 20;

const domain = z.object({
  domain: z.string(),
  /** Null until ownership is verified. */
  verifiedAt: z.string().nullable(),
  verifiedBy: z.enum(['dns', 'operator']).nullable(),
  /** The TXT record for verification. */
  record: z.object({ name: z.string(), value: z.string() }),
});
export type OrganizationDomain = z.infer<typeof domain>;

/** The connection of `listConnections` that members must sign in with; null: any. */
const ssoConnection = boundedText(100).min(1).nullable();

const organizationSecurity = z.object({
  ...rules,
  ssoConnection,
  domains: z.array(domain),
  /** Owners who may sign in without single sign-on, with password and second factor. */
  breakGlassOwners: z.array(z.object({ id: z.string(), name: z.string() })),
  /** Number of members without the required second factor, who could not enter now. */
  membersWithout: z.int(),
  /** The client address of the requesting member. */
  yourAddress: z.string().nullable(),
});
export type OrganizationSecurity = z.infer<typeof organizationSecurity>;

export const getOrganizationSecurity = endpoint({
  method: 'GET',
  path: '/v2/auth0mgm/org/security',
  summary:
    'Returns the sign-in and session requirements of the organization and the number of members without a second factor.',
  scope: 'organization',
  permission: 'read:org-members',
  response: organizationSecurity,
});

export const updateOrganizationSecurity = endpoint({
  method: 'PUT',
  path: '/v2/auth0mgm/org/security',
  summary:
    'Updates the sign-in and session requirements. Omitted fields stay unchanged. Owners cannot set requirements that would lock them out.',
  scope: 'organization',
  permission: 'update:org',
  body: z.strictObject({ ...rules, ssoConnection, breakGlassOwners: z.array(z.uuid()).max(10) }).partial(),
  response: organizationSecurity,
  errors: ['conflict'],
  stepUp: true,
});

const ofDomain = z.strictObject({ domain: boundedText(253).min(1) });

export const addOrganizationDomain = endpoint({
  method: 'POST',
  path: '/v2/auth0mgm/org/domains',
  summary: 'Adds a domain. A TXT record verifies it.',
  scope: 'organization',
  permission: 'update:org',
  body: ofDomain,
  status: 201,
  response: organizationSecurity,
  errors: ['conflict'],
  stepUp: true,
});

export const verifyOrganizationDomain = endpoint({
  method: 'POST',
  path: '/v2/auth0mgm/org/domains/:domain/verification',
  summary: 'Checks the TXT record of a domain and marks the domain as verified if it exists.',
  scope: 'organization',
  permission: 'update:org',
  params: ofDomain,
  response: organizationSecurity,
  errors: ['conflict'],
});

export const removeOrganizationDomain = endpoint({
  method: 'DELETE',
  path: '/v2/auth0mgm/org/domains/:domain',
  summary: 'Removes a domain. The last verified domain cannot be removed while single sign-on is on.',
  scope: 'organization',
  permission: 'update:org',
  params: ofDomain,
  response: organizationSecurity,
  errors: ['conflict'],
  stepUp: true,
});
