import { z } from 'zod';
import { endpoint } from '../core/endpoint.ts';
import { pagedQuery } from '../core/paging.ts';
import { boundedText, outboundUrl, timestamp } from '../core/text.ts';

/** The kinds of anchors that receive checkpoints. */
export const anchorKinds = ['witness', 'rfc3161', 'mail', 'webhook', 'git'] as const;
export type AnchorKind = (typeof anchorKinds)[number];

export const anchorKindNames: Record<AnchorKind, string> = {
  witness: 'Witness',
  rfc3161: 'Time-stamping authority',
  mail: 'Email',
  webhook: 'Webhook',
  git: 'Git repository',
};

/** Maximum number of anchors for one ledger. */
export const MAX_ANCHORS = 20;

// Excludes names that git would read as an option, or as a path outside of the repository.
const gitRef = boundedText(200)
  .trim()
  .regex(/^[A-Za-z0-9_][A-Za-z0-9_./-]*$/, { error: 'must be the name of a branch' })
  .refine((name) => !/\.\.|\/\/|\.lock$|[./]$/.test(name), { error: 'must be the name of a branch' });
const folder = boundedText(200)
  .trim()
  .regex(/^[A-Za-z0-9_-][A-Za-z0-9_. -]*(\/[A-Za-z0-9_-][A-Za-z0-9_. -]*)*$/, {
    error: 'must be the path of a folder',
  });

/** The settings of each kind, without secrets. */
export const anchorSettings = {
  /** A C2SP witness: the URL of `add-checkpoint`, and the public key of its cosignatures, Ed25519 or ML-DSA-44. */
  witness: z.strictObject({ url: outboundUrl, key: boundedText(2500).trim().min(1, { error: 'is needed' }) }),
  /** `certificates`: trusted roots as PEM; empty for the default roots of browsers. */
  rfc3161: z.strictObject({ url: outboundUrl, certificates: boundedText(40_000).trim().default('') }),
  /** Recipients in addition to Account Owners, such as auditors, who confirmed their address. */
  mail: z.strictObject({ addresses: z.array(z.email().max(254)).max(10).default([]) }),
  /** Sent as Standard Webhooks. */
  webhook: z.strictObject({ url: outboundUrl }),
  git: z.strictObject({
    url: outboundUrl,
    branch: gitRef.default('main'),
    folder: folder.default('sightline-ledger'),
    /** User name; the token is its password. */
    user: boundedText(200).trim().default(''),
  }),
} as const satisfies Record<AnchorKind, z.ZodType>;

const anchorAttempt = z.object({
  id: z.string(),
  at: timestamp,
  /** `unchanged`: the anchor already has this checkpoint. */
  outcome: z.enum(['published', 'unchanged', 'failed']),
  epoch: z.number().int().nullable(),
  size: z.number().int().nullable(),
  /** The result in words. */
  message: z.string(),
  ms: z.number(),
});
export type AnchorAttempt = z.infer<typeof anchorAttempt>;

export const anchor = z.object({
  id: z.string(),
  kind: z.enum(anchorKinds),
  /** Display name of the anchor. It is permanent, like its receipts. */
  party: z.string(),
  settings: z.record(z.string(), z.union([z.string(), z.array(z.string())])),
  /** Whether an encrypted token or secret is stored. */
  hasSecret: z.boolean(),
  everyHours: z.number().int(),
  /** `failing`: still retried. */
  state: z.enum(['active', 'failing', 'off']),
  failingSince: timestamp.nullable(),
  /** Time of the next attempt; null while off. */
  nextAt: timestamp.nullable(),
  /** The last checkpoint of the current epoch at the anchor. */
  last: z.object({ size: z.number().int(), at: timestamp }).nullable(),
  lastAttempt: anchorAttempt.nullable(),
  createdAt: timestamp,
  /** Addresses of an email anchor without confirmation. They receive no checkpoints. */
  unconfirmed: z.array(z.string()),
});
export type Anchor = z.infer<typeof anchor>;

const readers = { scope: 'organization', permission: 'read:audit-log' } as const;
const owner = { scope: 'organization', permission: 'manage:integrations' } as const;
const named = z.strictObject({ anchorId: z.uuid() });
const party = boundedText(80)
  .trim()
  .min(1, { error: 'is needed' })
  .regex(/^[^\p{Cc}]*$/u, { error: 'must be one line' });
const everyHours = z.int().min(1).max(168);
const secret = boundedText(500).trim();

/** The request body of each kind: its name, interval and settings. */
const anchorInput = <Kind extends AnchorKind>(kind: Kind) =>
  z.strictObject({
    kind: z.literal(kind),
    party,
    everyHours: everyHours.default(24),
    settings: anchorSettings[kind],
    /** The token for a git repository. */
    secret: secret.default(''),
  });

