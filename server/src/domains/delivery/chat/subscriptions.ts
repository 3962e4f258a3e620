import { retryFailuresOf } from '#core/failed-work.ts';
import { retryFailingTarget } from './commands.ts';

export const chatSubscriptions = [retryFailuresOf('chat', 'delivery.retry-chat', retryFailingTarget)];
