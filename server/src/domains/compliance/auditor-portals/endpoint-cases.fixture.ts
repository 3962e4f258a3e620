import {
  createPortal,
  enterPortal,
  exportPortals,
  getPortal,
  getPortalBundle,
  getPortalControl,
  getPortalSample,
  getPortalSnapshot,
  getPortalStatus,
  getPortalVisit,
  listPortalRows,
  listPortals,
  reperformControl,
  revokePortal,
} from '@sightline/contract/compliance/auditor-portals.ts';
import { downloadOwnArchive, downloadPortalArchive } from '@sightline/contract/compliance/portal-archives.ts';
import {
  assertToAuditor,
  listOwnAssertions,
  listPortalAssertions,
} from '@sightline/contract/compliance/portal-assertions.ts';
import {
  attachAsAuditor,
  attachToPortal,
  downloadAsAuditor,
  downloadPortalAttachment,
} from '@sightline/contract/compliance/portal-attachments.ts';
import { exportPortalPeople, getPortalChange } from '@sightline/contract/compliance/portal-changes.ts';
import { listPortalRecords } from '@sightline/contract/compliance/portal-records.ts';
import {
  answerEvidenceRequest,
  closeEvidenceRequest,
  listEvidenceRequests,
  listOwnEvidenceRequests,
  replyToAnswer,
  requestEvidence,
} from '@sightline/contract/compliance/portal-requests.ts';
import {
  downloadPortalResult,
  listOwnResults,
  listPortalResults,
  returnResult,
} from '@sightline/contract/compliance/portal-results.ts';
import {
  createAuditSample,
  getAuditSample,
  getEarlierPortal,
  getPortalSampleRows,
  listAuditSamples,
  listPortalSamples,
  writeWorkpaper,
} from '@sightline/contract/compliance/portal-samples.ts';
import { endpointCase, listCases } from '../../../architecture/endpoint-case.ts';

const auditorsOnly =
  'Returns 404, since a member has no portal session. Changes by auditors are audited: see auditor-portals.test.ts.';

