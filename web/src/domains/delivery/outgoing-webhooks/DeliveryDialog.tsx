import { Button } from '@mantine/core';
import {
  getOutgoingDelivery,
  type OutgoingDeliveryDetail,
  type OutgoingWebhook,
} from '@sightline/contract/delivery/outgoing-webhooks.ts';
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { endpointQuery } from '#lib/api.ts';
import { CopyButton } from '#ui/CopyButton.tsx';
import { Dialog } from '#ui/Dialog.tsx';
import { labelOfEvent } from '#ui/eventTypesText.ts';
import { Facts } from '#ui/Facts.tsx';
import { Failure } from '#ui/Failure.tsx';
import { StatusDot } from '#ui/StatusBadge.tsx';
import { TimeAgo } from '#ui/TimeAgo.tsx';
import { answerOf } from './deliveryColumns.tsx';
import { deliveryStatusBadges, isOn } from './states.ts';
import { useRedeliver } from './useRedeliver.ts';
import s from './Webhooks.module.css';

interface DeliveryDialogProps {
  webhook: OutgoingWebhook;
  deliveryId: string;
  onClose: () => void;
}

/** Shows a delivery: its request, and the response to each attempt. */
export function DeliveryDialog({ webhook, deliveryId, onClose }: DeliveryDialogProps) {
  const params = { webhookId: webhook.id, deliveryId };
  const { data, error, refetch } = useQuery({
    ...endpointQuery(getOutgoingDelivery, { params }),
    meta: { quiet: true },
  });
  const redeliver = useRedeliver(webhook);
  return (
    <Dialog
      title={data ? labelOfEvent(data.type) : 'Delivery'}
      opened
      onClose={onClose}
      width={720}
      actions={
        data && (
          <>
            <CopyButton value={data.body} label="Copy body" />
            {isOn(webhook) && (
              <Button loading={redeliver.isPending} onClick={() => redeliver.mutate(deliveryId)}>
                Send again
              </Button>
            )}
          </>
        )
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

const Detail = ({ delivery }: { delivery: OutgoingDeliveryDetail }) => (
  <div className={s.detail}>
    <Facts side items={factsOf(delivery)} />
    <section>
      <h3 className={s.part}>Request body</h3>
      <Code label="Request body">{pretty(delivery.body)}</Code>
    </section>
    <section>
      <h3 className={s.part}>Attempts</h3>
      {delivery.log.length === 0 && <p className={s.dim}>No attempts.</p>}
      <ol className={s.log} reversed>
        {delivery.log.map((attempt) => (
          <li key={attempt.number}>
            <span className={s.attempt}>
              <StatusDot tone={attempt.failure === null ? 'green' : 'red'}>
                {attempt.failure === null ? 'Delivered' : 'Failed'}: {answerOf(attempt)}
              </StatusDot>
              <TimeAgo at={attempt.at} />
            </span>
            {attempt.failure !== null && isMoreThanStatus(attempt) && <p className={s.dim}>{attempt.failure}</p>}
            {attempt.response !== null && attempt.response !== '' && (
              <Code label={`Response to attempt ${attempt.number}`}>{attempt.response}</Code>
            )}
          </li>
        ))}
      </ol>
    </section>
  </div>
);

// The line above contains the status of an error response.
const isMoreThanStatus = ({ responseStatus }: { responseStatus: number | null }) =>
  responseStatus === null || responseStatus < 400;

const Code = ({ label, children }: { label: string; children: string }) => (
  // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrollable area must be reachable by keyboard
  <section className={s.code} tabIndex={0} aria-label={label}>
    <pre>{children}</pre>
  </section>
);

type DeliveryFact = readonly [string, ReactNode];

const factsOf = ({ id, type, status, createdAt, nextAt }: OutgoingDeliveryDetail): readonly DeliveryFact[] => {
  const [tone, words] = deliveryStatusBadges[status];
  const fact = (term: string, value: ReactNode): DeliveryFact => [term, value];
  return [
    fact('Status', <StatusDot tone={tone}>{words}</StatusDot>),
    fact('Event', <span className="mono">{type}</span>),
    fact('webhook-id', <span className="mono">{id}</span>),
    fact('Occurred', <TimeAgo at={createdAt} />),
    ...(nextAt === null ? [] : [fact('Next attempt', <TimeAgo at={nextAt} />)]),
  ];
};

function pretty(body: string): string {
  try {
    return JSON.stringify(JSON.parse(body), null, 2);
  } catch {
    return body;
  }
}
