import { Menu } from '@mantine/core';
import {
  type EvidenceDelivery,
  type EvidenceDestination,
  listEvidenceDeliveries,
  redeliverEvidence,
} from '@sightline/contract/compliance/evidence-destinations.ts';
import { IconListDetails, IconRefresh, IconSend } from '@tabler/icons-react';
import { z } from 'zod';
import { call } from '#lib/api.ts';
import { useChange } from '#lib/change.ts';
import { usePagedList } from '#lib/paged-list.ts';
import { hasPermission, useSession } from '#lib/session.ts';
import { useUrlQuery } from '#lib/url-query.ts';
import { Empty } from '#ui/Empty.tsx';
import { Filters } from '#ui/Filters.tsx';
import { PagedTable } from '#ui/PagedTable.tsx';
import { PersonName } from '#ui/PersonName.tsx';
import { RowMenu } from '#ui/RowMenu.tsx';
import { SearchBox } from '#ui/SearchBox.tsx';
import { StatusDot } from '#ui/StatusBadge.tsx';
import { TimeAgo } from '#ui/TimeAgo.tsx';
import { toast } from '#ui/toast.ts';
import type { Column } from '../../../ui/column.ts';
import { DeliveryDialog } from './DeliveryDialog.tsx';
import { deliveryStateBadges } from './destinationLabels.ts';
import s from './EvidenceDestinations.module.css';

// The scroll position is kept while a delivery is opened and closed.
const openedQuery = z.object({ page: listEvidenceDeliveries.query.shape.page, delivery: z.string().default('') });

/** The deliveries of a destination. The URL contains the open one. */
export function Deliveries({ destination }: { destination: EvidenceDestination }) {
  const params = { destinationId: destination.id };
  const list = usePagedList(listEvidenceDeliveries, { input: (query) => ({ params, query }) });
  const [{ page, delivery }, setOpened] = useUrlQuery(openedQuery);
  const again = useRedeliverEvidence(destination);
  const open = (id: string) => setOpened({ page, delivery: id });
  return (
    <>
      {!list.isEmptyUnfiltered && !list.failure && (
        <Filters>
          <SearchBox
            label="Search by snapshot"
            value={list.query.search}
            onChange={(search) => list.setQuery({ search })}
          />
        </Filters>
      )}
      <PagedTable
        list={list}
        label="Deliveries"
        noun="deliveries"
        columns={columnsOf(open, again)}
        rowKey={({ id }) => id}
        empty={
          <Empty kind="nothing-yet" title="No deliveries" icon={<IconSend size={19} stroke={1.6} />}>
            Snapshots appear here when they are sent, with their items and responses.
          </Empty>
        }
        noMatch="No delivery matches"
      />
      {delivery !== '' && (
        <DeliveryDialog destination={destination} deliveryId={delivery} again={again} onClose={() => open('')} />
      )}
    </>
  );
}

/** Returns a function that sends a delivery again; undefined without the permission, or if the destination is off. */
function useRedeliverEvidence({
  id: destinationId,
  state,
}: EvidenceDestination): ((deliveryId: string) => void) | undefined {
  const mayRedeliver = hasPermission(useSession(), 'create:evidence');
  const again = useChange(
    (deliveryId: string) => call(redeliverEvidence, { params: { destinationId, deliveryId } }),
    () => toast.success('The delivery is sent again. Items that arrived before are not duplicated.'),
  );
  return mayRedeliver && state !== 'off' ? (id) => again.mutate(id) : undefined;
}

const columnsOf = (
  onOpen: (id: string) => void,
  onAgain: ((id: string) => void) | undefined,
): readonly Column<EvidenceDelivery>[] => [
  {
    key: 'snapshot',
    header: 'Snapshot',
    place: 'main',
    cell: ({ id, snapshot }) => (
      <button type="button" className={s.open} onClick={() => onOpen(id)}>
        <span className="truncate">{snapshot.name}</span>
      </button>
    ),
  },
  {
    key: 'state',
    header: 'State',
    width: 140,
    place: 'side',
    cell: ({ state }) => <StatusDot tone={deliveryStateBadges[state][0]}>{deliveryStateBadges[state][1]}</StatusDot>,
  },
  {
    key: 'items',
    header: 'Items',
    width: 110,
    place: 'meta',
    cell: ({ done, total }) => (
      <span className="num">{total === null ? 'Not counted yet' : `${done} of ${total}`}</span>
    ),
  },
  {
    key: 'problem',
    header: 'Result',
    width: 300,
    cell: ({ state, problem, nextAt }) => (
      <p className="truncate" title={problem ?? undefined}>
        {problem ?? (state === 'sent' ? 'All items delivered' : '')}
        {problem !== null && nextAt !== null && (
          <>
            {' '}
            Again <TimeAgo at={nextAt} />.
          </>
        )}
      </p>
    ),
  },
  {
    key: 'date',
    header: 'Requested',
    sort: 'date',
    firstDirection: 'desc',
    width: 190,
    place: 'metaEnd',
    cell: ({ requestedAt, requestedBy }) => (
      <span className="truncate">
        <TimeAgo at={requestedAt} /> by <PersonName person={requestedBy} />
      </span>
    ),
  },
  {
    key: 'menu',
    header: <span className="vh">Actions</span>,
    width: 52,
    place: 'menu',
    cell: ({ id, snapshot, state }) => (
      <RowMenu label={`Actions for ${snapshot.name}`}>
        <Menu.Item leftSection={<IconListDetails size={15} aria-hidden />} onClick={() => onOpen(id)}>
          Show items and responses
        </Menu.Item>
        {onAgain && state !== 'pending' && (
          <Menu.Item leftSection={<IconRefresh size={15} aria-hidden />} onClick={() => onAgain(id)}>
            Send again
          </Menu.Item>
        )}
      </RowMenu>
    ),
  },
];
