import { z } from 'zod';
import { controlId } from '../core/control-ids.ts';
import { csvExportOf } from '../core/csv-export.ts';
import { endpoint } from '../core/endpoint.ts';
import { pagedQuery } from '../core/paging.ts';
import { boundedText, outboundUrl, timestamp } from '../core/text.ts';

/** The systems that can receive snapshots. */
export const evidenceDestinationKinds = ['vanta', 'drata', 'defectdojo', 'gitlab', 'webhook'] as const;
export type EvidenceDestinationKind = (typeof evidenceDestinationKinds)[number];

export const evidenceDestinationKindNames: Record<EvidenceDestinationKind, string> = {
  vanta: 'Vanta',
  drata: 'Drata',
  defectdojo: 'DefectDojo',
  gitlab: 'GitLab external control',
  webhook: 'Webhook',
};

/** Maximum number of destinations in one organization. */
export const MAX_EVIDENCE_DESTINATIONS = 20;

/** Days for which requests and responses are stored. The record that a snapshot was sent is permanent. */
export const EXCHANGE_RETENTION_DAYS = 90;

/**
 * Seconds to wait after each failed attempt, unless the destination requests more. The delivery fails after the last
 * one.
 */
export const EVIDENCE_RETRY_DELAYS_SECONDS = [60, 300, 1_800, 7_200] as const;

const line = (max: number) =>
  boundedText(max)
    .trim()
    .min(1, { error: 'is needed' })
    .regex(/^[^\p{Cc}]*$/u, { error: 'must be one line' });
/** A numeric ID of the destination. */
const number = z.int().min(1).max(Number.MAX_SAFE_INTEGER);

/** The settings of each kind, without secrets. URLs can name another region or a self-managed instance. */
export const evidenceDestinationSettings = {
  vanta: z.strictObject({
    url: outboundUrl.default('https://api.vanta.com'),
    clientId: line(200),
    /** The ID in the URL of the document: `/documents/<id>`. */
    documentId: boundedText(100)
      .trim()
      .regex(/^[A-Za-z0-9_-]+$/, { error: 'must be the ID of a document' }),
    /** Whether to submit the document if every control passes. Otherwise a user submits it at Vanta. */
    submit: z.boolean().default(false),
  }),
  drata: z.strictObject({
    url: outboundUrl.default('https://public-api.drata.com'),
    workspaceId: number,
    /** The owner of the evidence at Drata; null: the owner of the API key. */
    ownerId: number.nullable().default(null),
    controlIds: z.array(number).max(100).default([]),
  }),
  defectdojo: z.strictObject({ url: outboundUrl, productType: line(200), product: line(200), engagement: line(200) }),
  gitlab: z.strictObject({
    url: outboundUrl.default('https://gitlab.com'),
    /** The ID of the external control at GitLab. */
    externalControl: number,
    /** The controls that it represents. It passes if all of them pass. */
    controls: z.array(controlId).min(1).max(50),
  }),
  /** Sent as Standard Webhooks. */
  webhook: z.strictObject({ url: outboundUrl }),
} as const satisfies Record<EvidenceDestinationKind, z.ZodType>;

export const evidenceDeliveryStates = ['pending', 'sent', 'failed'] as const;
export const evidenceItemStates = ['pending', 'sent', 'skipped', 'failed'] as const;

/** The delivery of a snapshot to a destination. There is one for each pair, regardless of retries. */
export const evidenceDelivery = z.object({
  id: z.string(),
  snapshot: z.object({ id: z.string(), name: z.string() }),
  state: z.enum(evidenceDeliveryStates),
  /** Number of finished items; `total` is null until they are counted. */
  done: z.number().int(),
  total: z.number().int().nullable(),
  /** Why it failed or was not delivered yet, and how to fix it. */
  problem: z.string().nullable(),
  requestedBy: z.object({ id: z.string(), name: z.string() }),
  requestedAt: timestamp,
  /** Time of the next attempt; null unless pending. */
  nextAt: timestamp.nullable(),
  endedAt: timestamp.nullable(),
});
export type EvidenceDelivery = z.infer<typeof evidenceDelivery>;

const evidenceItem = z.object({
  key: z.string(),
  label: z.string(),
  state: z.enum(evidenceItemStates),
  /** The result in words. */
  message: z.string(),
  at: timestamp.nullable(),
});
export type EvidenceItem = z.infer<typeof evidenceItem>;

const evidenceExchange = z.object({
  id: z.string(),
  at: timestamp,
  /** Method and path, without the query string. */
  request: z.string(),
  /** Null without a response; `failure` then contains the reason. */
  responseStatus: z.number().nullable(),
  /** The beginning of the response, without secrets. */
  response: z.string().nullable(),
  failure: z.string().nullable(),
  ms: z.number(),
});
export type EvidenceExchange = z.infer<typeof evidenceExchange>;

export const evidenceDeliveryDetails = evidenceDelivery.extend({
  items: z.array(evidenceItem),
  /** The last 100 exchanges, newest first. */
  log: z.array(evidenceExchange),
});
export type EvidenceDeliveryDetails = z.infer<typeof evidenceDeliveryDetails>;

export const evidenceDestination = z.object({
  id: z.string(),
  kind: z.enum(evidenceDestinationKinds),
  name: z.string(),
  settings: z.record(
    z.string(),
    z.union([z.string(), z.number(), z.boolean(), z.null(), z.array(z.union([z.string(), z.number()]))]),
  ),
  /** `failing`: the last delivery failed. */
  state: z.enum(['active', 'failing', 'off']),
  last: evidenceDelivery.nullable(),
  createdBy: z.object({ id: z.string(), name: z.string() }),
  createdAt: timestamp,
});
export type EvidenceDestination = z.infer<typeof evidenceDestination>;

