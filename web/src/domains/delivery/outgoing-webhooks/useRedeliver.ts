import { type OutgoingWebhook, redeliverOutgoingWebhook } from '@sightline/contract/delivery/outgoing-webhooks.ts';
import { call } from '#lib/api.ts';
import { toast } from '#ui/toast.ts';
import { useChange } from './useChange.ts';

/** Sends a delivery again, by its id. */
export const useRedeliver = ({ id: webhookId }: OutgoingWebhook) =>
  useChange(
    (deliveryId: string) => call(redeliverOutgoingWebhook, { params: { webhookId, deliveryId } }),
    () => toast.success('Redelivery started.'),
  );
