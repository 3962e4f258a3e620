import { z } from 'zod';
import { controlId } from '../core/control-ids.ts';
import { endpoint } from '../core/endpoint.ts';
import { boundedText, timestamp } from '../core/text.ts';
import { ofPortal, portalScope } from './auditor-portals.ts';
import { attachment } from './portal-attachments.ts';

/** `open`: waits for the organization. `answered`: waits for the auditor, who closes it or asks again. */
export const evidenceRequestStates = ['open', 'answered', 'closed'] as const;
const evidenceRequestState = z.enum(evidenceRequestStates);
export type EvidenceRequestState = z.infer<typeof evidenceRequestState>;

/** An evidence request of an auditor with all messages about it. */
export const evidenceRequest = z.object({
  id: z.string(),
  /** The control that the request is about; null: none. */
  control: controlId.nullable(),
  text: z.string(),
  requestedAt: timestamp,
  /** Whether it was open in the portal of an earlier period and is continued here. */
  isCarriedForward: z.boolean(),
  /** The last day for the answer (UTC); null: none. */
  dueOn: z.iso.date().nullable(),
  state: evidenceRequestState,
  /** Whether it is open after its due date. */
  isOverdue: z.boolean(),
  /** Oldest first. */
  messages: z.array(
    z.object({ id: z.string(), side: z.enum(['auditor', 'organization']), text: z.string(), sentAt: timestamp }),
  ),
  attachments: z.array(attachment),
});
export type EvidenceRequest = z.infer<typeof evidenceRequest>;

const ofRequest = ofPortal.extend({ requestId: z.uuid() });
const message = z.strictObject({ text: boundedText(4000).trim().min(1) });

export const listEvidenceRequests = endpoint({
  method: 'GET',
  path: '/v2/auditor-portals/:portalId/requests',
  summary: 'Lists the evidence requests of a portal with their messages, newest first.',
  scope: 'organization',
  permission: 'read:evidence',
  params: ofPortal,
  topics: ['orgEvidence'],
  response: z.array(evidenceRequest),
});

export const answerEvidenceRequest = endpoint({
  method: 'POST',
  path: '/v2/auditor-portals/:portalId/requests/:requestId/messages',
  summary:
    'Answers an evidence request. An answer cannot be changed, but others can follow until the auditor closes it.',
  scope: 'organization',
  permission: 'create:evidence',
  params: ofRequest,
  body: message,
  changes: ['orgEvidence'],
  response: evidenceRequest,
  status: 201,
  errors: ['conflict'],
});

export const listOwnEvidenceRequests = endpoint({
  method: 'GET',
  path: '/v2/portal/:portalId/requests',
  summary: 'Lists the evidence requests of a portal with their messages, newest first.',
  ...portalScope,
  params: ofPortal,
  topics: ['portalRequests'],
  response: z.array(evidenceRequest),
});

export const requestEvidence = endpoint({
  method: 'POST',
  path: '/v2/portal/:portalId/requests',
  summary: 'Requests evidence.',
  ...portalScope,
  params: ofPortal,
  body: z.strictObject({
    control: controlId.nullable().default(null),
    text: boundedText(2000).trim().min(1),
    /** Today or later (UTC). */
    dueOn: z.iso.date().nullable().default(null),
  }),
  changes: ['portalRequests'],
  response: evidenceRequest,
  status: 201,
  errors: ['conflict'],
});

export const replyToAnswer = endpoint({
  method: 'POST',
  path: '/v2/portal/:portalId/requests/:requestId/messages',
  summary: 'Adds a message of the auditor to an evidence request, which waits for an answer again.',
  ...portalScope,
  params: ofRequest,
  body: message,
  changes: ['portalRequests'],
  response: evidenceRequest,
  status: 201,
  errors: ['conflict'],
});

export const closeEvidenceRequest = endpoint({
  method: 'POST',
  path: '/v2/portal/:portalId/requests/:requestId/close',
  summary: 'Closes an evidence request. The auditor needs nothing more.',
  ...portalScope,
  params: ofRequest,
  changes: ['portalRequests'],
  response: evidenceRequest,
  errors: ['conflict'],
});
