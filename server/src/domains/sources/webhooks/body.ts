import { brotliCompressSync, brotliDecompressSync, constants } from 'node:zlib';

/** The body of a delivery as it is kept: as it came, or packed, and then `body` is empty. */
export interface StoredBody {
  body: string;
  /** Brotli (RFC 7932) of its UTF-8. */
  packed: Buffer | null;
}

// Shorter ones lie in their row, and packing them gains little.
const long = 1024;

// The lowest level packs JSON of hosts to a tenth. Level 1 of DEFLATE comes as far, but sets up more memory for each body
// than the packing itself costs.
const params = { [constants.BROTLI_PARAM_QUALITY]: 0, [constants.BROTLI_PARAM_LGWIN]: 16 };

export const keep = (body: string): StoredBody =>
  body.length < long ? { body, packed: null } : { body: '', packed: brotliCompressSync(body, { params }) };

export const bodyOf = ({ body, packed }: StoredBody): string =>
  packed ? brotliDecompressSync(packed).toString() : body;
