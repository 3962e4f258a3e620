import {
  createAuditStream,
  deleteAuditStream,
  exportAuditStreams,
  getAuditStream,
  listAuditStreams,
  rotateAuditStreamSecret,
  testAuditStream,
  updateAuditStream,
} from '@sightline/contract/organization/audit-streams.ts';
import { endpointCase, listCases, outsideUrl } from '../../../architecture/endpoint-case.ts';

export const endpointCases = [
  endpointCase(createAuditStream, {
    request: () => ({
      body: { kind: 'https', name: 'Log archive', settings: { url: outsideUrl }, startFrom: 'beginning' },
    }),
    access: { allows: ['owner'] },
    recentSignIn: true,
    writes: ['audit_stream.created'],
  }),
  endpointCase(deleteAuditStream, {
    request: ({ streamId }) => ({ params: { streamId } }),
    access: { allows: ['owner'], foreign: 404 },
    recentSignIn: true,
    writes: ['audit_stream.deleted'],
  }),
  endpointCase(getAuditStream, {
    request: ({ streamId }) => ({ params: { streamId } }),
    access: { allows: ['owner'], foreign: 404 },
  }),
  ...listCases([listAuditStreams, exportAuditStreams], {
    request: () => ({ query: { search: 'seed', sort: 'date-desc' } }),
    access: { allows: ['owner'] },
  }),
  endpointCase(rotateAuditStreamSecret, {
    request: ({ streamId }) => ({ params: { streamId } }),
    access: { allows: ['owner'], foreign: 404 },
    recentSignIn: true,
    writes: ['audit_stream.secret_rotated'],
  }),
  endpointCase(testAuditStream, {
    request: ({ streamId }) => ({ params: { streamId } }),
    access: { allows: ['owner'], foreign: 404 },
    writes: ['audit_stream.tested'],
  }),
  endpointCase(updateAuditStream, {
    request: ({ streamId }) => ({ params: { streamId }, body: { name: 'Another' } }),
    access: { allows: ['owner'], foreign: 404 },
    recentSignIn: true,
    writes: ['audit_stream.updated'],
  }),
];
