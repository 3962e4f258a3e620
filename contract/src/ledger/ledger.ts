import { z } from 'zod';
import { endpoint } from '../core/endpoint.ts';
import { ledgerSize } from '../core/ledger-sizes.ts';
import { timestamp } from '../core/text.ts';

/** The tamper-evident log of an organization. */
export const ledger = z.object({
  /** Number of the current log. A new epoch follows a halted log. */
  epoch: z.number().int(),
  /** The name of the log in its signatures. */
  origin: z.string(),
  /** Number of entries. */
  size: z.number().int(),
  /** The root hash, base64. */
  root: z.string(),
  /** The last signed checkpoint. */
  checkpoint: z.object({ size: z.number().int(), signedAt: timestamp, note: z.string() }).nullable(),
  /** Public keys of the epoch, the current signing key last. Auditors should receive them over another channel. */
  keys: z.array(z.string()),
  /** Number of pending entries, counted up to 10,000. */
  pending: z.object({ count: z.number().int(), oldest: timestamp.nullable() }),
  /** The latest receipt of each anchor. Without one, no external party can detect a rewrite by the operator. */
  anchors: z.array(z.object({ kind: z.string(), party: z.string(), size: z.number().int(), at: timestamp })),
  /** The last complete self-check and its number of problems. */
  check: z.object({ at: timestamp, size: z.number().int(), problems: z.number().int() }).nullable(),
  /** The daily self-checks, newest first, at most 14. */
  checks: z.array(z.object({ at: timestamp, size: z.number().int(), problems: z.number().int() })),
  /** All epochs, the current one last, each with its public keys. */
  epochs: z.array(
    z.object({
      epoch: z.number().int(),
      origin: z.string(),
      size: z.number().int(),
      keys: z.array(z.string()),
      closedAt: timestamp.nullable(),
    }),
  ),
  /** Why the ledger is halted; null while it accepts entries. */
  halted: z.string().nullable(),
  /** Whether anyone may read the log of C2SP tlog-tiles, without an access key. */
  isPublic: z.boolean(),
});
export type Ledger = z.infer<typeof ledger>;

/** The path, outside `/api`, of the public keys of an organization's ledger: text, one C2SP verifier key per line. */
export const ledgerKeysPath = (orgId: string): string => `/.well-known/sightline/ledger-keys/${orgId}`;

/** The keys of ML-DSA-44 that sign the published checkpoint in addition, in the same form. */
export const ledgerCosignerKeysPath = (orgId: string): string => `${ledgerKeysPath(orgId)}/ml-dsa-44`;

/** The path of the same keys as PEM, newest first. */
export const ledgerPemPath = (orgId: string): string => `${ledgerKeysPath(orgId)}/pem`;

/** The path of one key as PEM. `keyId`: the `keyid` of signed statements. */
export const ledgerKeyPath = (orgId: string, keyId: string): string => `${ledgerPemPath(orgId)}/${keyId}`;

const base = { method: 'GET', scope: 'organization', permission: 'read:audit-log' } as const;
const count = z.coerce.number().int().min(0).max(Number.MAX_SAFE_INTEGER);

/** The epoch; default: the current one. */
const epoch = z.coerce.number().int().min(1).max(1_000_000).optional();
/** The size of a checkpoint; default: the newest. */
const signedSize = z.coerce.number().int().min(1).max(Number.MAX_SAFE_INTEGER).optional();

export const getLedger = endpoint({
  ...base,
  path: '/v2/ledger',
  summary: 'Returns the size of the ledger, its latest checkpoint and its anchors.',
  topics: ['orgLedger'],
  response: ledger,
  errors: ['not_found'],
});

export const updateLedgerAccess = endpoint({
  method: 'PUT',
  path: '/v2/ledger/access',
  summary: 'Makes the log of C2SP tlog-tiles readable for anyone, or only with an access key.',
  scope: 'organization',
  permission: 'manage:integrations',
  body: z.strictObject({ isPublic: z.boolean() }),
  stepUp: true,
  status: 204,
  changes: ['orgLedger'],
  response: z.null(),
});

export const getLedgerCheckpoint = endpoint({
  ...base,
  path: '/v2/ledger/checkpoint',
  summary: 'Returns the latest checkpoint or the one of a given size in C2SP format with witness cosignatures.',
  query: z.strictObject({ size: signedSize, epoch }),
  response: z.string(),
  file: ['text/plain'],
  errors: ['not_found'],
});

export const getLedgerSize = endpoint({
  method: 'GET',
  scope: 'organization',
  permission: 'read:org',
  path: '/v2/ledger/size',
  summary: 'Returns the time of a ledger size with its checkpoint, by size or by time, for lists at that size.',
  /** `at`: the last checkpoint that was signed until then. Default: the last checkpoint. */
  query: z.strictObject({ ledgerSize: ledgerSize.optional(), at: timestamp.optional() }),
  topics: ['orgLedger'],
  response: z.object({
    /** For the parameter `ledgerSize` of lists. Contains the epoch. */
    ledgerSize: z.string(),
    epoch: z.number().int(),
    size: z.number().int(),
    /** When the ledger received the last of these entries. */
    recordedAt: timestamp,
    /** The first checkpoint that contains them. */
    checkpoint: z.object({ size: z.number().int(), signedAt: timestamp }),
    /** The time of the first checkpoint; lists have no earlier state. */
    since: timestamp,
  }),
  errors: ['not_found'],
});
export type LedgerSizeFacts = z.output<typeof getLedgerSize.response>;

/** Maximum number of entries in one response. */
export const MAX_LEDGER_ENTRIES = 256;

export const listLedgerEntries = endpoint({
  ...base,
  path: '/v2/ledger/entries',
  summary: 'Returns up to 256 entries of a range of the ledger in the canonical form that is hashed.',
  query: z.strictObject({ from: count.default(0), to: count.optional(), epoch }),
  response: z.array(
    z.object({ index: z.number().int(), id: z.string(), kind: z.string(), entry: z.string(), leafHash: z.string() }),
  ),
  errors: ['not_found'],
});

export const getLedgerProof = endpoint({
  ...base,
  path: '/v2/ledger/entries/:entryId/proof',
  summary: 'Returns an inclusion proof of an entry as a C2SP tlog-proof, verifiable without this server.',
  params: z.strictObject({ entryId: z.uuid() }),
  query: z.strictObject({ size: signedSize }),
  response: z.string(),
  file: ['text/plain'],
  errors: ['not_found', 'conflict'],
});

export const getLedgerConsistency = endpoint({
  ...base,
  path: '/v2/ledger/consistency',
  summary: 'Returns a consistency proof between two sizes of the ledger.',
  query: z.strictObject({ from: count, to: count.optional() }),
  response: z.object({
    from: z.number().int(),
    to: z.number().int(),
    /** Hashes in the order of RFC 6962, base64. */
    proof: z.array(z.string()),
  }),
  errors: ['not_found'],
});
