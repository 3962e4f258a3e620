import { type Bytes, textOf } from '../ledger/bytes.ts';
import { canonicalJson, isList, isRecord } from '../ledger/canonical.ts';
import { parseCanonicalJson } from './lines.ts';
import type { PlacedDisclosure } from './scope.ts';

/** A file outside the bundle, held by the organization, with which verifiers open what the bundle redacts. */
export interface DisclosureKey {
  /** The log of the snapshot, and the ID of its `snapshot.records` entry, which bundles of every redaction share. */
  readonly origin: string;
  readonly snapshot: string;
  readonly disclosures: readonly PlacedDisclosure[];
}

const type = 'sightline.dev/disclosure-key@v1';

export const disclosureKeyFile = ({ origin, snapshot, disclosures }: DisclosureKey): string =>
  canonicalJson({ type, origin, snapshot, disclosures: disclosures.map((one) => ({ ...one })) });

/** Parses that file. Throws for another file. */
export function parseDisclosureKey(bytes: Bytes): DisclosureKey {
  const value = parseCanonicalJson(textOf(bytes), 'The disclosure key');
  const { origin, snapshot, disclosures = null, ...rest } = isRecord(value) ? value : {};
  if (
    rest.type !== type ||
    Object.keys(rest).length !== 1 ||
    typeof origin !== 'string' ||
    typeof snapshot !== 'string' ||
    !isList(disclosures)
  ) {
    throw new Error('The file given as disclosure key is not one');
  }
  return { origin, snapshot, disclosures: disclosures.map((one) => placedDisclosureOf(isRecord(one) ? one : {})) };
}

/** Throws unless the value is a disclosure with the index of its entry. */
export function placedDisclosureOf(value: { readonly [field: string]: unknown }): PlacedDisclosure {
  const { index, disclosure, ...rest } = value;
  if (typeof index !== 'number' || typeof disclosure !== 'string' || Object.keys(rest).length > 0) {
    throw new Error('A disclosure has no entry or no text');
  }
  return { index, disclosure };
}
