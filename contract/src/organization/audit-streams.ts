import { z } from 'zod';
import { csvExportOf } from '../core/csv-export.ts';
import { endpoint } from '../core/endpoint.ts';
import { pagedQuery } from '../core/paging.ts';
import { boundedText, outboundUrl, timestamp } from '../core/text.ts';

/** How a destination receives the audit log. */
export const auditStreamKinds = ['syslog', 's3', 'https'] as const;
export type AuditStreamKind = (typeof auditStreamKinds)[number];

export const auditStreamKindNames: Record<AuditStreamKind, string> = {
  syslog: 'Syslog over TLS',
  s3: 'S3-compatible storage',
  https: 'HTTPS',
};

/** Maximum number of destinations in one organization. */
export const MAX_AUDIT_STREAMS = 10;

/** Undelivered entries of a destination are counted up to this number. */
export const MAX_COUNTED_BACKLOG = 10_000;

/** Seconds to wait after each failed attempt in a row, before jitter; the last one repeats until a delivery succeeds. */
export const AUDIT_STREAM_RETRY_DELAYS_SECONDS = [5, 30, 120, 300, 900] as const;

/** All failure reasons of a delivery, each with a remedy. Responses of destinations are never shown. */
export const auditStreamFailures = {
  address_refused: 'The address is private, reserved or does not exist. Correct the address.',
  unreachable: 'The destination could not be reached. Check that it is running and that its certificate is valid.',
  timed_out: 'The destination did not respond in time. Check its load and the network.',
  certificate_invalid: 'The certificate of the destination is not trusted. Add the certificate of its authority.',
  connection_closed: 'The destination closed the connection before the delivery was complete. Check its log.',
  unauthorized: 'The destination rejected the credentials. Replace the secret or extend its permissions.',
  not_found: 'The address or the bucket does not exist at the destination. Correct the settings.',
  redirected: 'The destination redirects to another address. Enter the final address.',
  rate_limited: 'The destination is rate limiting requests. Delivery continues automatically.',
  rejected: 'The destination rejected the request. Check the settings and its log.',
  server_error: 'The destination reported an internal error. Check its log.',
} as const;
export type AuditStreamFailure = keyof typeof auditStreamFailures;
const failureReason = z.enum(Object.keys(auditStreamFailures) as [AuditStreamFailure, ...AuditStreamFailure[]]);

/** `failing`: the last attempt failed, and it is retried. `paused`: turned off; entries remain pending. */
export const auditStreamStates = ['active', 'failing', 'paused'] as const;

const line = (max: number) =>
  boundedText(max)
    .trim()
    .min(1, { error: 'is needed' })
    .regex(/^[^\p{Cc}]*$/u, { error: 'must be one line' });

/** The settings of each kind, without secrets. */
export const auditStreamSettings = {
  syslog: z.strictObject({
    host: boundedText(253)
      .trim()
      .regex(/^[A-Za-z0-9.:-]+$/, { error: 'must be a host name or an IP address' }),
    port: z.int().min(1).max(65_535).default(6514),
    /** Trusted certificates in PEM; empty for the default roots of browsers. */
    certificates: boundedText(40_000).trim().default(''),
  }),
  s3: z.strictObject({
    /** URL of the service, without the bucket. */
    url: outboundUrl,
    region: boundedText(40)
      .trim()
      .regex(/^[A-Za-z0-9-]+$/, { error: 'must be the name of a region, such as eu-central-1' }),
    bucket: boundedText(63)
      .trim()
      .regex(/^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$/, { error: 'must be the name of a bucket' }),
    /** Prefix of every object key. */
    prefix: boundedText(200)
      .trim()
      .regex(/^([A-Za-z0-9_=-][A-Za-z0-9._=-]*\/)*$/, { error: 'must be folders that each end with a slash' })
      .default(''),
    accessKeyId: boundedText(200)
      .trim()
      .regex(/^[\x21-\x7e]+$/, { error: 'must be an access key ID' }),
  }),
  https: z.strictObject({ url: outboundUrl }),
} as const satisfies Record<AuditStreamKind, z.ZodType>;

