import { Menu, UnstyledButton } from '@mantine/core';
import type { RoleId } from '@sightline/contract/core/permissions.ts';
import { memberActionRefusalTexts } from '@sightline/contract/organization/member-actions.ts';
import type { MemberListItem } from '@sightline/contract/organization/members.ts';
import type { Role } from '@sightline/contract/organization/roles.ts';
import { IconChevronDown } from '@tabler/icons-react';
import { DisabledReason } from '#ui/DisabledReason.tsx';
import s from './Members.module.css';

interface RoleChangerProps {
  member: MemberListItem;
  roles: readonly Role[];
  /** Whether an earlier change is still being saved. */
  pending: boolean;
  onChange: (role: RoleId) => void;
}

/** Shows the role of a member with a menu of other roles, or why it cannot be changed. */
export function RoleChanger({ member, roles, pending, onChange }: RoleChangerProps) {
  const { role, name, allowed, blocked } = member;
  if (role === null) return <span className={`${s.fixed} dim`}>No role yet</span>;
  const others = roles.filter(({ id, assignable }) => assignable && id !== role.id);
  if (!allowed.changeRole || others.length === 0) {
    const reason = blocked.changeRole === 'not_owner' ? undefined : blocked.changeRole;
    return (
      <DisabledReason reason={reason && memberActionRefusalTexts[reason]}>
        <span className={s.fixed}>{role.name}</span>
      </DisabledReason>
    );
  }
  return (
    <Menu position="bottom-start" width={280}>
      <Menu.Target>
        <UnstyledButton className={s.role ?? ''} aria-label={`Role of ${name}: ${role.name}`} disabled={pending}>
          {role.name}
          <IconChevronDown size={14} aria-hidden />
        </UnstyledButton>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Label>Change role to</Menu.Label>
        {others.map(({ id, name: word, description }) => (
          <Menu.Item key={id} onClick={() => onChange(id)}>
            {word}
            <span className={s.hint}>{description}</span>
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  );
}
