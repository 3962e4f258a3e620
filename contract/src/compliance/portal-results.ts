import { z } from 'zod';
import { endpoint } from '../core/endpoint.ts';
import { timestamp } from '../core/text.ts';
import { ofPortal, portalScope } from './auditor-portals.ts';

/** Maximum size of a signed result in bytes, and number of results in a portal. */
export const MAX_RESULT_BYTES = 10 * 1024 * 1024;
export const MAX_PORTAL_RESULTS = 20;

/** A result that the auditor signed with an own key. */
export const auditorResult = z.object({
  id: z.string(),
  title: z.string(),
  /** Hex SHA-256 of the signed envelope. */
  sha256: z.string(),
  /** Hex SHA-256 of the public key in DER form. Compare it with the auditor through another channel. */
  keyId: z.string(),
  findings: z.array(
    z.object({ title: z.string(), control: z.string(), conclusion: z.string(), isSatisfied: z.boolean() }),
  ),
  receivedAt: timestamp,
});
export type AuditorResultItem = z.infer<typeof auditorResult>;

export const listPortalResults = endpoint({
  method: 'GET',
  path: '/v2/auditor-portals/:portalId/results',
  summary: 'Lists the signed results of the auditor of a portal, newest first.',
  scope: 'organization',
  permission: 'read:evidence',
  params: ofPortal,
  topics: ['orgEvidence'],
  response: z.array(auditorResult),
});

export const downloadPortalResult = endpoint({
  method: 'GET',
  path: '/v2/auditor-portals/:portalId/results/:resultId',
  summary: 'Returns a signed result: OSCAL assessment results in a DSSE envelope with the public key of the auditor.',
  scope: 'organization',
  permission: 'read:evidence',
  params: ofPortal.extend({ resultId: z.uuid() }),
  response: z.string(),
  file: ['application/json'],
});

export const listOwnResults = endpoint({
  method: 'GET',
  path: '/v2/portal/:portalId/results',
  summary: 'Lists the signed results of a portal, newest first.',
  ...portalScope,
  params: ofPortal,
  topics: ['portalResults'],
  response: z.array(auditorResult),
});

export const returnResult = endpoint({
  method: 'POST',
  path: '/v2/portal/:portalId/results',
  summary:
    'Returns the result of the auditor: OSCAL assessment results about the bundles of the portal, in a DSSE envelope signed with an Ed25519 key.',
  ...portalScope,
  cost: 'upload',
  params: ofPortal,
  upload: { types: ['application/octet-stream', 'application/json'], maxBytes: MAX_RESULT_BYTES },
  changes: ['portalResults'],
  response: auditorResult,
  status: 201,
  errors: ['conflict', 'too_large'],
});