export const endpointCases = [
  endpointCase(assertToAuditor, {
    request: ({ portalId }) => ({ params: { portalId }, body: { text: 'The controls were effective.' } }),
    access: { allows: ['owner'], foreign: 404 },
    recentSignIn: true,
    writes: ['portal.asserted'],
  }),
  endpointCase(listOwnAssertions, {
    request: ({ portalId }) => ({ params: { portalId } }),
    access: { allows: 'portals' },
  }),
  endpointCase(listPortalAssertions, {
    request: ({ portalId }) => ({ params: { portalId } }),
    access: { allows: ['owner', 'reviewer', 'auditor'], foreign: 404 },
  }),
  endpointCase(attachAsAuditor, {
    request: ({ portalId, sampleId }) => ({
      params: { portalId },
      query: { name: 'a.txt', sample: sampleId, position: '0' },
      file: 'evidence',
    }),
    access: { allows: 'portals' },
    writesNothing: auditorsOnly,
  }),
  endpointCase(attachToPortal, {
    request: ({ portalId, requestId }) => ({
      params: { portalId },
      query: { name: 'a.txt', request: requestId },
      file: 'evidence',
    }),
    access: { allows: ['owner', 'reviewer'], foreign: 404 },
    writes: ['portal.file_attached'],
  }),
  endpointCase(closeEvidenceRequest, {
    request: ({ portalId, requestId }) => ({ params: { portalId, requestId } }),
    access: { allows: 'portals' },
    writesNothing: auditorsOnly,
  }),
  endpointCase(createAuditSample, {
    request: ({ portalId, snapshotId }) => ({
      params: { portalId },
      body: { name: 'Days', snapshot: snapshotId, control: 'LOG-01', method: 'random', size: 5 },
    }),
    access: { allows: 'portals' },
    writesNothing: auditorsOnly,
  }),
  endpointCase(downloadAsAuditor, {
    request: ({ portalId, attachmentId }) => ({ params: { portalId, attachmentId } }),
    access: { allows: 'portals' },
  }),
  endpointCase(downloadOwnArchive, {
    request: ({ portalId }) => ({ params: { portalId } }),
    access: { allows: 'portals' },
  }),
  endpointCase(downloadPortalArchive, {
    request: ({ portalId }) => ({ params: { portalId } }),
    access: { allows: ['owner', 'reviewer', 'auditor'], foreign: 404 },
    writes: ['portal.archived'],
  }),
  endpointCase(downloadPortalAttachment, {
    request: ({ portalId, attachmentId }) => ({ params: { portalId, attachmentId } }),
    access: { allows: ['owner', 'reviewer', 'auditor'], foreign: 404 },
  }),
  endpointCase(getAuditSample, {
    request: ({ portalId, sampleId }) => ({ params: { portalId, sampleId } }),
    access: { allows: 'portals' },
  }),
  endpointCase(getPortalSampleRows, {
    request: ({ portalId, sampleId }) => ({ params: { portalId, sampleId } }),
    access: { allows: ['owner', 'reviewer', 'auditor'], foreign: 404 },
  }),
  endpointCase(getEarlierPortal, {
    request: ({ portalId }) => ({ params: { portalId } }),
    access: { allows: 'portals' },
  }),
  endpointCase(reperformControl, {
    request: ({ portalId, snapshotId }) => ({ params: { portalId, snapshotId, controlId: 'LOG-01' } }),
    // The seeded snapshot has no ledger: auditor-work.test.ts re-performs one that has.
    access: { allows: 'portals', status: 409 },
    writesNothing: auditorsOnly,
  }),
  endpointCase(listAuditSamples, {
    request: ({ portalId }) => ({ params: { portalId } }),
    access: { allows: 'portals' },
  }),
  endpointCase(listEvidenceRequests, {
    request: ({ portalId }) => ({ params: { portalId } }),
    access: { allows: ['owner', 'reviewer', 'auditor'], foreign: 404 },
  }),
  endpointCase(downloadPortalResult, {
    request: ({ portalId, resultId }) => ({ params: { portalId, resultId } }),
    access: { allows: ['owner', 'reviewer', 'auditor'], foreign: 404 },
  }),
  endpointCase(listOwnResults, {
    request: ({ portalId }) => ({ params: { portalId } }),
    access: { allows: 'portals' },
  }),
  endpointCase(listPortalResults, {
    request: ({ portalId }) => ({ params: { portalId } }),
    access: { allows: ['owner', 'reviewer', 'auditor'], foreign: 404 },
  }),
  endpointCase(returnResult, {
    request: ({ portalId }) => ({ params: { portalId }, file: { payloadType: 'unsigned' } }),
    // auditor-work.test.ts returns signed results.
    access: { allows: 'portals', status: 400 },
    writesNothing: auditorsOnly,
  }),
  endpointCase(listPortalRecords, {
    request: ({ portalId, snapshotId }) => ({ params: { portalId, snapshotId, kind: 'policies' } }),
    access: { allows: 'portals' },
  }),
  endpointCase(listPortalSamples, {
    request: ({ portalId }) => ({ params: { portalId } }),
    access: { allows: ['owner', 'reviewer', 'auditor'], foreign: 404 },
  }),
  endpointCase(replyToAnswer, {
    request: ({ portalId, requestId }) => ({ params: { portalId, requestId }, body: { text: 'And then?' } }),
    access: { allows: 'portals' },
    writesNothing: auditorsOnly,
  }),
  endpointCase(writeWorkpaper, {
    request: ({ portalId, sampleId }) => ({
      params: { portalId, sampleId },
      body: { position: 0, conclusion: 'effective', note: 'Seen.' },
    }),
    access: { allows: 'portals' },
    writesNothing: auditorsOnly,
  }),
  endpointCase(answerEvidenceRequest, {
    request: ({ portalId, requestId }) => ({
      params: { portalId, requestId },
      body: { text: 'Here.' },
    }),
    access: { allows: ['owner', 'reviewer'], foreign: 404 },
    writes: ['portal.answered'],
  }),
  endpointCase(createPortal, {
    request: ({ snapshotId }) => ({
      body: {
        name: 'Audit',
        auditor: { name: 'Petra', email: 'petra@audit.example' },
        snapshots: [snapshotId],
        redaction: 'people',
        expiresAt: new Date(Date.now() + 86_400_000).toISOString(),
      },
    }),
    access: { allows: ['owner', 'reviewer'], foreign: 404 },
    writes: ['portal.opened'],
  }),
  endpointCase(enterPortal, {
    request: () => ({ body: { token: 'slportal_unknown' } }),
    // A portal opens with a link and never with a token, not even of its owner: see domains/compliance/auditor-portals.
    access: { allows: 'everyone', status: 404 },
    writesNothing: 'Rejects an unknown link. Entering and every view are audited: see auditor-portals.test.ts.',
  }),
  endpointCase(exportPortalPeople, {
    request: ({ portalId }) => ({ params: { portalId } }),
    access: { allows: ['owner', 'reviewer', 'auditor'], foreign: 404 },
    writes: ['portal.people_exported'],
  }),
  endpointCase(getPortal, {
    request: ({ portalId }) => ({ params: { portalId } }),
    access: { allows: ['owner', 'reviewer', 'auditor'], foreign: 404 },
  }),
  endpointCase(getPortalBundle, {
    request: ({ portalId, snapshotId }) => ({
      params: { portalId, snapshotId },
    }),
    access: { allows: 'portals' },
  }),
  endpointCase(getPortalChange, {
    request: ({ portalId, snapshotId }) => ({
      params: { portalId, snapshotId, entry: '1' },
    }),
    access: { allows: 'portals' },
  }),
  endpointCase(getPortalControl, {
    request: ({ portalId, snapshotId }) => ({
      params: { portalId, snapshotId, controlId: 'LOG-01' },
    }),
    access: { allows: 'portals' },
  }),
  endpointCase(getPortalSample, {
    request: ({ portalId, snapshotId }) => ({
      params: { portalId, snapshotId, controlId: 'LOG-01' },
      query: { seed: 'dice', size: '5' },
    }),
    access: { allows: 'portals' },
  }),
  endpointCase(getPortalSnapshot, {
    request: ({ portalId, snapshotId }) => ({
      params: { portalId, snapshotId },
    }),
    access: { allows: 'portals' },
  }),
  endpointCase(getPortalStatus, {
    request: ({ portalId }) => ({ params: { portalId } }),
    access: { allows: 'portals' },
  }),
  endpointCase(getPortalVisit, {
    request: ({ portalId }) => ({ params: { portalId } }),
    access: { allows: 'portals' },
  }),
  endpointCase(listOwnEvidenceRequests, {
    request: ({ portalId }) => ({ params: { portalId } }),
    access: { allows: 'portals' },
  }),
  endpointCase(listPortalRows, {
    request: ({ portalId, snapshotId }) => ({
      params: { portalId, snapshotId, controlId: 'LOG-01' },
      query: { verdict: 'missing_evidence' },
    }),
    access: { allows: 'portals' },
  }),
  ...listCases([listPortals, exportPortals], {
    request: () => ({ query: { state: 'open', sort: 'date-asc' } }),
    access: { allows: ['owner', 'reviewer', 'auditor'] },
  }),
  endpointCase(requestEvidence, {
    request: ({ portalId }) => ({ params: { portalId }, body: { text: 'Where?' } }),
    access: { allows: 'portals' },
    writesNothing: auditorsOnly,
  }),
  endpointCase(revokePortal, {
    request: ({ portalId }) => ({ params: { portalId } }),
    access: { allows: ['owner', 'reviewer'], foreign: 404 },
    writes: ['portal.revoked'],
  }),
];