export const auditStream = z.object({
  id: z.string(),
  kind: z.enum(auditStreamKinds),
  name: z.string(),
  settings: z.record(z.string(), z.union([z.string(), z.number()])),
  state: z.enum(auditStreamStates),
  lastDeliveredAt: timestamp.nullable(),
  /** Undelivered audit log entries; `MAX_COUNTED_BACKLOG` means this number or more. */
  behind: z.number().int(),
  /** Null once a delivery succeeded. */
  failure: z.object({ reason: failureReason, since: timestamp, at: timestamp }).nullable(),
  /** Time of the next attempt; null unless failing. */
  nextAttemptAt: timestamp.nullable(),
  /** End of the overlap in which the previous signing secret also signs; null: no previous secret. */
  previousSecretUntil: timestamp.nullable(),
  createdBy: z.object({ id: z.string(), name: z.string() }),
  createdAt: timestamp,
});
export type AuditStream = z.infer<typeof auditStream>;

const owner = { scope: 'organization', permission: 'manage:integrations' } as const;
const named = z.strictObject({ streamId: z.uuid() });
const name = line(80);
const secret = boundedText(2000).trim();

const streamInput = <Kind extends AuditStreamKind>(kind: Kind) =>
  z.strictObject({
    kind: z.literal(kind),
    name,
    settings: auditStreamSettings[kind],
    /** The secret access key of S3. The server generates the signing secret of HTTPS; syslog needs none. */
    secret: secret.default(''),
    /** The first entry to deliver. */
    startFrom: z.enum(['now', 'beginning']).default('now'),
  });

export const listAuditStreams = endpoint({
  ...owner,
  method: 'GET',
  path: '/v2/audit-streams',
  summary: 'Lists the audit log destinations with their progress, without secrets.',
  reads: true,
  query: pagedQuery(['name-asc', 'name-desc', 'date-desc', 'date-asc'], {}),
  topics: ['auditStreams'],
  response: z.array(auditStream),
  paged: true,
});
export const exportAuditStreams = csvExportOf(listAuditStreams);

export const createAuditStream = endpoint({
  ...owner,
  method: 'POST',
  path: '/v2/audit-streams',
  summary: 'Adds an audit log destination. The signing secret of an HTTPS destination is returned once.',
  body: z.discriminatedUnion('kind', [streamInput('syslog'), streamInput('s3'), streamInput('https')]),
  status: 201,
  changes: ['auditStreams'],
  response: z.object({ secret: z.string().nullable(), stream: auditStream }),
  errors: ['conflict'],
  stepUp: true,
});

export const getAuditStream = endpoint({
  ...owner,
  method: 'GET',
  path: '/v2/audit-streams/:streamId',
  summary: 'Returns an audit log destination.',
  reads: true,
  params: named,
  topics: ['auditStreams'],
  response: auditStream,
});

export const updateAuditStream = endpoint({
  ...owner,
  method: 'PATCH',
  path: '/v2/audit-streams/:streamId',
  summary: 'Updates, pauses or resumes a destination. Entries recorded while paused are delivered after it resumes.',
  params: named,
  body: z.strictObject({
    name: name.optional(),
    /** All settings of the kind. A new URL requires the secret again. */
    settings: z.record(z.string(), z.unknown()).optional(),
    secret: secret.min(1, { error: 'is needed' }).optional(),
    enabled: z.boolean().optional(),
  }),
  changes: ['auditStreams'],
  response: auditStream,
  errors: ['conflict'],
  stepUp: true,
});

export const deleteAuditStream = endpoint({
  ...owner,
  method: 'DELETE',
  path: '/v2/audit-streams/:streamId',
  summary: 'Deletes a destination. Delivered entries stay at the destination.',
  params: named,
  status: 204,
  changes: ['auditStreams'],
  response: z.null(),
  stepUp: true,
});

export const rotateAuditStreamSecret = endpoint({
  ...owner,
  method: 'POST',
  path: '/v2/audit-streams/:streamId/secret',
  summary:
    'Rotates the signing secret of an HTTPS destination, returned once. The previous secret also signs for 24 hours.',
  params: named,
  changes: ['auditStreams'],
  response: z.object({ secret: z.string(), stream: auditStream }),
  errors: ['conflict'],
  stepUp: true,
});

export const testAuditStream = endpoint({
  ...owner,
  method: 'POST',
  path: '/v2/audit-streams/:streamId/test',
  summary: 'Sends a test event immediately and returns whether the destination accepted it.',
  params: named,
  changes: ['auditStreams'],
  response: z.object({ failure: failureReason.nullable() }),
});
