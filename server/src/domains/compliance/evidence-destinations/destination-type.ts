import { MAX_EVIDENCE_DESTINATIONS } from '@sightline/contract/compliance/evidence-destinations.ts';
import type { DestinationType } from '../../delivery/destinations/queries.ts';

export const evidenceDestinations: DestinationType = {
  table: 'evidence_destination',
  subject: 'evidence_destination',
  plural: 'destinations',
  max: MAX_EVIDENCE_DESTINATIONS,
  ownersOnly: false,
  rotates: false,
  announce: ({ realtime }, orgId) => realtime.notifyOrganization(orgId, 'orgEvidence', {}),
};
