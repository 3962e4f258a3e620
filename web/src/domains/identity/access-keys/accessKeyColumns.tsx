import { Menu } from '@mantine/core';
import type { AccessKeyUse } from '@sightline/contract/core/access-key-uses.ts';
import type { AccessKey } from '@sightline/contract/identity/access-keys.ts';
import { IconBan, IconKey } from '@tabler/icons-react';
import { PersonName } from '#ui/PersonName.tsx';
import { RowMenu } from '#ui/RowMenu.tsx';
import { RowName, RowTitle } from '#ui/RowTitle.tsx';
import { StatusBadge, type Tone } from '#ui/StatusBadge.tsx';
import { TimeAgo } from '#ui/TimeAgo.tsx';
import type { Column } from '../../../ui/column.ts';
import s from './AccessKeys.module.css';

interface AccessKeyColumnOptions {
  acts: boolean;
  onRevoke: (key: AccessKey) => void;
}

export const accessKeyUseLabels: Record<AccessKeyUse, string> = {
  sarif: 'Upload SARIF',
  ledger: 'Read the ledger',
  telemetry: 'Send agent telemetry',
  mcp: 'Read over MCP',
};

const states: Record<AccessKey['state'], readonly [Tone, string]> = {
  active: ['green', 'Active'],
  expired: ['yellow', 'Expired'],
  revoked: ['gray', 'Revoked'],
};

export const accessKeyColumns = ({ acts, onRevoke }: AccessKeyColumnOptions): readonly Column<AccessKey>[] => [
  {
    key: 'name',
    header: 'Name',
    sort: 'name',
    place: 'main',
    cell: ({ name, keyEnd, createdBy }) => (
      <RowTitle
        glyph={<IconKey size={18} stroke={1.5} aria-hidden />}
        meta={
          <>
            <span className="mono">…{keyEnd}</span> · created by <PersonName person={createdBy} />
          </>
        }
      >
        <RowName>{name}</RowName>
      </RowTitle>
    ),
  },
  {
    key: 'use',
    header: 'Use',
    width: 280,
    place: 'meta',
    cell: ({ use, repository, isPersonal }) => (
      <span className="truncate">
        {accessKeyUseLabels[use]}
        {use === 'sarif' && ` to ${repository ? repository.fullName : 'every enabled repository'}`}
        {isPersonal && ' of the creator'}
      </span>
    ),
  },
  {
    key: 'state',
    header: 'State',
    width: 110,
    place: 'side',
    cell: ({ state }) => <StatusBadge tone={states[state][0]}>{states[state][1]}</StatusBadge>,
  },
  {
    key: 'used',
    header: 'Last used',
    width: 130,
    place: 'metaEnd',
    cell: ({ lastUsedAt }) => (lastUsedAt ? <TimeAgo at={lastUsedAt} /> : <span className={s.dim}>Never</span>),
  },
  {
    key: 'expires',
    header: 'Expires',
    width: 130,
    cell: ({ expiresAt }) =>
      expiresAt ? <span className="num">{day.format(new Date(expiresAt))}</span> : <span className={s.dim}>Never</span>,
  },
  {
    key: 'created',
    header: 'Created',
    sort: 'date',
    firstDirection: 'desc',
    width: 120,
    cell: ({ createdAt }) => <TimeAgo at={createdAt} />,
  },
  {
    key: 'menu',
    header: <span className="vh">Actions</span>,
    width: 52,
    place: 'menu',
    cell: (key) =>
      acts &&
      key.state === 'active' && (
        <RowMenu label={`Actions for ${key.name}`}>
          <Menu.Item color="red" leftSection={<IconBan size={15} aria-hidden />} onClick={() => onRevoke(key)}>
            Revoke
          </Menu.Item>
        </RowMenu>
      ),
  },
];

const day = new Intl.DateTimeFormat('en', { dateStyle: 'medium' });
