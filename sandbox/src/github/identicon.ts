import { createHash } from 'node:crypto';
import { crc32, deflateSync } from 'node:zlib';

const CELLS = 5;
const CELL_PIXELS = 16;
const size = CELLS * CELL_PIXELS;

/** The default avatar of an account, as on GitHub: a symmetric pattern as PNG, 80 pixels wide. */
export function identicon(id: number): Buffer {
  const digest = createHash('sha256').update(String(id)).digest();
  const [red = 0, green = 0, blue = 0] = digest;
  const color = [red, green, blue].map((part) => 64 + (part >> 1));
  const background = [240, 240, 240];
  const isDrawn = (row: number, column: number) =>
    ((digest[3 + row * CELLS + Math.min(column, CELLS - 1 - column)] ?? 0) & 1) === 1;
  const lines = Array.from({ length: size }, (_, y) => {
    const pixels = Array.from({ length: size }, (__, x) =>
      isDrawn(Math.floor(y / CELL_PIXELS), Math.floor(x / CELL_PIXELS)) ? color : background,
    );
    // Each line starts with its filter: none.
    return Buffer.from([0, ...pixels.flat()]);
  });
  const header = Buffer.alloc(13);
  header.writeUInt32BE(size, 0);
  header.writeUInt32BE(size, 4);
  // 8 bits per channel, RGB.
  header.set([8, 2, 0, 0, 0], 8);
  return Buffer.concat([
    Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]),
    chunk('IHDR', header),
    chunk('IDAT', deflateSync(Buffer.concat(lines))),
    chunk('IEND', Buffer.alloc(0)),
  ]);
}

function chunk(type: string, data: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(type), data]);
  const [length, checksum] = [Buffer.alloc(4), Buffer.alloc(4)];
  length.writeUInt32BE(data.length);
  checksum.writeUInt32BE(crc32(body));
  return Buffer.concat([length, body, checksum]);
}
