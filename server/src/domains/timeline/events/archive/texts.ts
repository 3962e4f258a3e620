import { ByteReader, ByteWriter, InvalidSegment } from './bytes.ts';

/** A block of texts ends when it reaches one of these limits. Smaller blocks are hardly faster to decompress. */
export const textBlockLimits = { events: 128, bytes: 64 << 10 } as const;
/** A text of an event is at most this long in UTF-8. */
export const MAX_TEXT_BYTES = 8 << 20;

export function encodeTexts(texts: readonly Uint8Array[]): Uint8Array {
  const writer = new ByteWriter(texts.reduce((sum, text) => sum + text.length + 3, 3));
  writer.varint(texts.length);
  for (const text of texts) writer.varint(text.length);
  for (const text of texts) writer.bytes(text);
  return writer.finish();
}

export interface TextBlock {
  bytes: Buffer;
  /** The start of each text; one more than there are texts. */
  starts: Uint32Array;
}

export function decodeTexts(block: Uint8Array, count: number): TextBlock {
  const reader = new ByteReader(block);
  if (reader.varint(count) !== count) throw new InvalidSegment('A block of texts has another number of texts.');
  const starts = new Uint32Array(count + 1);
  for (let place = 0; place < count; place += 1)
    starts[place + 1] = (starts[place] ?? 0) + reader.varint(MAX_TEXT_BYTES);
  const content = reader.bytes(starts[count] ?? 0);
  reader.finish();
  return { bytes: Buffer.from(content.buffer, content.byteOffset, content.length), starts };
}

export const textAt = ({ bytes, starts }: TextBlock, place: number): string =>
  bytes.toString('utf8', starts[place], starts[place + 1]);
