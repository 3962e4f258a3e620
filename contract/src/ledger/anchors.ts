import { z } from 'zod';
import { endpoint } from '../core/endpoint.ts';
import { pagedQuery } from '../core/paging.ts';
import { instant, text, url } from '../core/text.ts';

/** By what a checkpoint of the ledger is left with somebody else. */
export const anchorKinds = ['witness', 'rfc3161', 'mail', 'webhook', 'git'] as const;
export type AnchorKind = (typeof anchorKinds)[number];

export const anchorKindNames: Record<AnchorKind, string> = {
  witness: 'Witness',
  rfc3161: 'Time-stamping authority',
  mail: 'Email',
  webhook: 'Webhook',
  git: 'Git repository',
};

/** At most so many parties for one ledger. */
export const MAX_ANCHORS = 20;

// What git would take for an option, or for another place than the folder of a repository.
const gitRef = text(200)
  .trim()
  .regex(/^[A-Za-z0-9_][A-Za-z0-9_./-]*$/, { error: 'must be the name of a branch' })
  .refine((name) => !/\.\.|\/\/|\.lock$|[./]$/.test(name), { error: 'must be the name of a branch' });
const folder = text(200)
  .trim()
  .regex(/^[A-Za-z0-9_-][A-Za-z0-9_. -]*(\/[A-Za-z0-9_-][A-Za-z0-9_. -]*)*$/, {
    error: 'must be the path of a folder',
  });

/** What each kind needs, without secrets. */
export const anchorSettings = {
  /** A C2SP witness: where `add-checkpoint` is, and the public key of its cosignatures. */
  witness: z.strictObject({ url, key: text(400).trim().min(1, { error: 'is needed' }) }),
  /** `certificates`: roots to believe, as PEM; empty for those that browsers believe. */
  rfc3161: z.strictObject({ url, certificates: text(40_000).trim().default('') }),
  /** Account Owners, and recipients who confirmed one of these addresses, such as an auditor. */
  mail: z.strictObject({ addresses: z.array(z.email().max(254)).max(10).default([]) }),
  /** Told by Standard Webhooks. */
  webhook: z.strictObject({ url }),
  git: z.strictObject({
    url,
    branch: gitRef.default('main'),
    folder: folder.default('sightline-ledger'),
    /** With the token as its password. */
    user: text(200).trim().default(''),
  }),
} as const satisfies Record<AnchorKind, z.ZodType>;

const anchorAttempt = z.object({
  id: z.string(),
  at: instant,
  /** `nothing_new`: they have this checkpoint already. */
  outcome: z.enum(['published', 'unchanged', 'failed']),
  epoch: z.number().int().nullable(),
  size: z.number().int().nullable(),
  /** What came of it, in words. */
  message: z.string(),
  ms: z.number(),
});
export type AnchorAttempt = z.infer<typeof anchorAttempt>;

export const anchor = z.object({
  id: z.string(),
  kind: z.enum(anchorKinds),
  /** What people call whoever takes the checkpoints. It stays, as what was left there does. */
  party: z.string(),
  settings: z.record(z.string(), z.union([z.string(), z.array(z.string())])),
  /** Whether a token or secret is kept, sealed. */
  hasSecret: z.boolean(),
  everyHours: z.number().int(),
  /** `failing` still tries. */
  state: z.enum(['active', 'failing', 'off']),
  failingSince: instant.nullable(),
  /** When it is tried next; null while it is off. */
  nextAt: instant.nullable(),
  /** What they have of the present epoch. */
  last: z.object({ size: z.number().int(), at: instant }).nullable(),
  lastAttempt: anchorAttempt.nullable(),
  createdAt: instant,
  /** Addresses of a mail anchor whose recipients have not agreed yet: they get no checkpoints. */
  unconfirmed: z.array(z.string()),
});
export type Anchor = z.infer<typeof anchor>;

const readers = { scope: 'organization', permission: 'read:audit-log' } as const;
const owner = { scope: 'organization', permission: 'manage:integrations' } as const;
const named = z.strictObject({ anchorId: z.uuid() });
const party = text(80)
  .trim()
  .min(1, { error: 'is needed' })
  .regex(/^[^\p{Cc}]*$/u, { error: 'must be one line' });
const everyHours = z.int().min(1).max(168);
const secret = text(500).trim();

/** One shape for each kind: what it is called, how often, and what its kind needs. */
const wanted = <Kind extends AnchorKind>(kind: Kind) =>
  z.strictObject({
    kind: z.literal(kind),
    party,
    everyHours: everyHours.default(24),
    settings: anchorSettings[kind],
    /** The token of a git repository. */
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
    wanted('witness'),
    wanted('rfc3161'),
    wanted('mail'),
    wanted('webhook'),
    wanted('git'),
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
    /** Only where the kind has one that people give: git. */
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

/** Days for which attempts are kept. */
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
  at: instant,
  /** Whether they answered something that proves it: a cosignature, a time stamp, the id of a commit. */
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
    party: text(80),
  }),
  response: z.string(),
  file: ['application/timestamp-reply', 'text/plain'],
  errors: ['not_found'],
});
