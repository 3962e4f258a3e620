import { promisify } from 'node:util';
import { constants, zstdCompress, zstdDecompressSync } from 'node:zlib';
import { ByteReader, ByteWriter, InvalidSegment } from './bytes.ts';
import { MAX_BLOCK_BYTES } from './layout.ts';

const compress = promisify(zstdCompress);

// Measured on a month of events: higher levels save less than 2 % and take several times as long.
const LEVEL = 9;

const forms = { plain: 0, compressed: 1 } as const;
// A block that compression shortens by less is read faster without it.
const WORTHWHILE = 0.9;

/** Compresses bytes, outside of the thread of the event loop, if that is worthwhile. */
export async function pack(content: Uint8Array): Promise<Uint8Array> {
  if (content.length > MAX_BLOCK_BYTES) throw new InvalidSegment(`${content.length} bytes are too long for a block.`);
  const compressed = await compress(content, {
    params: { [constants.ZSTD_c_compressionLevel]: LEVEL },
    // Without the size, each call allocates a window of several megabytes.
    pledgedSrcSize: content.length,
  });
  const isWorthwhile = compressed.length < content.length * WORTHWHILE;
  const writer = new ByteWriter(content.length + 16);
  writer.byte(isWorthwhile ? forms.compressed : forms.plain);
  if (isWorthwhile) writer.varint(content.length);
  writer.bytes(isWorthwhile ? compressed : content);
  return writer.finish();
}

/** Restores packed bytes. */
export function unpack(block: Uint8Array): Uint8Array {
  if (block[0] === forms.plain) return block.subarray(1);
  if (block[0] !== forms.compressed) throw new InvalidSegment('A block of the segment has an unknown form.');
  const reader = new ByteReader(block, 1);
  const length = reader.varint(MAX_BLOCK_BYTES);
  const content = decompress(block.subarray(reader.position), length);
  if (content.length !== length) throw new InvalidSegment('A block of the segment has another length than stated.');
  return content;
}

function decompress(content: Uint8Array, length: number): Buffer {
  try {
    return zstdDecompressSync(content, { chunkSize: Math.max(64, length), maxOutputLength: Math.max(1, length) });
  } catch (error) {
    throw new InvalidSegment('A block of the segment is not compressed validly.', { cause: error });
  }
}
