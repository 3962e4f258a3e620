import { roleNames } from '@sightline/contract/core/permissions.ts';
import { type DirectoryUser, withheldTexts } from '@sightline/contract/organization/directory.ts';
import { IconUser } from '@tabler/icons-react';
import { RowName, RowTitle } from '#ui/RowTitle.tsx';
import { StatusBadge } from '#ui/StatusBadge.tsx';
import { TimeAgo } from '#ui/TimeAgo.tsx';
import type { Column } from '../../../../ui/column.ts';

export const userColumns: readonly Column<DirectoryUser>[] = [
  {
    key: 'name',
    header: 'User',
    sort: 'name',
    place: 'main',
    cell: ({ name, userName, withheld }) => (
      <RowTitle
        glyph={<IconUser size={18} stroke={1.5} aria-hidden />}
        meta={withheld === null ? userName : `${userName} · ${withheldTexts[withheld]}`}
      >
        <RowName>{name}</RowName>
      </RowTitle>
    ),
  },
  {
    key: 'groups',
    header: 'Groups',
    width: 240,
    place: 'below',
    cell: ({ groups }) => <span className="truncate">{groups.join(', ') || '–'}</span>,
  },
  {
    key: 'role',
    header: 'Role here',
    width: 160,
    place: 'meta',
    cell: ({ roleId }) => (roleId === null ? <span className="dim">No access</span> : roleNames[roleId]),
  },
  {
    key: 'state',
    header: 'In the directory',
    width: 150,
    place: 'side',
    cell: ({ isActive, withheld }) => (
      <StatusBadge tone={withheld !== null ? 'yellow' : isActive ? 'green' : 'gray'}>
        {isActive ? 'Active' : 'Inactive'}
      </StatusBadge>
    ),
  },
  {
    key: 'date',
    header: 'Changed',
    sort: 'date',
    firstDirection: 'desc',
    width: 140,
    place: 'metaEnd',
    cell: ({ updatedAt }) => <TimeAgo at={updatedAt} />,
  },
];
