import { retryFailuresOf } from '#core/failed-work.ts';
import { retryFailedDelivery } from './commands.ts';

export const outgoingWebhookSubscriptions = [retryFailuresOf('webhook', 'delivery.retry-webhook', retryFailedDelivery)];
