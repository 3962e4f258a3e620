import { Menu } from '@mantine/core';
import type { Erasure, ErasureState } from '@sightline/contract/organization/erasure.ts';
import { IconEraser, IconX } from '@tabler/icons-react';
import { Face } from '#ui/Person.tsx';
import { Progress } from '#ui/Progress.tsx';
import { RowMenu } from '#ui/RowMenu.tsx';
import { RowName, RowTitle } from '#ui/RowTitle.tsx';
import { StatusBadge, type Tone } from '#ui/StatusBadge.tsx';
import { TimeAgo } from '#ui/TimeAgo.tsx';
import type { Column } from '../../../ui/column.ts';
import type { ErasureAnswer } from './AnswerDialog.tsx';

interface ErasureColumnOptions {
  you: string | undefined;
  onAnswer: (erasure: Erasure, answer: ErasureAnswer) => void;
}

export const stateWords: Record<ErasureState, readonly [Tone, string]> = {
  requested: ['yellow', 'Waiting for an answer'],
  withdrawn: ['gray', 'Taken back'],
  refused: ['purple', 'Refused'],
  running: ['blue', 'Being erased'],
  done: ['green', 'Erased'],
};

const bases: Record<Erasure['basis'], string> = {
  person: 'Asked for it',
  owner: 'By an Account Owner',
  operator: 'By the operator of the server',
};

export const erasureColumns = ({ you, onAnswer }: ErasureColumnOptions): readonly Column<Erasure>[] => [
  {
    key: 'person',
    header: 'Person',
    place: 'main',
    cell: ({ person }) => (
      <RowTitle
        glyph={<Face name={person.name ?? '?'} size={28} />}
        meta={person.email ?? <span className="mono">{person.id}</span>}
      >
        <RowName>{person.name ?? 'Erased person'}</RowName>
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
        <Progress label="Erasing" done={done} total={total} words={`${done} of ${total} places`} />
      ) : (
        <StatusBadge tone={stateWords[state][0]}>{stateWords[state][1]}</StatusBadge>
      ),
  },
  {
    key: 'basis',
    header: 'Why',
    width: 230,
    cell: ({ basis, reason, requestedBy }) => (
      <span className="truncate" title={reason}>
        {basis === 'owner' && requestedBy ? `By ${requestedBy.name}` : bases[basis]}
        {reason !== '' && `. Refused: ${reason}`}
      </span>
    ),
  },
  {
    key: 'answer',
    header: 'Answered',
    width: 190,
    cell: ({ decidedAt, decidedBy }) =>
      decidedAt === null ? (
        'Not yet'
      ) : (
        <span className="truncate">
          <TimeAgo at={decidedAt} />
          {decidedBy && ` by ${decidedBy.name}`}
        </span>
      ),
  },
  {
    key: 'asked',
    header: 'Asked',
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
        <RowMenu label={`Answer ${erasure.person.name ?? 'the request'}`}>
          {erasure.requestedBy?.userId === you ? (
            <Menu.Item aria-disabled closeMenuOnClick={false}>
              Another Account Owner answers your own request
            </Menu.Item>
          ) : (
            <>
              <Menu.Item
                color="red"
                leftSection={<IconEraser size={15} aria-hidden />}
                onClick={() => onAnswer(erasure, 'carry_out')}
              >
                Erase for good
              </Menu.Item>
              <Menu.Item leftSection={<IconX size={15} aria-hidden />} onClick={() => onAnswer(erasure, 'refuse')}>
                Refuse
              </Menu.Item>
            </>
          )}
        </RowMenu>
      ),
  },
];
