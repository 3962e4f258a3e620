import { randomUUID } from 'node:crypto';
import { type FileHandle, mkdir, open, unlink } from 'node:fs/promises';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { createGunzip } from 'node:zlib';
import { mostUploadBytes } from '@sightline/contract/vulnerabilities/scans.ts';
import { Refusal, TooLarge } from '#core/errors.ts';

export interface Spool {
  /** Unpacked bytes. */
  size: number;
  /** Reads from a byte on. */
  read: (from: number) => AsyncIterable<Buffer>;
  /** Forgets the file. Call it in the end, whatever happened. */
  close: () => Promise<void>;
}

/**
 * Keeps an upload in a file that has no name any more and is gone with this process, unpacking it on the way, while
 * `look` sees every piece of it. Throws what `look` throws, and `too_large` for more than 100 MB, packed or not.
 */
export async function spool(folder: string, source: Readable, look: (chunk: Buffer) => void): Promise<Spool> {
  const handle = await openNameless(folder);
  const close = () => handle.close();
  let size = 0;
  try {
    for await (const chunk of unpacked(source)) {
      look(chunk);
      await handle.write(chunk, 0, chunk.length, size);
      size += chunk.length;
    }
  } catch (error) {
    await close();
    throw error;
  }
  return { size, close, read: (from) => pieces(handle, from) };
}

const pieceBytes = 256 * 1024;

/** Each piece is good until the next one is asked for. */
async function* pieces(handle: FileHandle, from: number): AsyncGenerator<Buffer> {
  const buffer = Buffer.allocUnsafe(pieceBytes);
  for (let position = from; ; ) {
    const { bytesRead } = await handle.read(buffer, 0, pieceBytes, position);
    if (bytesRead === 0) return;
    yield buffer.subarray(0, bytesRead);
    position += bytesRead;
  }
}

async function openNameless(folder: string): Promise<FileHandle> {
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const path = join(folder, randomUUID());
  const handle = await open(path, 'wx+', 0o600);
  await unlink(path);
  return handle;
}

/** The bytes as they were before gzip, which its first two bytes tell of whatever the headers say. */
async function* unpacked(source: Readable): AsyncGenerator<Buffer> {
  // The rest of a refused request is read away and not cut off, or nobody would hear the refusal.
  const packed = limited(source.iterator({ destroyOnReturn: false }));
  const head = await firstBytes(packed);
  const whole = joined(head, packed);
  if (head.length === 0) return;
  yield* head[0] === 0x1f && head[1] === 0x8b ? gunzipped(whole) : whole;
}

async function* gunzipped(source: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  const gunzip = createGunzip({ chunkSize: pieceBytes });
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

/** Passes bytes on until there are too many of them. */
async function* limited(source: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  let bytes = 0;
  for await (const chunk of source) {
    bytes += chunk.length;
    if (bytes > mostUploadBytes) throw TooLarge(mostUploadBytes);
    yield chunk;
  }
}

/** Enough bytes to tell what they are, or all there are. */
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
