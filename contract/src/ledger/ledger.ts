import { z } from 'zod';
import { endpoint } from '../core/endpoint.ts';
import { instant } from '../core/text.ts';

/** The log of an organization: what happened, in an order and with a text that cannot be changed without being noticed. */
export const ledger = z.object({
  /** Counts the logs of the organization: another one is begun where one can no longer be gone on with. */
  epoch: z.number().int(),
  /** What the log is called in what it signs. */
  origin: z.string(),
  /** How many entries have their place. */
  size: z.number().int(),
  /** The root over them, base64. */
  root: z.string(),
  /** What was signed last. */
  checkpoint: z.object({ size: z.number().int(), signedAt: instant, note: z.string() }).nullable(),
  /** Public keys of the epoch, the one that signs now last. To be given to auditors by another way than this. */
  keys: z.array(z.string()),
  /** Entries that wait for their place, counted up to 10 000. */
  pending: z.object({ count: z.number().int(), oldest: instant.nullable() }),
  /** With whom checkpoints were left, the latest of each; without any, only the operator vouches for the log. */
  anchors: z.array(z.object({ kind: z.string(), party: z.string(), size: z.number().int(), at: instant })),
  /** When all of it was last looked at, and how much did not agree. */
  check: z.object({ at: instant, size: z.number().int(), problems: z.number().int() }).nullable(),
  /** The same of the last days, newest first, at most 14. */
  checks: z.array(z.object({ at: instant, size: z.number().int(), problems: z.number().int() })),
  /** The logs of the organization, the present one last, each with its public keys. */
  epochs: z.array(
    z.object({
      epoch: z.number().int(),
      origin: z.string(),
      size: z.number().int(),
      keys: z.array(z.string()),
      closedAt: instant.nullable(),
    }),
  ),
  /** Why nothing is added any more. */
  halted: z.string().nullable(),
});
export type Ledger = z.infer<typeof ledger>;

const base = { method: 'GET', scope: 'organization', permission: 'read:audit-log' } as const;
const count = z.coerce.number().int().min(0).max(Number.MAX_SAFE_INTEGER);

/** Of the organization's logs; without it, the present one. */
const epoch = z.coerce.number().int().min(1).max(1_000_000).optional();
/** Of a checkpoint; without it, the newest. */
const signedSize = z.coerce.number().int().min(1).max(Number.MAX_SAFE_INTEGER).optional();

export const getLedger = endpoint({
  ...base,
  path: '/v2/ledger',
  summary: 'Returns the size of the ledger, its latest checkpoint and its anchors.',
  topics: ['orgLedger'],
  response: ledger,
  errors: ['not_found'],
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

export const getLedgerTile = endpoint({
  ...base,
  path: '/v2/ledger/tile/:level/:n',
  summary: 'Returns up to 256 tree hashes, concatenated: a C2SP tile.',
  params: z.strictObject({ level: z.coerce.number().int().min(0).max(5), n: count }),
  /** How many of its hashes; without it as many as there are. */
  query: z.strictObject({ width: z.coerce.number().int().min(1).max(256).optional() }),
  response: z.string(),
  file: ['application/octet-stream'],
  errors: ['not_found'],
});

/** Entries of one answer, at most. */
export const ledgerEntriesMax = 256;

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
    /** Hashes as RFC 6962 orders them, base64. */
    proof: z.array(z.string()),
  }),
  errors: ['not_found'],
});
