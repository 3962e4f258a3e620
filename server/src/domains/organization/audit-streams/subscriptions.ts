import { retryFailuresOf } from '#core/failed-work.ts';
import { retryFailingStream } from './commands.ts';

export const auditStreamSubscriptions = [
  retryFailuresOf('audit_stream', 'organization.retry-audit-stream', retryFailingStream),
];
