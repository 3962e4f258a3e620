/** Bytes that are not those of a valid segment, since they are damaged, incomplete or forged, or events that are not valid. */
export class InvalidSegment extends Error {
  override name = 'InvalidSegment';
}

const MAX_VARINT_BYTES = 8;

/** Bytes that grow as they are written. Integers are little-endian; varints have seven bits per byte, the lowest first. */
export class ByteWriter {
  #bytes: Uint8Array;
  #length = 0;

  constructor(capacity = 1024) {
    this.#bytes = new Uint8Array(capacity);
  }

  get length(): number {
    return this.#length;
  }

  /** Writes an integer from 0 to 2^53 - 1. */
  varint(value: number): void {
    this.#reserve(MAX_VARINT_BYTES);
    let left = value;
    while (left >= 0x80) {
      // Above 31 bits, bitwise operators truncate.
      this.#bytes[this.#length++] = (left % 0x80) + 0x80;
      left = Math.floor(left / 0x80);
    }
    this.#bytes[this.#length++] = left;
  }

  /** Writes an integer from -2^52 to 2^52 - 1 as a varint. */
  signed(value: number): void {
    this.varint(value < 0 ? -value * 2 - 1 : value * 2);
  }

  byte(value: number): void {
    this.#reserve(1);
    this.#bytes[this.#length++] = value;
  }

  uint16(value: number): void {
    this.byte(value & 0xff);
    this.byte(value >>> 8);
  }

  bytes(value: Uint8Array): void {
    this.#reserve(value.length);
    this.#bytes.set(value, this.#length);
    this.#length += value.length;
  }

  /** A copy of what was written. */
  finish(): Uint8Array {
    return this.#bytes.slice(0, this.#length);
  }

  #reserve(count: number): void {
    if (this.#length + count <= this.#bytes.length) return;
    const larger = new Uint8Array(Math.max(this.#bytes.length * 2, this.#length + count));
    larger.set(this.#bytes);
    this.#bytes = larger;
  }
}

/** Reads what a `ByteWriter` wrote. Throws `InvalidSegment` instead of reading beyond the end. */
export class ByteReader {
  readonly #bytes: Uint8Array;
  #at: number;

  constructor(bytes: Uint8Array, from = 0) {
    this.#bytes = bytes;
    this.#at = from;
  }

  get position(): number {
    return this.#at;
  }

  get isAtEnd(): boolean {
    return this.#at >= this.#bytes.length;
  }

  /** Reads a varint up to `most`. */
  varint(most = Number.MAX_SAFE_INTEGER): number {
    let value = 0;
    let scale = 1;
    for (let count = 0; count < MAX_VARINT_BYTES; count += 1) {
      const byte = this.byte();
      value += (byte & 0x7f) * scale;
      if (byte < 0x80) {
        if (value > most) break;
        return value;
      }
      scale *= 0x80;
    }
    throw new InvalidSegment('A number of the segment is too large.');
  }

  signed(): number {
    const value = this.varint();
    return value % 2 === 0 ? value / 2 : -(value + 1) / 2;
  }

  byte(): number {
    const value = this.#bytes[this.#at];
    if (value === undefined) throw new InvalidSegment('A part of the segment ends too early.');
    this.#at += 1;
    return value;
  }

  uint16(): number {
    return this.byte() + this.byte() * 0x100;
  }

  /** A view of the next bytes. */
  bytes(length: number): Uint8Array {
    const end = this.#at + length;
    if (end > this.#bytes.length) throw new InvalidSegment('A part of the segment ends too early.');
    const value = this.#bytes.subarray(this.#at, end);
    this.#at = end;
    return value;
  }

  /** Throws unless everything was read. */
  finish(): void {
    if (!this.isAtEnd) throw new InvalidSegment('A part of the segment is too long.');
  }
}
