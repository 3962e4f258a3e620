import { MAX_AUDIT_STREAMS } from '@sightline/contract/organization/audit-streams.ts';
import type { DestinationType } from '../../delivery/destinations/queries.ts';

export const auditStreams: DestinationType = {
  table: 'audit_stream',
  subject: 'audit_stream',
  plural: 'audit log streams',
  max: MAX_AUDIT_STREAMS,
  ownersOnly: true,
  rotates: true,
  // The page reloads periodically, since its progress changes all the time.
  announce: () => undefined,
};
