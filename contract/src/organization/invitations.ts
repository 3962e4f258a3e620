import { z } from 'zod';
import { endpoint } from '../core/endpoint.ts';
import { type RoleId, roleIds } from '../core/permissions.ts';
import { boundedText } from '../core/text.ts';

/** Maximum number of addresses per request. */
export const MAX_INVITATIONS_PER_REQUEST = 100;
/** Days for which an invitation can be accepted. */
export const INVITATION_VALIDITY_DAYS = 7;
/** Minimum number of seconds between two emails to one address. */
export const MIN_RESEND_INTERVAL_SECONDS = 60;

/** Why an address was not invited. `already_pending`: it was invited less than a minute ago. */
export const invitationSkipReasons = ['already_member', 'already_pending', 'invalid', 'domain_not_allowed'] as const;
export type SkipReason = (typeof invitationSkipReasons)[number];

export const inviteMembers = endpoint({
  method: 'POST',
  path: '/v2/auth0mgm/org/invite',
  summary: 'Invites up to 100 addresses with one role. A new invitation replaces a pending one.',
  scope: 'organization',
  permission: 'create:invitation',
  body: z.strictObject({
    invite: z.strictObject({
      emails: z.array(boundedText(1000)).min(1).max(MAX_INVITATIONS_PER_REQUEST),
      roleID: z.enum(roleIds),
    }),
  }),
  response: z.object({
    invited: z.array(z.object({ email: z.string(), invitation_id: z.string() })),
    skipped: z.array(
      z.object({
        email: z.string(),
        reason: z.enum(invitationSkipReasons),
        /** Seconds until a retry can succeed, if it can. */
        retryAfter: z.number().optional(),
      }),
    ),
  }),
  errors: ['conflict', 'rate_limited'],
  stepUp: ({ invite }: { invite: { roleID: RoleId } }) => invite.roleID === 'rol_owner',
});
export type InviteResult = z.infer<typeof inviteMembers.response>;

export const revokeInvitation = endpoint({
  method: 'DELETE',
  path: '/v2/auth0mgm/org/invitations/:invitationId',
  summary: 'Revokes an invitation. Its link stops working immediately.',
  scope: 'organization',
  permission: 'create:invitation',
  params: z.strictObject({ invitationId: z.uuid() }),
  response: z.object({ revoked: z.literal(true) }),
  errors: ['conflict'],
});
