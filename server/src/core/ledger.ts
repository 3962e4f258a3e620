import { hash } from 'node:crypto';
import { type CanonicalValue, canonicalJson } from '@sightline/evidence/ledger/canonical.ts';
import type { Tx } from '#database/database.ts';
import { hmacSha256, sha256 } from './hmac.ts';

export interface LedgerFact {
  /** Permanently unique. The entry is sequenced once under this ID. */
  id: string;
  org: string;
  /** `noun.verb`, such as `repository.disabled`. */
  kind: string;
  /** RFC 3339 times of occurrence and receipt. */
  asOf: string;
  receivedAt: string;
  /** The opaque ID of the person that the entry is about, or null. */
  person: string | null;
  source: string;
  /** The public part: IDs and numbers. */
  subject: { readonly [key: string]: CanonicalValue };
  /**
   * The personal part: stored as salted commitments, which cannot be disclosed after the key of the person is deleted.
   */
  personal: { readonly [field: string]: CanonicalValue };
}

/** The condition of the index of `ledger_entry` by kind, for queries of kinds. No query reads entries of events by kind. */
export const isReadByKindSql = "kind not like 'event.%'";

export interface LedgerEntry {
  id: string;
  kind: string;
  text: string;
  leafHash: Buffer;
}

/** Personal data of another person than the entry is about, committed under the key of that person. */
export interface PersonalField {
  field: string;
  value: CanonicalValue;
  key: Buffer;
}

/** The canonical entry of a fact and its RFC 6962 leaf hash. `key` is the 32-byte key of `fact.person`. */
export function createLedgerEntry(
  fact: LedgerFact,
  key: Buffer | undefined,
  others: readonly PersonalField[] = [],
): LedgerEntry {
  const commitments = commitmentsOf(fact, key, others);
  const sd = commitments === '' ? '' : `"_sd":["${commitments}"],"_sd_alg":"sha-256",`;
  // The keys are already in canonical order: sorting them for every event would cost more than the hash.
  const text =
    `{${sd}"asOf":${canonicalJson(fact.asOf)},"id":${canonicalJson(fact.id)},"kind":${canonicalJson(fact.kind)},` +
    `"org":${canonicalJson(fact.org)},"person":${canonicalJson(fact.person)},"receivedAt":${canonicalJson(fact.receivedAt)},` +
    `"source":${canonicalJson(fact.source)},"subject":${canonicalJson(fact.subject)},"v":1}`;
  return { id: fact.id, kind: fact.kind, text, leafHash: leafHash(text) };
}

/** The commitments of an entry in order, as they stand between the first and the last quotation mark of their list. */
function commitmentsOf(fact: LedgerFact, key: Buffer | undefined, others: readonly PersonalField[]): string {
  const fields = Object.keys(fact.personal);
  const [only] = fields;
  // That of an event has one, and is created for each of them.
  if (only !== undefined && fields.length === 1 && others.length === 0)
    return commitment(fact.id, only, fact.personal[only] ?? null, key);
  return [
    ...fields.map((field) => commitment(fact.id, field, fact.personal[field] ?? null, key)),
    ...others.map((other) => commitment(fact.id, other.field, other.value, other.key)),
  ]
    .sort()
    .join('","');
}

/** A commitment as in SD-JWT: SHA-256 of a disclosure whose salt can only be derived from the key of the person. */
function commitment(entryId: string, field: string, value: CanonicalValue, key: Buffer | undefined): string {
  if (key === undefined) throw new Error('Personal data in a ledger entry needs the key of a person');
  const salt = hmacSha256(key, `${entryId}\n${field}`).toString('base64url', 0, 16);
  const disclosure = base64UrlOf(`["${salt}",${canonicalJson(field)},${canonicalJson(value)}]`);
  return hash('sha256', disclosure, 'base64url');
}

// Most disclosures are short; a buffer for each would be garbage.
const disclosed = Buffer.allocUnsafeSlow(1024);

function base64UrlOf(text: string): string {
  // A UTF-16 unit needs three bytes at most.
  if (text.length * 3 > disclosed.length) return Buffer.from(text).toString('base64url');
  return disclosed.toString('base64url', 0, disclosed.write(text));
}

export const leafHash = (text: string): Buffer => sha256(`\0${text}`);

// Space for two 32-byte hashes after the prefix byte of an inner node.
const node = Buffer.alloc(65, 1);

/** The RFC 6962 tree head over leaf hashes; throws for an empty list. */
export function merkleRoot(leaves: readonly Buffer[]): Buffer {
  const [first] = leaves;
  if (first === undefined) throw new Error('A Merkle root needs at least one leaf');
  if (leaves.length === 1) return first;
  // The largest power of two smaller than the count.
  const split = 2 ** (31 - Math.clz32(leaves.length - 1));
  const [left, right] = [merkleRoot(leaves.slice(0, split)), merkleRoot(leaves.slice(split))];
  left.copy(node, 1);
  right.copy(node, 33);
  return sha256(node);
}

/** Queues entries for the ledger in the transaction that writes the facts. */
export async function appendEntries(tx: Tx, orgId: string, entries: readonly LedgerEntry[]): Promise<void> {
  if (entries.length === 0) return;
  await tx.query({
    name: 'ledger.append',
    text: `insert into ledger_pending (org_id, entry_id, kind, entry, leaf_hash)
           select $1, e.id, e.kind, e.entry, e.leaf_hash
           from unnest($2::uuid[], $3::text[], $4::text[], $5::bytea[]) with ordinality as e(id, kind, entry, leaf_hash, place)
           order by e.place`,
    values: [
      orgId,
      entries.map((entry) => entry.id),
      entries.map((entry) => entry.kind),
      entries.map((entry) => entry.text),
      entries.map((entry) => entry.leafHash),
    ],
  });
}
