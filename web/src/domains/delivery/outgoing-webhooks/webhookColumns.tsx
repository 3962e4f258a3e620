import type { OutgoingWebhook } from '@sightline/contract/delivery/outgoing-webhooks.ts';
import { IconWebhook } from '@tabler/icons-react';
import { eventTypesText } from '#ui/eventTypesText.ts';
import { PersonName } from '#ui/PersonName.tsx';
import { RowName, RowTitle } from '#ui/RowTitle.tsx';
import { StatusBadge } from '#ui/StatusBadge.tsx';
import { TimeAgo } from '#ui/TimeAgo.tsx';
import type { Column } from '../../../ui/column.ts';
import { webhookStateBadges } from './states.ts';

export const webhookColumns: readonly Column<OutgoingWebhook>[] = [
  {
    key: 'address',
    header: 'URL',
    sort: 'url',
    place: 'main',
    cell: ({ url, description, createdBy }) => (
      <RowTitle
        glyph={<IconWebhook size={18} stroke={1.5} aria-hidden />}
        meta={
          description === '' ? (
            <>
              Added by <PersonName person={createdBy} />
            </>
          ) : (
            description
          )
        }
      >
        <RowName>{url}</RowName>
      </RowTitle>
    ),
  },
  {
    key: 'types',
    header: 'Events',
    width: 260,
    place: 'meta',
    cell: ({ types }) => <span className="truncate">{eventTypesText(types)}</span>,
  },
  {
    key: 'state',
    header: 'State',
    width: 130,
    place: 'side',
    cell: ({ state }) => <StatusBadge tone={webhookStateBadges[state][0]}>{webhookStateBadges[state][1]}</StatusBadge>,
  },
  {
    key: 'created',
    header: 'Added',
    sort: 'date',
    firstDirection: 'desc',
    width: 120,
    place: 'metaEnd',
    cell: ({ createdAt }) => <TimeAgo at={createdAt} />,
  },
];
