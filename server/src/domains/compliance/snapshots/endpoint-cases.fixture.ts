import {
  createDisclosureKey,
  createSnapshot,
  diffSnapshots,
  exportSnapshots,
  getSnapshot,
  getSnapshotBundle,
  listSnapshots,
} from '@sightline/contract/compliance/snapshots.ts';
import { endpointCase, listCases } from '../../../architecture/endpoint-case.ts';

export const endpointCases = [
  endpointCase(createDisclosureKey, {
    request: ({ snapshotId }) => ({ params: { snapshotId } }),
    // The seeded snapshot has no ledger: routes.test.ts downloads the key of one that has.
    access: { allows: ['owner'], foreign: 404, status: 409 },
    recentSignIn: true,
    writesNothing: 'The seeded snapshot has no disclosures.',
  }),
  endpointCase(createSnapshot, {
    request: () => ({ body: { name: 'Quarter', period: '2026-Q1', controls: ['LOG-01'] } }),
    access: { allows: ['owner', 'reviewer'] },
    writes: ['snapshot.requested'],
  }),
  endpointCase(diffSnapshots, {
    request: ({ snapshotId }) => ({ params: { snapshotId }, query: { with: snapshotId } }),
    access: { allows: ['owner', 'reviewer', 'auditor'], foreign: 404 },
  }),
  endpointCase(getSnapshot, {
    request: ({ snapshotId }) => ({ params: { snapshotId } }),
    access: { allows: ['owner', 'reviewer', 'auditor'], foreign: 404 },
  }),
  endpointCase(getSnapshotBundle, {
    request: ({ snapshotId }) => ({ params: { snapshotId } }),
    access: { allows: ['owner', 'reviewer', 'auditor'], foreign: 404 },
  }),
  ...listCases([listSnapshots, exportSnapshots], {
    request: () => ({ query: { perPage: '5' } }),
    access: { allows: ['owner', 'reviewer', 'auditor'] },
  }),
];
