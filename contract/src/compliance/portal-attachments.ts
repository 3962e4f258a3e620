import { z } from 'zod';
import { endpoint } from '../core/endpoint.ts';
import { boundedText, timestamp } from '../core/text.ts';
import { ofPortal, portalScope } from './auditor-portals.ts';

/** Maximum size of one file, and of all files of a portal, in bytes. */
export const MAX_ATTACHMENT_BYTES = 10 * 1024 * 1024;
export const MAX_PORTAL_ATTACHMENT_BYTES = 200 * 1024 * 1024;

/** The endings of accepted file names, by which browsers and systems decide how to open a file. */
export const attachmentTypes = [
  ...['pdf', 'txt', 'md', 'csv', 'tsv', 'json', 'jsonl', 'xml', 'yaml', 'yml', 'log', 'eml', 'zip', 'sig', 'pem'],
  ...['png', 'jpg', 'jpeg', 'gif', 'webp', 'docx', 'xlsx', 'pptx', 'odt', 'ods', 'odp'],
] as const;

/** Whether a file name has an accepted ending. */
export const isAttachmentName = (name: string): boolean =>
  attachmentTypes.some((type) => name.toLowerCase().endsWith(`.${type}`) && name.length > type.length + 1);

/** A position in the evidence file of a control, from 0; -1: the sample as a whole. */
export const workpaperPosition = z.coerce.number().int().min(-1).max(10_000_000);

export const attachment = z.object({
  id: z.string(),
  name: z.string(),
  /** Bytes. */
  size: z.number().int(),
  sha256: z.string(),
  /** Who attached it. */
  side: z.enum(['auditor', 'organization']),
  attachedAt: timestamp,
});
export type Attachment = z.infer<typeof attachment>;

const place = z.strictObject({
  name: boundedText(200)
    .trim()
    // biome-ignore lint/suspicious/noControlCharactersInRegex: names must not contain them
    .regex(/^[^/\\\u0000-\u001f\u007f]+$/, { error: 'must be a file name' })
    .refine(isAttachmentName, { error: `must end with one of ${attachmentTypes.join(', ')}` }),
  /** A request, or a sample and one of its rows. */
  request: z.uuid().optional(),
  sample: z.uuid().optional(),
  position: workpaperPosition.optional(),
});
export type AttachmentPlace = z.infer<typeof place>;

const upload = { types: ['application/octet-stream'], maxBytes: MAX_ATTACHMENT_BYTES } as const;
const ofAttachment = ofPortal.extend({ attachmentId: z.uuid() });

export const attachToPortal = endpoint({
  method: 'POST',
  path: '/v2/auditor-portals/:portalId/attachments',
  summary: 'Attaches a file to a request of the auditor, or to a row of a sample.',
  scope: 'organization',
  permission: 'create:evidence',
  cost: 'upload',
  params: ofPortal,
  query: place,
  upload,
  changes: ['orgEvidence'],
  response: attachment,
  status: 201,
  errors: ['conflict', 'too_large'],
});

export const downloadPortalAttachment = endpoint({
  method: 'GET',
  path: '/v2/auditor-portals/:portalId/attachments/:attachmentId',
  summary: 'Returns a file of a request or sample. Files that the auditor attached to samples are not available.',
  scope: 'organization',
  permission: 'read:evidence',
  params: ofAttachment,
  response: z.string(),
  file: ['application/octet-stream'],
});

export const attachAsAuditor = endpoint({
  method: 'POST',
  path: '/v2/portal/:portalId/attachments',
  summary: 'Attaches a file of the auditor to a request, or to a row of a sample.',
  ...portalScope,
  cost: 'upload',
  params: ofPortal,
  query: place,
  upload,
  changes: ['portalRequests', 'portalSamples'],
  response: attachment,
  status: 201,
  errors: ['conflict', 'too_large'],
});

export const downloadAsAuditor = endpoint({
  method: 'GET',
  path: '/v2/portal/:portalId/attachments/:attachmentId',
  summary: 'Returns a file of a request or sample. Recorded as a download.',
  ...portalScope,
  params: ofAttachment,
  response: z.string(),
  file: ['application/octet-stream'],
});
