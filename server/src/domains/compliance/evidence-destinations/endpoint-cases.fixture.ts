import {
  createEvidenceDestination,
  deleteEvidenceDestination,
  deliverEvidence,
  exportEvidenceDestinations,
  getEvidenceDelivery,
  getEvidenceDestination,
  listEvidenceDeliveries,
  listEvidenceDestinations,
  redeliverEvidence,
  testEvidenceDestination,
  updateEvidenceDestination,
} from '@sightline/contract/compliance/evidence-destinations.ts';
import { endpointCase, listCases, outsideUrl } from '../../../architecture/endpoint-case.ts';

export const endpointCases = [
  endpointCase(createEvidenceDestination, {
    request: () => ({
      body: { kind: 'drata', name: 'Auditors', settings: { url: outsideUrl, workspaceId: 1 }, secret: 'a key' },
    }),
    access: { allows: ['owner', 'reviewer'] },
    recentSignIn: true,
    writes: ['evidence_destination.added'],
  }),
  endpointCase(deleteEvidenceDestination, {
    request: ({ destinationId }) => ({ params: { destinationId } }),
    access: { allows: ['owner', 'reviewer'], foreign: 404 },
    recentSignIn: true,
    writes: ['evidence_destination.removed'],
  }),
  endpointCase(deliverEvidence, {
    request: ({ destinationId, unsentId }) => ({
      params: { destinationId },
      body: { snapshotId: unsentId },
    }),
    access: { allows: ['owner', 'reviewer'], foreign: 404 },
    writes: ['evidence_destination.snapshot_requested'],
  }),
  endpointCase(getEvidenceDelivery, {
    request: ({ destinationId, evidenceDeliveryId: deliveryId }) => ({
      params: { destinationId, deliveryId },
    }),
    access: { allows: ['owner', 'reviewer', 'auditor'], foreign: 404 },
  }),
  endpointCase(getEvidenceDestination, {
    request: ({ destinationId }) => ({ params: { destinationId } }),
    access: { allows: ['owner', 'reviewer', 'auditor'], foreign: 404 },
  }),
  endpointCase(listEvidenceDeliveries, {
    request: ({ destinationId }) => ({
      params: { destinationId },
      query: { perPage: '5' },
    }),
    access: { allows: ['owner', 'reviewer', 'auditor'], foreign: 404 },
  }),
  ...listCases([listEvidenceDestinations, exportEvidenceDestinations], {
    request: () => ({ query: { search: 'seed', sort: 'date-desc' } }),
    access: { allows: ['owner', 'reviewer', 'auditor'] },
  }),
  endpointCase(redeliverEvidence, {
    request: ({ destinationId, evidenceDeliveryId: deliveryId }) => ({
      params: { destinationId, deliveryId },
    }),
    access: { allows: ['owner', 'reviewer'], foreign: 404 },
    writes: ['evidence_destination.snapshot_requested'],
  }),
  endpointCase(testEvidenceDestination, {
    request: ({ destinationId }) => ({ params: { destinationId } }),
    access: { allows: ['owner', 'reviewer'], foreign: 404 },
    writes: ['evidence_destination.tested'],
  }),
  endpointCase(updateEvidenceDestination, {
    request: ({ destinationId }) => ({
      params: { destinationId },
      body: { name: 'Another' },
    }),
    access: { allows: ['owner', 'reviewer'], foreign: 404 },
    recentSignIn: true,
    writes: ['evidence_destination.changed'],
  }),
];
