import type { RoleId } from '@sightline/contract/core/permissions.ts';
import type { MemberListItem } from '@sightline/contract/organization/members.ts';
import type { Role } from '@sightline/contract/organization/roles.ts';
import { TimeAgo } from '#ui/TimeAgo.tsx';
import type { Column } from '../../../ui/column.ts';
import { MemberMenu, type MenuAction } from './MemberMenu.tsx';
import { MemberName } from './MemberName.tsx';
import { MemberStatusCell } from './MemberStatusCell.tsx';
import { RoleChanger } from './RoleChanger.tsx';

interface MemberColumnOptions {
  /** The account ID of the current user. */
  you: string | undefined;
  roles: readonly Role[];
  /** Owners see the actions column (spec 6). */
  acts: boolean;
  pending: (member: MemberListItem) => boolean;
  onRole: (member: MemberListItem, role: RoleId) => void;
  onAction: (member: MemberListItem, action: MenuAction) => void;
  onErase: (member: MemberListItem) => void;
}

export const memberColumns = ({
  you,
  roles,
  acts,
  pending,
  onRole,
  onAction,
  onErase,
}: MemberColumnOptions): Column<MemberListItem>[] => [
  {
    key: 'name',
    header: 'Name',
    sort: 'name',
    place: 'main',
    cell: (member) => <MemberName member={member} isYou={member.user_id !== null && member.user_id === you} />,
  },
  {
    key: 'status',
    header: 'Status',
    width: 170,
    place: 'side',
    cell: (member) => <MemberStatusCell member={member} />,
  },
  {
    key: 'role',
    header: 'Role',
    sort: 'role',
    width: 190,
    place: 'meta',
    cell: (member) => (
      <RoleChanger member={member} roles={roles} pending={pending(member)} onChange={(role) => onRole(member, role)} />
    ),
  },
  {
    key: 'date',
    header: 'Added',
    sort: 'date',
    firstDirection: 'desc',
    width: 130,
    cell: ({ createdAt }) => (
      <span className="dim">{createdAt === null ? 'Not recorded' : <TimeAgo at={createdAt} />}</span>
    ),
  },
  ...(acts
    ? [
        {
          key: 'menu',
          header: 'Actions',
          width: 56,
          place: 'menu' as const,
          cell: (member: MemberListItem) => (
            <MemberMenu
              member={member}
              onChoose={(action) => onAction(member, action)}
              onErase={member.user_id !== null && member.user_id === you ? undefined : () => onErase(member)}
            />
          ),
        },
      ]
    : []),
];
