import { z } from 'zod';
import { endpoint } from './endpoint.ts';
import { text } from './text.ts';

/** How many networks an organization may allow. */
export const allowedNetworksMax = 100;

/** Minutes without use, and hours after a sign-in, that an organization may end sessions at. */
export const idleMinutesRange = { min: 5, max: 20_160 };
export const sessionHoursRange = { min: 1, max: 336 };

/** What an organization asks of its members. */
const rules = {
  requireSecondFactor: z.boolean(),
  /** Minutes without use after which members sign in again; null for no limit. */
  idleMinutes: z.int().min(idleMinutesRange.min).max(idleMinutesRange.max).nullable(),
  /** Hours after which members sign in again; null for no limit. */
  sessionHours: z.int().min(sessionHoursRange.min).max(sessionHoursRange.max).nullable(),
  /** CIDRs that members may come from; empty for everywhere. */
  allowedNetworks: z.array(text(50).trim()).max(allowedNetworksMax),
};

const organizationSecurity = z.object({
  ...rules,
  /** Members who could not enter today for want of a second factor. */
  membersWithout: z.int(),
  /** The address that the asking member comes from. */
  yourAddress: z.string().nullable(),
});
export type OrganizationSecurity = z.infer<typeof organizationSecurity>;

export const getOrganizationSecurity = endpoint({
  method: 'GET',
  path: '/v2/auth0mgm/org/security',
  summary: 'What the organization asks of the sign-ins and sessions of its members, and how many lack a second factor.',
  scope: 'organization',
  permission: 'read:org-members',
  response: organizationSecurity,
});

export const updateOrganizationSecurity = endpoint({
  method: 'PUT',
  path: '/v2/auth0mgm/org/security',
  summary:
    'Changes what the organization asks of its members; what is left out stays. An owner cannot ask for what would shut them out.',
  scope: 'organization',
  permission: 'update:org',
  body: z.strictObject(rules).partial(),
  response: organizationSecurity,
  errors: ['conflict'],
  stepUp: true,
});
