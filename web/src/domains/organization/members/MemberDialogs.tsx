import type { RoleId } from '@sightline/contract/core/permissions.ts';
import type { MemberListItem } from '@sightline/contract/organization/members.ts';
import { ConfirmDialog } from '#ui/ConfirmDialog.tsx';
import type { MemberChange } from './changes.ts';

interface MemberDialogsProps {
  /** What is asked about; undefined: nothing. */
  change: MemberChange | undefined;
  pending: boolean;
  onClose: () => void;
  onConfirm: (change: MemberChange) => void;
}

/** Asks once more before what shuts somebody out, or hands the organization to somebody. */
export function MemberDialogs({ change, pending, onClose, onConfirm }: MemberDialogsProps) {
  const words = change && wordsOf(change);
  return (
    <ConfirmDialog
      opened={words !== undefined}
      onClose={onClose}
      title={words?.title ?? ''}
      confirm={words?.confirm ?? ''}
      danger={words?.danger ?? false}
      pending={pending}
      onConfirm={() => change && onConfirm(change)}
    >
      {words?.text}
    </ConfirmDialog>
  );
}

/** Whether a change is asked about first. */
export const isAsked = (change: MemberChange): boolean => wordsOf(change) !== undefined;

interface Words {
  title: string;
  text: string;
  confirm: string;
  danger: boolean;
}

function wordsOf(change: MemberChange): Words | undefined {
  const { name } = change.member;
  switch (change.kind) {
    case 'deactivate':
      return {
        title: `Deactivate ${name}?`,
        text: `${name} is signed out of this organization at once and cannot come back until you reinstate them. Their role and what they did stay.`,
        confirm: 'Deactivate',
        danger: true,
      };
    case 'delete':
      return {
        title: `Delete ${name}?`,
        text: `${name} loses access to this organization at once. What they did stays on record. Coming back takes a new invitation.`,
        confirm: 'Delete',
        danger: true,
      };
    case 'revoke':
      return {
        title: `Revoke the invitation of ${name}?`,
        text: 'The link in the mail stops working at once. You can invite the same address again.',
        confirm: 'Revoke',
        danger: true,
      };
    case 'changeRole':
      return roleWords(change.member, change.role);
    default:
      return undefined;
  }
}

const roleWords = ({ name }: MemberListItem, role: RoleId): Words | undefined =>
  role === 'rol_owner'
    ? {
        title: `Make ${name} an Account Owner?`,
        text: 'Owners can do everything here: change roles, remove members (you too), connect code hosts and archive the organization.',
        confirm: 'Make owner',
        danger: false,
      }
    : undefined;
