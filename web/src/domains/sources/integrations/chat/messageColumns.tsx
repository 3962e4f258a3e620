import type { ChatMessage } from '@sightline/contract/delivery/chat.ts';
import { labelOfEvent } from '#ui/eventTypesText.ts';
import { StatusDot } from '#ui/StatusBadge.tsx';
import { TimeAgo } from '#ui/TimeAgo.tsx';
import type { Column } from '../../../../ui/column.ts';
import { messageStatusBadges } from './states.ts';

export const messageColumns: readonly Column<ChatMessage>[] = [
  {
    key: 'title',
    header: 'Notification',
    place: 'main',
    cell: ({ title }) => <span className="truncate">{title}</span>,
  },
  {
    key: 'type',
    header: 'Type',
    width: 200,
    place: 'meta',
    cell: ({ type, digest }) => (
      <span className="truncate">
        {labelOfEvent(type)}
        {digest && ', in a digest'}
      </span>
    ),
  },
  {
    key: 'status',
    header: 'Status',
    width: 130,
    place: 'side',
    cell: ({ status }) => <StatusDot tone={messageStatusBadges[status][0]}>{messageStatusBadges[status][1]}</StatusDot>,
  },
  {
    key: 'created',
    header: 'Occurred',
    sort: 'date',
    firstDirection: 'desc',
    width: 130,
    place: 'metaEnd',
    cell: ({ createdAt }) => <TimeAgo at={createdAt} />,
  },
];
