import { Menu } from '@mantine/core';
import type { OutgoingDelivery } from '@sightline/contract/delivery/outgoing-webhooks.ts';
import { IconListDetails, IconRefresh } from '@tabler/icons-react';
import { labelOfEvent } from '#ui/eventTypesText.ts';
import { RowMenu } from '#ui/RowMenu.tsx';
import { StatusDot } from '#ui/StatusBadge.tsx';
import { TimeAgo } from '#ui/TimeAgo.tsx';
import type { Column } from '../../../ui/column.ts';
import { deliveryStatusBadges } from './states.ts';
import s from './Webhooks.module.css';

interface DeliveryColumnOptions {
  onOpen: (id: string) => void;
  /** Undefined if deliveries cannot be sent again. */
  onRedeliver: ((id: string) => void) | undefined;
}

export const deliveryColumns = ({
  onOpen,
  onRedeliver,
}: DeliveryColumnOptions): readonly Column<OutgoingDelivery>[] => [
  {
    key: 'event',
    header: 'Event',
    place: 'main',
    cell: ({ id, type }) => (
      <button type="button" className={s.open} onClick={() => onOpen(id)}>
        {labelOfEvent(type)} <span className={s.typeName}>{type}</span>
      </button>
    ),
  },
  {
    key: 'status',
    header: 'Status',
    width: 130,
    place: 'side',
    cell: ({ status }) => (
      <StatusDot tone={deliveryStatusBadges[status][0]}>{deliveryStatusBadges[status][1]}</StatusDot>
    ),
  },
  {
    key: 'response',
    header: 'Last response',
    width: 220,
    place: 'meta',
    cell: ({ lastAttempt }) => <span className="truncate">{answerOf(lastAttempt)}</span>,
  },
  {
    key: 'attempts',
    header: 'Attempts',
    width: 100,
    cell: ({ attempts }) => <span className="num">{attempts}</span>,
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
  {
    key: 'menu',
    header: <span className="vh">Actions</span>,
    width: 52,
    place: 'menu',
    cell: ({ id, type }) => (
      <RowMenu label={`Actions for ${labelOfEvent(type)}`}>
        <Menu.Item leftSection={<IconListDetails size={15} aria-hidden />} onClick={() => onOpen(id)}>
          Show request and responses
        </Menu.Item>
        {onRedeliver && (
          <Menu.Item leftSection={<IconRefresh size={15} aria-hidden />} onClick={() => onRedeliver(id)}>
            Send again
          </Menu.Item>
        )}
      </RowMenu>
    ),
  },
];

/** The result of the last attempt: '204 in 35 ms', 'No response' or 'No attempts'. */
export function answerOf(attempt: OutgoingDelivery['lastAttempt']): string {
  if (!attempt) return 'No attempts';
  return attempt.responseStatus === null ? 'No response' : `${attempt.responseStatus} in ${attempt.ms} ms`;
}
