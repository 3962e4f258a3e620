import type { RoleId } from '@sightline/contract/core/permissions.ts';
import type { MemberListItem } from '@sightline/contract/organization/members.ts';
import { ConfirmDialog } from '#ui/ConfirmDialog.tsx';
import type { MemberChange } from './changes.ts';

interface MemberDialogsProps {
  /** The change to confirm; undefined shows no dialog. */
  change: MemberChange | undefined;
  pending: boolean;
  onClose: () => void;
  onConfirm: (change: MemberChange) => void;
}

/** Confirms changes that remove access, or that make a member an Account Owner. */
export function ConfirmMemberChange({ change, pending, onClose, onConfirm }: MemberDialogsProps) {
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

/** Whether a change requires confirmation. */
export const needsConfirmation = (change: MemberChange): boolean => wordsOf(change) !== undefined;

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
        text: `${name} is signed out of this organization immediately and has no access until you reinstate them. Their role and activity are kept.`,
        confirm: 'Deactivate',
        danger: true,
      };
    case 'delete':
      return {
        title: `Delete ${name}?`,
        text: `${name} loses access to this organization immediately. Their activity stays on record. To return, they need a new invitation.`,
        confirm: 'Delete',
        danger: true,
      };
    case 'revoke':
      return {
        title: `Revoke the invitation of ${name}?`,
        text: 'The link in the email stops working immediately. You can invite the same address again.',
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
        text: 'Owners have full access: they can change roles, remove members including you, connect code hosts and archive the organization.',
        confirm: 'Make owner',
        danger: false,
      }
    : undefined;