export const listAnchors = endpoint({
  ...readers,
  method: 'GET',
  path: '/v2/ledger/anchors',
  summary: 'Lists the ledger anchors with frequency and state, without secrets.',
  query: pagedQuery(['party-asc', 'party-desc', 'date-desc', 'date-asc'], {}),
  topics: ['orgLedger'],
  response: z.array(anchor),
  paged: true,
});

export const createAnchor = endpoint({
  ...owner,
  method: 'POST',
  path: '/v2/ledger/anchors',
  summary: 'Adds an anchor. The signing secret of a webhook is returned once.',
  body: z.discriminatedUnion('kind', [
    anchorInput('witness'),
    anchorInput('rfc3161'),
    anchorInput('mail'),
    anchorInput('webhook'),
    anchorInput('git'),
  ]),
  status: 201,
  changes: ['orgLedger'],
  response: z.object({ secret: z.string().nullable(), anchor }),
  errors: ['conflict'],
  stepUp: true,
});

export const updateAnchor = endpoint({
  ...owner,
  method: 'PATCH',
  path: '/v2/ledger/anchors/:anchorId',
  summary: 'Updates the frequency or token of an anchor, or enables or disables it.',
  params: named,
  body: z.strictObject({
    everyHours: everyHours.optional(),
    enabled: z.boolean().optional(),
    /** Only for the kind with a user-supplied secret: git. */
    secret: secret.min(1, { error: 'is needed' }).optional(),
  }),
  changes: ['orgLedger'],
  response: anchor,
  stepUp: true,
});

export const deleteAnchor = endpoint({
  ...owner,
  method: 'DELETE',
  path: '/v2/ledger/anchors/:anchorId',
  summary: 'Removes an anchor. Published checkpoints stay on record.',
  params: named,
  status: 204,
  changes: ['orgLedger'],
  response: z.null(),
  stepUp: true,
});

export const publishCheckpoint = endpoint({
  ...owner,
  method: 'POST',
  path: '/v2/ledger/anchors/:anchorId/publish',
  summary: 'Publishes a checkpoint to the anchor now. The result appears in its attempts.',
  params: named,
  status: 202,
  changes: ['orgLedger'],
  response: anchor,
  errors: ['conflict'],
});

export const requestAddressConfirmation = endpoint({
  ...owner,
  method: 'POST',
  path: '/v2/ledger/anchors/:anchorId/confirmations',
  summary: 'Sends another confirmation link to an unconfirmed address of an email anchor.',
  params: named,
  body: z.strictObject({ address: z.email().max(254) }),
  status: 202,
  changes: ['orgLedger'],
  response: anchor,
  errors: ['not_found'],
});

/** Retention of attempts in days. */
export const ATTEMPT_RETENTION_DAYS = 90;

export const listAnchorAttempts = endpoint({
  ...readers,
  method: 'GET',
  path: '/v2/ledger/anchors/:anchorId/attempts',
  summary: 'Lists the attempts of the last 90 days.',
  params: named,
  query: pagedQuery(['date-desc', 'date-asc'], {}),
  topics: ['orgLedger'],
  response: z.array(anchorAttempt),
  paged: true,
});

export const receipt = z.object({
  epoch: z.number().int(),
  size: z.number().int(),
  kind: z.enum(anchorKinds),
  party: z.string(),
  at: timestamp,
  /** Whether the response contained a receipt: a cosignature, a time stamp or a commit ID. */
  hasReceipt: z.boolean(),
});
export type Receipt = z.infer<typeof receipt>;

export const listReceipts = endpoint({
  ...readers,
  method: 'GET',
  path: '/v2/ledger/receipts',
  summary: 'Lists all published checkpoints, including those of removed anchors.',
  query: pagedQuery(['date-desc', 'date-asc'], {}),
  topics: ['orgLedger'],
  response: z.array(receipt),
  paged: true,
});

export const getReceipt = endpoint({
  ...readers,
  method: 'GET',
  path: '/v2/ledger/receipts/receipt',
  summary: 'Returns the receipt of a checkpoint: cosignatures, a timestamp (RFC 3161) or a commit ID.',
  query: z.strictObject({
    epoch: z.coerce.number().int().min(1).max(1_000_000),
    size: z.coerce.number().int().min(1).max(Number.MAX_SAFE_INTEGER),
    kind: z.enum(anchorKinds),
    party: boundedText(80),
  }),
  response: z.string(),
  file: ['application/timestamp-reply', 'text/plain'],
  errors: ['not_found'],
});
