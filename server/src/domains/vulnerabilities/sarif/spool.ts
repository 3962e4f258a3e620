import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { type FileHandle, mkdir, open, unlink } from 'node:fs/promises';
import { join } from 'node:path';
import { Readable, Writable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGunzip, createGzip } from 'node:zlib';
import { MAX_UPLOAD_BYTES } from '@sightline/contract/vulnerabilities/scans.ts';
import { Refusal, TooLarge } from '#core/errors.ts';

export interface SpooledFile {
  /** Unpacked bytes. */
  size: number;
  /** Reads from a position. Each piece is valid until the next one is requested. */
  read: (from: number) => AsyncIterable<Buffer>;
  /** Reads the file compressed with gzip, likewise. */
  readPacked: () => AsyncIterable<Buffer>;
  /** Closes and thereby deletes the file. Must always be called. */
  close: () => Promise<void>;
}

/**
 * Unpacks an upload to an unlinked file, which disappears with this process; `look` receives every chunk. Throws errors
 * of `look`, and `too_large` above 100 MB, packed or not. The file is packed while it is received, by another thread.
 */
export async function spoolUpload(
  folder: string,
  source: Readable,
  look: (chunk: Buffer) => void,
): Promise<SpooledFile> {
  const handle = await openNameless(folder);
  const packed = await createPackedFile(folder);
  const close = async () => {
    await Promise.all([handle.close(), packed.close()]);
  };
  let size = 0;
  try {
    for await (const chunk of unpacked(source)) {
      packed.write(chunk);
      look(chunk);
      await handle.write(chunk, 0, chunk.length, size);
      await packed.waitUntilReady();
      size += chunk.length;
    }
    await packed.end();
  } catch (error) {
    await close();
    throw error;
  }
  return {
    size,
    close,
    read: (from) => pieces(handle, from, PIECE_BYTES),
    readPacked: () => pieces(packed.handle, 0, PACKED_PIECE_BYTES),
  };
}

const PIECE_BYTES = 256 * 1024;
const PACKED_PIECE_BYTES = 1024 * 1024;

/** Each piece is valid until the next one is requested. */
async function* pieces(handle: FileHandle, from: number, maxBytes: number): AsyncGenerator<Buffer> {
  const buffer = Buffer.allocUnsafe(maxBytes);
  for (let position = from; ; ) {
    const { bytesRead } = await handle.read(buffer, 0, maxBytes, position);
    if (bytesRead === 0) return;
    yield buffer.subarray(0, bytesRead);
    position += bytesRead;
  }
}

interface PackedFile {
  handle: FileHandle;
  /** The chunk must not be changed afterwards. */
  write: (chunk: Buffer) => void;
  /** Resolves when more should be written. */
  waitUntilReady: () => Promise<void>;
  /** Resolves when everything is in the file. */
  end: () => Promise<void>;
  close: () => Promise<void>;
}

/** Creates an unlinked file of what is written, compressed with gzip. */
async function createPackedFile(folder: string): Promise<PackedFile> {
  const handle = await openNameless(folder);
  let size = 0;
  const append = async (chunk: Buffer) => {
    await handle.write(chunk, 0, chunk.length, size);
    size += chunk.length;
  };
  const gzip = createGzip({ level: 1, chunkSize: PIECE_BYTES });
  const written = pipeline(
    gzip,
    new Writable({ write: (chunk: Buffer, _, done) => void append(chunk).then(() => done(), done) }),
  );
  // It is awaited at the end; until then it must not count as an unhandled rejection.
  written.catch(() => undefined);
  return {
    handle,
    write: (chunk) => void gzip.write(chunk),
    async waitUntilReady() {
      if (gzip.writableNeedDrain) await Promise.race([once(gzip, 'drain'), written]);
    },
    async end() {
      gzip.end();
      await written;
    },
    async close() {
      gzip.destroy();
      await written.catch(() => undefined);
      await handle.close();
    },
  };
}

async function openNameless(folder: string): Promise<FileHandle> {
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const path = join(folder, randomUUID());
  const handle = await open(path, 'wx+', 0o600);
  await unlink(path);
  return handle;
}

/** Decompresses gzip, which is recognized by the first two bytes and not by headers. */
async function* unpacked(source: Readable): AsyncGenerator<Buffer> {
  // The rest of a refused request is read and not aborted; otherwise the client would not receive the error.
  const packed = limited(source.iterator({ destroyOnReturn: false }));
  const head = await firstBytes(packed);
  const complete = joined(head, packed);
  if (head.length === 0) return;
  yield* head[0] === 0x1f && head[1] === 0x8b ? gunzipped(complete) : complete;
}

async function* gunzipped(source: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  const gunzip = createGunzip({ chunkSize: PIECE_BYTES });
  const from = Readable.from(source, { objectMode: false });
  from.on('error', (error) => gunzip.destroy(error)).pipe(gunzip);
  try {
    yield* limited(gunzip);
  } catch (error) {
    throw isZlib(error) ? cannotUnpack(error.code) : error;
  } finally {
    from.destroy();
    gunzip.destroy();
  }
}

const isZlib = (error: unknown): error is { code: string } =>
  error instanceof Error && 'code' in error && /^Z_/.test(String(error.code));

const cannotUnpack = (code: string) => {
  const message = code === 'Z_BUF_ERROR' ? 'has truncated gzip data' : 'is not valid gzip data';
  return new Refusal('validation_failed', `The file ${message}.`, { details: [{ field: 'file', message }] });
};

/** Passes bytes through up to the maximum size. */
async function* limited(source: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  let bytes = 0;
  for await (const chunk of source) {
    bytes += chunk.length;
    if (bytes > MAX_UPLOAD_BYTES) throw TooLarge(MAX_UPLOAD_BYTES);
    yield chunk;
  }
}

/** Reads enough bytes to recognize the format, or all there are. */
async function firstBytes(source: AsyncGenerator<Buffer>): Promise<Buffer> {
  let head: Buffer = Buffer.alloc(0);
  while (head.length < 4) {
    const { value, done } = await source.next();
    if (done) break;
    head = Buffer.concat([head, value]);
  }
  return head;
}

async function* joined(head: Buffer, rest: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  yield head;
  yield* rest;
}
