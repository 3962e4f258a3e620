import { MAX_ANCHORS } from '@sightline/contract/ledger/anchors.ts';
import type { DestinationType } from '../../../delivery/destinations/queries.ts';

export const anchors: DestinationType = {
  table: 'anchor',
  subject: 'ledger',
  plural: 'anchors',
  max: MAX_ANCHORS,
  ownersOnly: true,
  rotates: false,
  announce: ({ realtime }, orgId) => realtime.notifyOrganization(orgId, 'orgLedger', {}),
};
