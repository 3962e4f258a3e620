import { z } from 'zod';
import { endpoint } from '../core/endpoint.ts';
import { boundedText, timestamp } from '../core/text.ts';
import { ofPortal, portalScope } from './auditor-portals.ts';

/** What the management of the organization states to the auditor, with the owner who signed it off. */
export const portalAssertion = z.object({
  id: z.string(),
  text: z.string(),
  /** The current name of the owner. */
  by: z.string(),
  assertedAt: timestamp,
});
export type PortalAssertion = z.infer<typeof portalAssertion>;

export const listPortalAssertions = endpoint({
  method: 'GET',
  path: '/v2/auditor-portals/:portalId/assertions',
  summary: 'Lists the management assertions of an auditor portal, newest first.',
  scope: 'organization',
  permission: 'read:evidence',
  params: ofPortal,
  topics: ['orgEvidence'],
  response: z.array(portalAssertion),
});

export const assertToAuditor = endpoint({
  method: 'POST',
  path: '/v2/auditor-portals/:portalId/assertions',
  summary: 'Signs off a management assertion for the auditor. It cannot be changed; a later one supplements it.',
  scope: 'organization',
  permission: 'update:org',
  stepUp: true,
  params: ofPortal,
  body: z.strictObject({ text: boundedText(8000).trim().min(1) }),
  changes: ['orgEvidence'],
  response: portalAssertion,
  status: 201,
  errors: ['conflict'],
});

export const listOwnAssertions = endpoint({
  method: 'GET',
  path: '/v2/portal/:portalId/assertions',
  summary: 'Lists the management assertions of a portal, newest first.',
  ...portalScope,
  params: ofPortal,
  response: z.array(portalAssertion),
});
