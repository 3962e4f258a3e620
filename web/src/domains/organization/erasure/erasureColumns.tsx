import { Menu } from '@mantine/core';
import type { Erasure, ErasureState } from '@sightline/contract/organization/erasure.ts';
import { IconEraser, IconX } from '@tabler/icons-react';
import { Face } from '#ui/Person.tsx';
import { PersonName } from '#ui/PersonName.tsx';
import { Progress } from '#ui/Progress.tsx';
import { RowMenu } from '#ui/RowMenu.tsx';
import { RowName, RowTitle } from '#ui/RowTitle.tsx';
import { StatusBadge, type Tone } from '#ui/StatusBadge.tsx';
import { TimeAgo } from '#ui/TimeAgo.tsx';
import type { Column } from '../../../ui/column.ts';
import type { ErasureDecision } from './DecideDeletionDialog.tsx';

interface ErasureColumnOptions {
  ownAccountId: string | undefined;
  onDecide: (erasure: Erasure, decision: ErasureDecision) => void;
}

export const erasureStateLabels: Record<ErasureState, readonly [Tone, string]> = {
  requested: ['yellow', 'Pending'],
  withdrawn: ['gray', 'Withdrawn'],
  refused: ['purple', 'Denied'],
  running: ['blue', 'Running'],
  done: ['green', 'Succeeded'],
};

const bases: Record<Erasure['basis'], string> = {
  person: 'Requested by the person',
  owner: 'Account Owner',
  operator: 'Operator of the server',
};

export const erasureColumns = ({ ownAccountId, onDecide }: ErasureColumnOptions): readonly Column<Erasure>[] => [
  {
    key: 'person',
    header: 'Person',
    place: 'main',
    cell: ({ person }) => (
      <RowTitle
        glyph={<Face name={person.name ?? '?'} id={person.id} size={28} />}
        meta={person.email ?? <span className="mono">{person.id}</span>}
      >
        <RowName>{person.name ?? 'Deleted person'}</RowName>
      </RowTitle>
    ),
  },
  {
    key: 'state',
    header: 'State',
    width: 210,
    place: 'meta',
    cell: ({ state, progress: { done, total } }) =>
      state === 'running' ? (
        <Progress label="Deleting" done={done} total={total} words={`${done} of ${total} places`} />
      ) : (
        <StatusBadge tone={erasureStateLabels[state][0]}>{erasureStateLabels[state][1]}</StatusBadge>
      ),
  },
  {
    key: 'basis',
    header: 'Origin',
    width: 230,
    cell: ({ basis, reason, requestedBy }) => (
      <span className="truncate" title={reason}>
        {basis === 'owner' && requestedBy ? (
          <>
            By <PersonName person={{ id: requestedBy.userId, name: requestedBy.name }} />
          </>
        ) : (
          bases[basis]
        )}
        {reason !== '' && `. Denied: ${reason}`}
      </span>
    ),
  },
  {
    key: 'answer',
    header: 'Decided',
    width: 190,
    cell: ({ decidedAt, decidedBy }) =>
      decidedAt === null ? (
        'Pending'
      ) : (
        <span className="truncate">
          <TimeAgo at={decidedAt} />
          {decidedBy && (
            <>
              {' '}
              by <PersonName person={{ id: decidedBy.userId, name: decidedBy.name }} />
            </>
          )}
        </span>
      ),
  },
  {
    key: 'asked',
    header: 'Requested',
    sort: 'date',
    firstDirection: 'desc',
    width: 120,
    place: 'metaEnd',
    cell: ({ requestedAt }) => <TimeAgo at={requestedAt} />,
  },
  {
    key: 'menu',
    header: <span className="vh">Actions</span>,
    width: 52,
    place: 'menu',
    cell: (erasure) =>
      erasure.state === 'requested' && (
        <RowMenu label={`Decide on ${erasure.person.name ?? 'the request'}`}>
          {erasure.requestedBy?.userId === ownAccountId ? (
            <Menu.Item aria-disabled closeMenuOnClick={false}>
              Another Account Owner must decide on your own request
            </Menu.Item>
          ) : (
            <>
              <Menu.Item
                color="red"
                leftSection={<IconEraser size={15} aria-hidden />}
                onClick={() => onDecide(erasure, 'carry_out')}
              >
                Delete permanently
              </Menu.Item>
              <Menu.Item leftSection={<IconX size={15} aria-hidden />} onClick={() => onDecide(erasure, 'refuse')}>
                Deny
              </Menu.Item>
            </>
          )}
        </RowMenu>
      ),
  },
];
