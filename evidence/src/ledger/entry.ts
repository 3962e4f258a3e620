import { hmac } from '@noble/hashes/hmac.js';
import { sha256 as pure } from '@noble/hashes/sha2.js';
import { type Bytes, fromBase64url, textOf, toBase64url, utf8 } from './bytes.ts';
import { type CanonicalValue, canonicalJson, isList, isRecord } from './canonical.ts';
import { sha256 } from './sha256.ts';

/** An entry of the log: public facts in plain text, personal data as commitments. */
export interface Entry {
  /** SHA-256 of each disclosure, base64url, sorted; empty without commitments. */
  commitments: readonly string[];
  /** RFC 3339 in UTC: the time of the event and the time of receipt. */
  asOf: string;
  receivedAt: string;
  id: string;
  /** noun.verb, such as `audit.repository.disabled`. */
  kind: string;
  org: string;
  /** The opaque ID of the person that it is about. */
  person: string | null;
  source: string;
  subject: { readonly [key: string]: CanonicalValue };
}

/** Parses the text of an entry. Throws unless it is canonical. */
export function parseEntry(text: string): Entry {
  const value = JSON.parse(text) as CanonicalValue;
  if (!isRecord(value) || canonicalJson(value) !== text) throw new Error('The entry is not in canonical form');
  const {
    _sd: commitments = [],
    _sd_alg: algorithm,
    asOf,
    id,
    kind,
    org,
    person,
    receivedAt,
    source,
    subject,
    v,
  } = value;
  const expected = algorithm === undefined ? fields : [...fields, '_sd', '_sd_alg'];
  if (Object.keys(value).length !== expected.length || !expected.every((field) => field in value)) {
    throw new Error('The entry has unexpected or missing fields');
  }
  if (v !== 1 || (algorithm !== undefined && algorithm !== 'sha-256'))
    throw new Error('The entry has an unsupported version');
  if (!isText(asOf) || !isText(receivedAt) || !isText(id) || !isText(kind) || !isText(org) || !isText(source)) {
    throw new Error('A field of the entry is not text');
  }
  if (person !== null && !isText(person)) throw new Error('The person of the entry is invalid');
  if (!isRecord(subject)) throw new Error('The subject of the entry is invalid');
  if (!isList(commitments) || !commitments.every(isText) || (algorithm !== undefined && commitments.length === 0)) {
    throw new Error('The commitments of the entry are invalid');
  }
  if (commitments.some((one, index) => index > 0 && one <= (commitments[index - 1] ?? ''))) {
    throw new Error('The commitments of the entry are not in order');
  }
  return { commitments, asOf, receivedAt, id, kind, org, person, source, subject };
}

const fields = ['asOf', 'id', 'kind', 'org', 'person', 'receivedAt', 'source', 'subject', 'v'];
const isText = (value: CanonicalValue | undefined): value is string => typeof value === 'string';

/** The canonical text of an entry, which its leaf hashes. */
export const entryText = ({ commitments, ...entry }: Entry): string =>
  canonicalJson({
    ...entry,
    v: 1,
    ...(commitments.length > 0 && { _sd: commitments, _sd_alg: 'sha-256' }),
  });

/**
 * The disclosure of one commitment (the format of SD-JWT): base64url of `[salt,field,value]`. The salt derives from the
 * 32-byte key of the person, so values cannot be guessed without the key.
 */
export function disclosureOf(entryId: string, field: string, value: CanonicalValue, key: Bytes): string {
  const salt = toBase64url(hmac(pure, key, utf8(`${entryId}\n${field}`)).subarray(0, saltBytes));
  return toBase64url(utf8(canonicalJson([salt, field, value])));
}

const saltBytes = 16;

export const commitmentOf = (disclosure: string): string => toBase64url(sha256(disclosure));

/** Opens a disclosure. Throws if it matches no commitment of the entry. */
export function openDisclosure(
  entry: Pick<Entry, 'commitments'>,
  disclosure: string,
): { field: string; value: CanonicalValue } {
  if (!entry.commitments.includes(commitmentOf(disclosure)))
    throw new Error('The disclosure matches no commitment of the entry');
  const value = JSON.parse(textOf(fromBase64url(disclosure))) as CanonicalValue;
  const [salt, field, disclosedValue] = isList(value) ? value : [];
  if (!isList(value) || value.length !== 3 || !isText(salt) || !isText(field) || disclosedValue === undefined) {
    throw new Error('The disclosure is invalid');
  }
  return { field, value: disclosedValue };
}
