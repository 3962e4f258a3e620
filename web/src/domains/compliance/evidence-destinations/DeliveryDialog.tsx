import { Button } from '@mantine/core';
import {
  type EvidenceDelivery,
  type EvidenceDeliveryDetails,
  type EvidenceDestination,
  type EvidenceExchange,
  type EvidenceItem,
  EXCHANGE_RETENTION_DAYS,
  getEvidenceDelivery,
} from '@sightline/contract/compliance/evidence-destinations.ts';
import { useQuery } from '@tanstack/react-query';
import { endpointQuery } from '#lib/api.ts';
import { Banner } from '#ui/Banner.tsx';
import { Dialog } from '#ui/Dialog.tsx';
import { Failure } from '#ui/Failure.tsx';
import { Progress } from '#ui/Progress.tsx';
import { StatusDot } from '#ui/StatusBadge.tsx';
import { TimeAgo } from '#ui/TimeAgo.tsx';
import { deliveryItemBadges } from './destinationLabels.ts';
import s from './EvidenceDestinations.module.css';

interface DeliveryDialogProps {
  destination: EvidenceDestination;
  deliveryId: string;
  /** Undefined if deliveries cannot be sent again. */
  again: ((deliveryId: string) => void) | undefined;
  onClose: () => void;
}

/** Shows a delivery: its items with their status, and the requests with their responses. */
export function DeliveryDialog({ destination, deliveryId, again, onClose }: DeliveryDialogProps) {
  const params = { destinationId: destination.id, deliveryId };
  const { data, error, refetch } = useQuery({
    ...endpointQuery(getEvidenceDelivery, { params }),
    meta: { quiet: true },
    // Change notices announce new states; polling covers a lost connection.
    refetchInterval: ({ state }) => (state.data?.state === 'pending' ? 5000 : false),
  });
  return (
    <Dialog
      title={data ? data.snapshot.name : 'Delivery'}
      opened
      onClose={onClose}
      width={720}
      actions={
        <>
          <Button variant="default" onClick={onClose}>
            Close
          </Button>
          {again && data && data.state !== 'pending' && <Button onClick={() => again(deliveryId)}>Send again</Button>}
        </>
      }
    >
      {data ? (
        <Detail delivery={data} />
      ) : error ? (
        <Failure title="The delivery could not be loaded" error={error} onRetry={() => void refetch()} />
      ) : (
        <p className="dim" role="status" aria-busy>
          Loading
        </p>
      )}
    </Dialog>
  );
}

const Detail = ({
  delivery: { state, problem, nextAt, done, total, items, log },
}: {
  delivery: EvidenceDeliveryDetails;
}) => (
  <div className={s.detail}>
    {problem !== null && (
      <Banner tone={state === 'failed' ? 'error' : 'warning'}>
        {problem}
        {nextAt !== null && (
          <>
            {' '}
            Next attempt <TimeAgo at={nextAt} />.
          </>
        )}
      </Banner>
    )}
    {state === 'pending' && total !== null && (
      <Progress label="Items sent" done={done} total={total} words={`${done} of ${total} items`} />
    )}
    <section>
      <h3 className={s.part}>Items</h3>
      {items.length === 0 && <p className="dim">{state === 'pending' ? 'Not counted yet.' : 'No items to send.'}</p>}
      <ul className={s.list}>
        {items.map(({ key, label, message, ...item }) => (
          <li key={key}>
            <span className={s.line}>
              <span className={s.value}>{label}</span>
              <StatusDot tone={itemBadgeOf(item.state, state)[0]}>{itemBadgeOf(item.state, state)[1]}</StatusDot>
            </span>
            {message !== '' && <span className={s.message}>{message}</span>}
          </li>
        ))}
      </ul>
    </section>
    <section>
      <h3 className={s.part}>Requests and responses</h3>
      {log.length === 0 && <p className="dim">No requests in the last {EXCHANGE_RETENTION_DAYS} days.</p>}
      <ol className={s.list}>
        {log.map((one) => (
          <Exchange key={one.id} exchange={one} />
        ))}
      </ol>
    </section>
  </div>
);

// Queued items of a failed delivery stay until the delivery is sent again.
const itemBadgeOf = (item: EvidenceItem['state'], delivery: EvidenceDelivery['state']) =>
  item === 'pending' && delivery === 'failed' ? (['gray', 'Not sent'] as const) : deliveryItemBadges[item];

const Exchange = ({
  exchange: { at, request, responseStatus, response: answer, failure, ms },
}: {
  exchange: EvidenceExchange;
}) => (
  <li>
    <span className={s.line}>
      <StatusDot tone={failure === null ? 'green' : 'red'}>
        <span className={s.request}>{request}</span>
      </StatusDot>
      <span className="dim">
        {responseStatus === null ? 'No response' : `${responseStatus} in ${ms} ms`}, <TimeAgo at={at} />
      </span>
    </span>
    {failure !== null && <span className={s.message}>{failure}</span>}
    {failure !== null && answer !== null && answer !== '' && (
      // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrollable area must be reachable by keyboard
      <section className={s.code} tabIndex={0} aria-label={`Response to ${request}`}>
        <pre>{answer}</pre>
      </section>
    )}
  </li>
);
