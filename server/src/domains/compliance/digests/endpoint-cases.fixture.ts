import {
  createWeekDigests,
  exportDigests,
  getDigest,
  listDigests,
  reviewDigest,
} from '@sightline/contract/compliance/digests.ts';
import { digestBodySha256 } from '../../../architecture/digest.ts';
import { endpointCase, listCases } from '../../../architecture/endpoint-case.ts';

// The organization and its repository were created in the past then.
const pastWeek = '2026-01-12';

export const endpointCases = [
  endpointCase(createWeekDigests, {
    request: () => ({ body: { week: pastWeek } }),
    access: { allows: ['owner', 'reviewer'] },
    writes: ['digest.requested'],
  }),
  endpointCase(getDigest, {
    request: ({ digestId }) => ({ params: { digestId } }),
    access: { allows: ['owner', 'reviewer', 'auditor'], foreign: 404, except: { contributor: 404 } },
  }),
  ...listCases([listDigests, exportDigests], {
    request: () => ({ query: { state: 'open,partly', sort: 'due-asc' } }),
    access: { allows: 'members' },
  }),
  endpointCase(reviewDigest, {
    request: ({ digestId }) => ({
      params: { digestId },
      body: { bodySha256: digestBodySha256, decision: 'reviewed', note: 'Seen', items: [] },
    }),
    access: { allows: ['owner', 'reviewer'], foreign: 404 },
    writes: ['digest.reviewed'],
  }),
];