const reading = { scope: 'organization', permission: 'read:evidence' } as const;
const writing = { scope: 'organization', permission: 'create:evidence' } as const;
const named = z.strictObject({ destinationId: z.uuid() });
const delivery = z.strictObject({ destinationId: z.uuid(), deliveryId: z.uuid() });
const name = line(80);
const secret = boundedText(2000).trim();

const createBodyOf = <Kind extends EvidenceDestinationKind>(kind: Kind) =>
  z.strictObject({
    kind: z.literal(kind),
    name,
    settings: evidenceDestinationSettings[kind],
    /** The credential for the destination. The server generates the one of a webhook. */
    secret: secret.default(''),
  });

export const listEvidenceDestinations = endpoint({
  ...reading,
  method: 'GET',
  path: '/v2/evidence-destinations',
  summary: 'Lists the evidence destinations with the state of their last delivery, without secrets.',
  query: pagedQuery(['name-asc', 'name-desc', 'date-desc', 'date-asc'], {}),
  topics: ['orgEvidence'],
  response: z.array(evidenceDestination),
  paged: true,
});
export const exportEvidenceDestinations = csvExportOf(listEvidenceDestinations);

export const createEvidenceDestination = endpoint({
  ...writing,
  method: 'POST',
  path: '/v2/evidence-destinations',
  summary: 'Adds an evidence destination. The signing secret of a webhook is returned once.',
  body: z.discriminatedUnion('kind', [
    createBodyOf('vanta'),
    createBodyOf('drata'),
    createBodyOf('defectdojo'),
    createBodyOf('gitlab'),
    createBodyOf('webhook'),
  ]),
  status: 201,
  changes: ['orgEvidence'],
  response: z.object({ secret: z.string().nullable(), destination: evidenceDestination }),
  errors: ['conflict'],
  stepUp: true,
});

export const getEvidenceDestination = endpoint({
  ...reading,
  method: 'GET',
  path: '/v2/evidence-destinations/:destinationId',
  summary: 'Returns an evidence destination without its secret.',
  params: named,
  topics: ['orgEvidence'],
  response: evidenceDestination,
});

export const updateEvidenceDestination = endpoint({
  ...writing,
  method: 'PATCH',
  path: '/v2/evidence-destinations/:destinationId',
  summary: 'Updates, enables or disables an evidence destination. A different URL requires the secret again.',
  params: named,
  body: z.strictObject({
    name: name.optional(),
    /** All settings of the kind. */
    settings: z.record(z.string(), z.unknown()).optional(),
    secret: secret.min(1, { error: 'is needed' }).optional(),
    enabled: z.boolean().optional(),
  }),
  changes: ['orgEvidence'],
  response: evidenceDestination,
  errors: ['conflict'],
  stepUp: true,
});

export const deleteEvidenceDestination = endpoint({
  ...writing,
  method: 'DELETE',
  path: '/v2/evidence-destinations/:destinationId',
  summary:
    'Removes an evidence destination with its deliveries. Sent items stay at the destination and in the audit log.',
  params: named,
  status: 204,
  changes: ['orgEvidence'],
  response: z.null(),
  stepUp: true,
});

export const testEvidenceDestination = endpoint({
  ...writing,
  method: 'POST',
  path: '/v2/evidence-destinations/:destinationId/test',
  summary: 'Tests access to the evidence destination without sending a snapshot.',
  params: named,
  changes: ['orgEvidence'],
  response: z.object({
    /** `unknown`: the destination offers no way to test the connection. */
    result: z.enum(['works', 'refused', 'unknown']),
    message: z.string(),
  }),
  errors: ['conflict'],
});

export const listEvidenceDeliveries = endpoint({
  ...reading,
  method: 'GET',
  path: '/v2/evidence-destinations/:destinationId/deliveries',
  summary: 'Lists the deliveries to the evidence destination, newest first.',
  params: named,
  query: pagedQuery(['date-desc', 'date-asc'], {}),
  topics: ['orgEvidence'],
  response: z.array(evidenceDelivery),
  paged: true,
});

export const deliverEvidence = endpoint({
  ...writing,
  method: 'POST',
  path: '/v2/evidence-destinations/:destinationId/deliveries',
  summary: 'Starts the delivery of a snapshot. 409 if the snapshot is not ready or was already sent.',
  params: named,
  body: z.strictObject({ snapshotId: z.uuid() }),
  status: 202,
  changes: ['orgEvidence'],
  response: evidenceDelivery,
  errors: ['conflict', 'not_found'],
});

export const getEvidenceDelivery = endpoint({
  ...reading,
  method: 'GET',
  path: '/v2/evidence-destinations/:destinationId/deliveries/:deliveryId',
  summary: 'Returns a delivery with its items, requests and responses.',
  params: delivery,
  topics: ['orgEvidence'],
  response: evidenceDeliveryDetails,
});

export const redeliverEvidence = endpoint({
  ...writing,
  method: 'POST',
  path: '/v2/evidence-destinations/:destinationId/deliveries/:deliveryId/redeliver',
  summary: 'Sends a snapshot again. Items that arrived before are not duplicated.',
  params: delivery,
  status: 202,
  changes: ['orgEvidence'],
  response: evidenceDelivery,
  errors: ['conflict'],
});
