import { z } from 'zod';
import { endpoint } from '../core/endpoint.ts';
import { roleIds } from '../core/permissions.ts';
import { boundedText } from '../core/text.ts';

// Spec 5. The longest name is 64 characters (the specification's answers, section 8).
const nameCharacters = /^[A-Za-z0-9 !\-@#$]+$/;
export const organizationNameMessage =
  'Unfortunately, the organization name might contain only [A-z] characters and !@#$.';
export const organizationNameMessageInModal =
  'Unfortunately, the organization name might contain only [A-z] characters and !@#$-.';
export const organizationNameMax = 64;

/** The rule for organization names, used by all forms and the server. Trims both ends. */
export const organizationName = z
  .string()
  .trim()
  .min(1, { error: 'The name must not be empty.' })
  .max(organizationNameMax, { error: `The name may have at most ${organizationNameMax} characters.` })
  .regex(nameCharacters, { error: organizationNameMessage });

/** Validates a name while typing; undefined for a valid name and an empty field. */
export function organizationNameError(name: string, message = organizationNameMessage): string | undefined {
  const trimmed = name.trim();
  if (trimmed === '') return undefined;
  if (!nameCharacters.test(trimmed)) return message;
  if (trimmed.length > organizationNameMax) return `The name may have at most ${organizationNameMax} characters.`;
  return undefined;
}

export const organizationDescriptionMax = 500;
/** Days in which an owner can restore an archived organization. */
export const RESTORE_PERIOD_DAYS = 30;

export const organization = z.object({
  id: z.string(),
  name: z.string(),
  displayName: z.string(),
  description: z.string(),
  logoUrl: z.string().nullable(),
  role: z.enum(roleIds),
  /** Account IDs of the owners. Ownership is checked by ID. */
  owners: z.array(z.string()),
  ownerEmails: z.array(z.string()),
  /** When it was archived. An archived organization is read-only and open to its owners only. */
  archivedAt: z.string().nullable(),
  /** End of the time in which an owner can restore it; null if not archived. */
  restorableUntil: z.string().nullable(),
  /** The address of the installation that it moved to; it can no longer be entered here. */
  movedTo: z.string().nullable(),
  /** Whether its data is generated, for a demo. */
  isDemo: z.boolean(),
  /** Present while this is an unanswered invitation. */
  invitation: z
    .object({
      invitation_id: z.string(),
      ticket_id: z.string(),
      /** Name of the inviter; null for a deleted account. */
      invitedBy: z.string().nullable(),
      expiresAt: z.string(),
    })
    .nullable(),
});
export type Organization = z.infer<typeof organization>;

export const soleOwnerMessage =
  'You are the only account owner. Make another member an account owner first, then leave.';

/** Why an account cannot leave an organization; undefined if it can. The server checks again when it leaves. */
export function leaveRefusalReason(
  { id, owners }: Pick<Organization, 'id' | 'owners'>,
  asking: { accountId: string; organizationId: string | undefined },
): string | undefined {
  if (id !== asking.organizationId) return 'Switch to this organization first, then leave it.';
  return owners.length === 1 && owners[0] === asking.accountId ? soleOwnerMessage : undefined;
}

export const listOrganizations = endpoint({
  method: 'GET',
  path: '/v2/auth0mgm/user/organizations',
  summary: 'Lists the organizations of the account, optionally with pending invitations.',
  scope: 'account',
  query: z.strictObject({ include_invitations: z.enum(['true', 'false']).default('false') }),
  topics: ['orgMembers', 'orgSettings'],
  response: z.array(organization),
});

export const getOrganization = endpoint({
  method: 'GET',
  path: '/v2/auth0mgm/org',
  summary: 'Returns the organization of the token.',
  scope: 'organization',
  permission: 'read:org',
  topics: ['orgMembers', 'orgSettings'],
  response: organization,
});

export const createOrganization = endpoint({
  method: 'POST',
  path: '/v2/auth0mgm/org',
  summary: 'Creates an organization with the caller as its first Account Owner. Other fields are ignored.',
  scope: 'account',
  body: z.strictObject({ ...organization.partial().shape, displayName: organizationName }),
  status: 201,
  changes: ['orgSettings'],
  response: organization,
  errors: ['forbidden'],
});

export const checkMayCreateOrganization = endpoint({
  method: 'GET',
  path: '/v2/auth0mgm/org/allowed',
  summary: 'Checks whether the account may create an organization. Denied with the reason otherwise.',
  scope: 'account',
  response: z.object({ allowed: z.literal(true) }),
  errors: ['forbidden'],
});

export const updateOrganization = endpoint({
  method: 'PUT',
  path: '/v2/auth0mgm/org',
  summary: 'Updates the display name and description. Other fields are ignored.',
  scope: 'organization',
  permission: 'update:org',
  body: z.strictObject({
    ...organization.partial().shape,
    displayName: organizationName,
    description: boundedText(organizationDescriptionMax).trim(),
  }),
  changes: ['orgSettings'],
  response: organization,
  errors: ['not_found'],
});

export const leaveOrganization = endpoint({
  method: 'DELETE',
  path: '/v2/auth0mgm/user/organizations',
  summary: 'Leaves the organization of the token. The only owner cannot leave.',
  scope: 'organization',
  permission: 'read:org',
  // Members may leave at any time, since leaving changes no other data.
  whileArchived: true,
  changes: ['orgSettings'],
  response: z.object({ left: z.literal(true) }),
  errors: ['sole_owner'],
});

export const archiveOrganization = endpoint({
  method: 'PUT',
  path: '/v2/auth0mgm/org/archive',
  summary: 'Archives the organization: read-only for owners, deactivated for other members, until it is restored.',
  scope: 'organization',
  permission: 'update:org',
  flag: 'extendedSettings',
  changes: ['orgSettings'],
  response: organization,
  stepUp: true,
});

export const restoreOrganization = endpoint({
  method: 'PUT',
  path: '/v2/auth0mgm/org/restore',
  summary: 'Restores an archived organization with its members, within 30 days.',
  scope: 'organization',
  permission: 'update:org',
  whileArchived: true,
  changes: ['orgSettings'],
  response: organization,
  errors: ['conflict'],
});

export const declineInvitation = endpoint({
  method: 'DELETE',
  path: '/v2/auth0mgm/org/:orgId/invitations/:invitationId/decline',
  summary: 'Declines an invitation sent to an address of the account.',
  scope: 'account',
  params: z.strictObject({ orgId: z.uuid().toLowerCase(), invitationId: z.uuid() }),
  changes: ['orgSettings'],
  response: z.object({ declined: z.literal(true) }),
  errors: ['invitation_expired'],
});
