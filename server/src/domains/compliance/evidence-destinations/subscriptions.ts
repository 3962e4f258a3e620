import { retryFailuresOf } from '#core/failed-work.ts';
import { retryFailedDelivery } from './commands.ts';

export const evidenceDestinationSubscriptions = [
  retryFailuresOf('evidence_delivery', 'compliance.retry-evidence-delivery', retryFailedDelivery),
];
