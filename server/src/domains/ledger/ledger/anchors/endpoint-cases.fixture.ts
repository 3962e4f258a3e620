import {
  createAnchor,
  deleteAnchor,
  getReceipt,
  listAnchorAttempts,
  listAnchors,
  listReceipts,
  publishCheckpoint,
  requestAddressConfirmation,
  updateAnchor,
} from '@sightline/contract/ledger/anchors.ts';
import { endpointCase } from '../../../../architecture/endpoint-case.ts';
import { anchorPartyOf, unconfirmedAddress } from './seeded-items.fixture.ts';

export const endpointCases = [
  endpointCase(createAnchor, {
    request: () => ({ body: { kind: 'mail', party: 'Everybody', settings: { addresses: [] } } }),
    access: { allows: ['owner'] },
    recentSignIn: true,
    writes: ['ledger.anchor_added'],
  }),
  endpointCase(deleteAnchor, {
    request: ({ anchorId }) => ({ params: { anchorId } }),
    access: { allows: ['owner'], foreign: 404 },
    recentSignIn: true,
    writes: ['ledger.anchor_removed'],
  }),
  endpointCase(getReceipt, {
    request: ({ anchorId }) => ({
      query: { epoch: '1', size: '1', kind: 'git', party: anchorPartyOf(anchorId) },
    }),
    access: { allows: ['owner', 'reviewer', 'auditor'], foreign: 404 },
  }),
  endpointCase(listAnchorAttempts, {
    request: ({ anchorId }) => ({ params: { anchorId }, query: { perPage: '5' } }),
    access: { allows: ['owner', 'reviewer', 'auditor'], foreign: 404 },
  }),
  endpointCase(listAnchors, {
    request: () => ({ query: { search: 'seed', sort: 'party-desc' } }),
    access: { allows: ['owner', 'reviewer', 'auditor'] },
  }),
  endpointCase(listReceipts, {
    request: () => ({ query: { sort: 'date-asc' } }),
    access: { allows: ['owner', 'reviewer', 'auditor'] },
  }),
  endpointCase(publishCheckpoint, {
    request: ({ anchorId }) => ({ params: { anchorId } }),
    access: { allows: ['owner'], foreign: 404 },
    writes: ['ledger.anchor_requested'],
  }),
  endpointCase(requestAddressConfirmation, {
    request: ({ anchorId }) => ({
      params: { anchorId },
      body: { address: unconfirmedAddress },
    }),
    access: { allows: ['owner'], foreign: 404 },
    scene: 'unconfirmed-address',
    writes: ['ledger.anchor_address_requested'],
  }),
  endpointCase(updateAnchor, {
    request: ({ anchorId }) => ({ params: { anchorId }, body: { everyHours: 12 } }),
    access: { allows: ['owner'], foreign: 404 },
    recentSignIn: true,
    writes: ['ledger.anchor_changed'],
  }),
];
