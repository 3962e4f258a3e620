import { Menu } from '@mantine/core';
import { type MemberAction, memberActionRefusalTexts } from '@sightline/contract/organization/member-actions.ts';
import type { MemberListItem } from '@sightline/contract/organization/members.ts';
import {
  IconEraser,
  IconMail,
  IconMailForward,
  IconMailOff,
  IconTimelineEvent,
  IconTrash,
  IconUserCheck,
  IconUserOff,
  type TablerIcon,
} from '@tabler/icons-react';
import { useShowInExplore } from '#lib/show-in-explore.ts';
import { useNavigate } from '#ui/Link.tsx';
import { RowMenu } from '#ui/RowMenu.tsx';
import s from './Members.module.css';

export type MenuAction = Exclude<MemberAction, 'changeRole'>;

const entries: readonly { action: MenuAction; label: string; Icon: TablerIcon; danger?: true }[] = [
  { action: 'invite', label: 'Invite', Icon: IconMail },
  { action: 'resend', label: 'Resend invitation', Icon: IconMailForward },
  { action: 'revoke', label: 'Revoke invitation', Icon: IconMailOff, danger: true },
  { action: 'reinstate', label: 'Reinstate', Icon: IconUserCheck },
  { action: 'deactivate', label: 'Deactivate', Icon: IconUserOff },
  { action: 'delete', label: 'Delete', Icon: IconTrash, danger: true },
];

// Invited members and uninvited committers have no events under this address.
const statusesWithEvents: readonly MemberListItem['status'][] = ['active', 'accepted', 'deactivated'];

// The only data recorded about an invited member is the invitation, which can be revoked.
const statusesOfPeople: readonly MemberListItem['status'][] = [...statusesWithEvents, 'uninvited'];

interface MemberMenuProps {
  member: MemberListItem;
  onChoose: (action: MenuAction) => void;
  /** Undefined for the current user. */
  onErase: (() => void) | undefined;
}

/** Lists the actions for the status of a member. A blocked action stays visible with its reason. */
export function MemberMenu({ member, onChoose, onErase }: MemberMenuProps) {
  const { allowed, blocked, name, user_id: userId } = member;
  const showInExplore = useShowInExplore(useNavigate());
  const visibleEntries = entries.filter(({ action }) => allowed[action] || blocked[action] !== undefined);
  return (
    <RowMenu label={`Actions for ${name}`}>
      {visibleEntries.map(({ action, label, Icon, danger }) => {
        const reason = blocked[action];
        return (
          <Menu.Item
            key={action}
            leftSection={<Icon size={15} aria-hidden />}
            // Not `disabled`, because arrow keys would skip the item and the reason would stay hidden.
            aria-disabled={reason !== undefined}
            className={reason === undefined ? '' : (s.closed ?? '')}
            closeMenuOnClick={reason === undefined}
            {...(danger && reason === undefined && { color: 'red' })}
            onClick={() => reason === undefined && onChoose(action)}
          >
            {label}
            {reason && <span className={s.hint}>{memberActionRefusalTexts[reason]}</span>}
          </Menu.Item>
        );
      })}
      {statusesWithEvents.includes(member.status) && userId !== null && (
        <Menu.Item
          leftSection={<IconTimelineEvent size={15} aria-hidden />}
          onClick={() => showInExplore.mutate({ of: 'member', id: userId })}
        >
          Show in Explore
        </Menu.Item>
      )}
      {onErase && statusesOfPeople.includes(member.status) && (
        <Menu.Item color="red" leftSection={<IconEraser size={15} aria-hidden />} onClick={onErase}>
          Delete all data
        </Menu.Item>
      )}
    </RowMenu>
  );
}
