import {
  deliveryStatuses,
  listOutgoingDeliveries,
  type OutgoingWebhook,
} from '@sightline/contract/delivery/outgoing-webhooks.ts';
import { IconSend } from '@tabler/icons-react';
import { z } from 'zod';
import { usePagedList } from '#lib/paged-list.ts';
import { useUrlQuery } from '#lib/url-query.ts';
import { Empty } from '#ui/Empty.tsx';
import { Filters } from '#ui/Filters.tsx';
import { MultiSelect } from '#ui/MultiSelect.tsx';
import { PagedTable } from '#ui/PagedTable.tsx';
import { SearchBox } from '#ui/SearchBox.tsx';
import { DeliveryDialog } from './DeliveryDialog.tsx';
import { deliveryColumns } from './deliveryColumns.tsx';
import { deliveryStatusBadges, isOn } from './states.ts';
import { useRedeliver } from './useRedeliver.ts';

// The scroll position is kept while a delivery is opened and closed.
const openedQuery = z.object({ page: listOutgoingDeliveries.query.shape.page, delivery: z.string().default('') });

/** The deliveries of a webhook. The URL of the page contains the open one. */
export function Deliveries({ webhook }: { webhook: OutgoingWebhook }) {
  const params = { webhookId: webhook.id };
  const list = usePagedList(listOutgoingDeliveries, { input: (query) => ({ params, query }) });
  const [{ page, delivery }, setOpened] = useUrlQuery(openedQuery);
  const redeliver = useRedeliver(webhook);
  const { query, setQuery } = list;
  const open = (id: string) => setOpened({ page, delivery: id });
  return (
    <>
      {!list.isEmptyUnfiltered && !list.failure && (
        <Filters>
          <SearchBox label="Search by event" value={query.search} onChange={(search) => setQuery({ search })} />
          <MultiSelect
            name="Status"
            options={deliveryStatuses.map((value) => ({ value, label: deliveryStatusBadges[value][1] }))}
            values={query.status}
            onChange={(status) => setQuery({ status: status as typeof query.status })}
            emptyText="No statuses available"
          />
        </Filters>
      )}
      <PagedTable
        list={list}
        label="Deliveries"
        noun="deliveries"
        columns={deliveryColumns({
          onOpen: open,
          onRedeliver: isOn(webhook) ? (id) => redeliver.mutate(id) : undefined,
        })}
        rowKey={({ id }) => id}
        empty={
          <Empty kind="nothing-yet" title="No deliveries" icon={<IconSend size={19} stroke={1.6} />}>
            Deliveries of the last 30 days appear here with their responses.
          </Empty>
        }
        noMatch="No delivery matches"
        filters={query.status.map((status) => `Status: ${deliveryStatusBadges[status][1]}`)}
      />
      {delivery !== '' && <DeliveryDialog webhook={webhook} deliveryId={delivery} onClose={() => open('')} />}
    </>
  );
}
