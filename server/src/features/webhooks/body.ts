import { deflateRawSync, inflateRawSync } from 'node:zlib';

/** The body of a delivery as it is kept: as it came, or packed, and then `body` is empty. */
export interface Kept {
  body: string;
  /** Raw DEFLATE (RFC 1951) of its UTF-8. */
  packed: Buffer | null;
}

// Shorter ones lie in their row, and packing them gains little.
const long = 1024;

/** Packs a long body at the lowest level: the next ones take longer and gain a tenth. */
export const keep = (body: string): Kept =>
  body.length < long ? { body, packed: null } : { body: '', packed: deflateRawSync(body, { level: 1 }) };

export const bodyOf = ({ body, packed }: Kept): string => (packed ? inflateRawSync(packed).toString() : body);
