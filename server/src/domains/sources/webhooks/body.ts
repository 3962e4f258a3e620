import { brotliCompressSync, brotliDecompressSync, constants } from 'node:zlib';

/** The stored body of a delivery: unchanged, or compressed with an empty `body`. */
export interface StoredBody {
  body: string;
  /** Brotli (RFC 7932) of the UTF-8 text. */
  packed: Buffer | null;
}

// PostgreSQL stores shorter bodies in the row, and compression saves little.
const MIN_PACKED_LENGTH = 1024;

// The lowest quality compresses JSON of hosts to a tenth. DEFLATE level 1 achieves the same, but allocating its memory
// for each body costs more than the compression.
const params = { [constants.BROTLI_PARAM_QUALITY]: 0, [constants.BROTLI_PARAM_LGWIN]: 16 };

/** `body` is a text, or its UTF-8, whose compression is faster. */
export const packBody = (body: string | Buffer): StoredBody =>
  body.length < MIN_PACKED_LENGTH
    ? { body: body.toString(), packed: null }
    : { body: '', packed: brotliCompressSync(body, { params }) };

export const unpackBody = ({ body, packed }: StoredBody): string =>
  packed ? brotliDecompressSync(packed).toString() : body;
