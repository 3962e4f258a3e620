import type { ChatChannel } from '@sightline/contract/delivery/chat.ts';
import { IconHash } from '@tabler/icons-react';
import { eventTypesText } from '#ui/eventTypesText.ts';
import { RowName, RowTitle } from '#ui/RowTitle.tsx';
import { StatusBadge } from '#ui/StatusBadge.tsx';
import { TimeAgo } from '#ui/TimeAgo.tsx';
import type { Column } from '../../../../ui/column.ts';
import { chatStateBadges } from './states.ts';

export const channelColumns: readonly Column<ChatChannel>[] = [
  {
    key: 'name',
    header: 'Channel',
    sort: 'name',
    place: 'main',
    cell: ({ name, problem, host }) => (
      <RowTitle glyph={<IconHash size={18} stroke={1.5} aria-hidden />} meta={problem ?? host ?? undefined}>
        <RowName>{name}</RowName>
      </RowTitle>
    ),
  },
  {
    key: 'types',
    header: 'Notifications',
    width: 240,
    place: 'meta',
    cell: ({ types }) => <span className="truncate">{eventTypesText(types)}</span>,
  },
  {
    key: 'pending',
    header: 'Queued',
    width: 90,
    cell: ({ pending }) => <span className="num">{pending}</span>,
  },
  {
    key: 'state',
    header: 'State',
    width: 150,
    place: 'side',
    cell: ({ state }) => <StatusBadge tone={chatStateBadges[state][0]}>{chatStateBadges[state][1]}</StatusBadge>,
  },
  {
    key: 'delivered',
    header: 'Last delivery',
    width: 130,
    place: 'metaEnd',
    cell: ({ lastDeliveredAt }) => (lastDeliveredAt === null ? '–' : <TimeAgo at={lastDeliveredAt} />),
  },
];
