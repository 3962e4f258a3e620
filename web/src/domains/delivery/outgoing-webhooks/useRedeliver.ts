import { type OutgoingWebhook, redeliverOutgoingWebhook } from '@sightline/contract/delivery/outgoing-webhooks.ts';
import { call } from '#lib/api.ts';
import { useChange } from '#lib/change.ts';
import { toast } from '#ui/toast.ts';

/** Returns a function that sends a delivery of a webhook again. */
export const useRedeliver = ({ id: webhookId }: OutgoingWebhook) =>
  useChange(
    (deliveryId: string) => call(redeliverOutgoingWebhook, { params: { webhookId, deliveryId } }),
    () => toast.success('Redelivery started.'),
  );
