import { ApiError } from '@sightline/contract/core/client.ts';
import { type RoleId, roleNames } from '@sightline/contract/core/permissions.ts';
import { inviteMembers, revokeInvitation } from '@sightline/contract/organization/invitations.ts';
import {
  changeMemberRole,
  deactivateMember,
  deleteMember,
  type MemberListItem,
  reinstateMember,
} from '@sightline/contract/organization/members.ts';
import { type UseMutationResult, useMutation } from '@tanstack/react-query';
import { call } from '#lib/api.ts';
import { errorMessageOf, logInviteFailure } from '#lib/reason.ts';
import { toast } from '#ui/toast.ts';
import { skipText } from './skipText.ts';

/** A change by an Account Owner to a member in the list. */
export type MemberChange =
  | { kind: 'changeRole'; member: MemberListItem; role: RoleId }
  | { kind: 'invite' | 'resend'; member: MemberListItem; role: RoleId }
  | { kind: 'revoke' | 'deactivate' | 'reinstate' | 'delete'; member: MemberListItem };

/** Changes a member and shows the result. */
export const useMemberChange = (): UseMutationResult<string, Error, MemberChange> =>
  useMutation({
    mutationFn: applyChange,
    meta: { quiet: true },
    onSuccess: (summary) => toast.success(summary),
    onError: (error, change) => {
      if (invites(change)) logInviteFailure(error);
      toast.error(errorMessageOf(error));
    },
  });

/** Changing the role of a pending invitation sends another invitation. */
const invites = ({ kind, member }: MemberChange): boolean =>
  kind === 'invite' || kind === 'resend' || (kind === 'changeRole' && member.status === 'pending');

async function applyChange(change: MemberChange): Promise<string> {
  const { member } = change;
  const { name } = member;
  switch (change.kind) {
    case 'changeRole':
      if (invites(change)) return invite(member, change.role);
      await call(changeMemberRole, {
        params: idOf(member),
        body: { oldRole: member.role?.id ?? change.role, newRole: change.role },
      });
      return `${name} is ${roleNames[change.role]} now`;
    case 'invite':
    case 'resend':
      return invite(member, change.role);
    case 'revoke':
      await call(revokeInvitation, { params: { invitationId: member.invitation_id ?? '' } });
      return `The invitation of ${name} is revoked`;
    case 'deactivate':
      await call(deactivateMember, { params: idOf(member) });
      return `${name} is deactivated`;
    case 'reinstate':
      await call(reinstateMember, { params: idOf(member) });
      return `${name} is a member again`;
    case 'delete':
      await call(deleteMember, { params: idOf(member) });
      return `${name} is no longer a member`;
  }
}

const idOf = ({ user_id }: MemberListItem) => ({ userId: user_id ?? '' });

async function invite({ email }: MemberListItem, roleID: RoleId): Promise<string> {
  const { skipped } = await call(inviteMembers, { body: { invite: { emails: [email ?? ''], roleID } } });
  const [refused] = skipped;
  if (refused)
    throw new ApiError(inviteMembers.path, 409, { code: 'conflict', requestId: '-', message: skipText(refused) });
  return `${email} is invited as ${roleNames[roleID]}`;
}
