import type { HostAccessItem } from '@sightline/contract/compliance/host-access.ts';
import { hostPermissionNames } from '@sightline/contract/sources/host-access.ts';
import { AccessHolder } from '#ui/AccessHolder.tsx';
import { StatusDot } from '#ui/StatusBadge.tsx';
import { TimeAgo } from '#ui/TimeAgo.tsx';
import type { Column } from '../../../ui/column.ts';
import { AccessList } from './AccessList.tsx';
import { accessRouteNames } from './accessLabels.ts';
import s from './HostAccess.module.css';

/** Lists who and what has access to repositories on their code hosts. */
export const HostAccessPage = () => (
  <AccessList
    tab="access"
    note="Accounts, teams, deploy keys and apps with access to enabled repositories, now or at the end of a day."
    columns={columns}
  />
);

const columns: Column<HostAccessItem>[] = [
  {
    key: 'name',
    header: 'Account, team, deploy key or app',
    sort: 'name',
    place: 'main',
    cell: ({ holder }) => <AccessHolder holder={holder} />,
  },
  {
    key: 'member',
    header: 'Member',
    width: 130,
    place: 'side',
    cell: ({ isMember }) =>
      isMember === null ? null : isMember ? (
        <StatusDot tone="green">Active</StatusDot>
      ) : (
        <StatusDot tone="red">No member</StatusDot>
      ),
  },
  {
    key: 'repository',
    header: 'Repository',
    sort: 'repository',
    width: 220,
    place: 'meta',
    cell: ({ repository }) => (
      <span className={s.cell}>
        <span className="truncate">{repository.fullName}</span>
      </span>
    ),
  },
  {
    key: 'permission',
    header: 'Permission',
    sort: 'permission',
    firstDirection: 'desc',
    width: 130,
    place: 'metaEnd',
    cell: ({ permission }) => hostPermissionNames[permission],
  },
  {
    key: 'route',
    header: 'How',
    width: 220,
    cell: ({ routes }) => (
      <span className={s.cell}>
        <span className="dim truncate">{routes.map((route) => accessRouteNames[route]).join(', ')}</span>
      </span>
    ),
  },
  {
    key: 'since',
    header: 'Recorded',
    width: 140,
    cell: ({ since }) => <TimeAgo at={since} />,
  },
];
