import { createHash } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import aws4 from 'aws4';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type ObjectStore, ObjectStoreProblem, openObjectStore } from './object-store.ts';

const credentials = { accessKeyId: 'AKIDEXAMPLE', secretAccessKey: 'a/secret+key' };
let folder: string;
let bucket: Server;
let bucketUrl: string;
const objects = new Map<string, Buffer>();

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'sightline-objects-'));
  bucket = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const { status, content } = answerTo(request, Buffer.concat(chunks));
    response.writeHead(status).end(content);
  });
  await new Promise<void>((resolve) => bucket.listen(0, '127.0.0.1', resolve));
  const { accessKeyId, secretAccessKey } = credentials;
  const { port } = bucket.address() as AddressInfo;
  bucketUrl = `http://${accessKeyId}:${encodeURIComponent(secretAccessKey)}@127.0.0.1:${port}/archive/events?region=eu-test-1`;
});
afterAll(async () => {
  bucket.closeAllConnections();
  await new Promise((resolve) => bucket.close(resolve));
  await rm(folder, { recursive: true, force: true });
});

/** Storage that checks AWS Signature Version 4 by another implementation, and the hashes of the body. */
function answerTo(request: IncomingMessage, body: Buffer): { status: number; content?: Buffer | string } {
  const { headers, method = '', url = '' } = request;
  const signed = /SignedHeaders=([^,]+)/.exec(headers.authorization ?? '')?.[1]?.split(';') ?? [];
  const wanted = aws4.sign(
    {
      service: 's3',
      region: 'eu-test-1',
      method,
      path: url,
      host: headers.host ?? '',
      headers: Object.fromEntries(signed.map((name) => [name, headers[name] as string])),
    },
    credentials,
  );
  const hash = createHash('sha256').update(body).digest('hex');
  if (wanted.headers?.Authorization !== headers.authorization || headers['x-amz-content-sha256'] !== hash)
    return { status: 403, content: '<Error><Code>SignatureDoesNotMatch</Code></Error>' };
  if (!url.startsWith('/archive/events/')) return { status: 404 };
  const stored = objects.get(url);
  if (method === 'PUT') {
    if (headers['content-md5'] !== createHash('md5').update(body).digest('base64')) return { status: 400 };
    objects.set(url, body);
    return { status: 200 };
  }
  if (method === 'DELETE') return { status: objects.delete(url) ? 204 : 404 };
  if (!stored) return { status: 404 };
  const [, from = '0', to = ''] = /bytes=(\d+)-(\d+)/.exec(headers.range ?? '') ?? [];
  return { status: 206, content: stored.subarray(Number(from), Number(to) + 1) };
}

test.each<[string, () => ObjectStore]>([
  ['a folder', () => openObjectStore(folder)],
  ['an S3-compatible bucket', () => openObjectStore(bucketUrl)],
])('writes, reads and deletes objects in %s', async (_where, open) => {
  const store = open();
  const [key, bytes] = [
    '0197-org/0197-segment.segment',
    Buffer.from(Array.from({ length: 1000 }, (_, at) => at % 251)),
  ];
  expect(await store.read(key, 0, 10)).toBeUndefined();
  await store.write(key, bytes);
  expect(await store.read(key, 0, 1000)).toEqual(bytes);
  expect(await store.read(key, 990, 100)).toEqual(bytes.subarray(990));
  expect(await store.read(key, 17, 5)).toEqual(bytes.subarray(17, 22));
  await store.write(key, bytes.subarray(0, 3));
  expect(await store.read(key, 0, 10)).toEqual(bytes.subarray(0, 3));
  await store.delete(key);
  await store.delete(key);
  expect(await store.read(key, 0, 10)).toBeUndefined();
});

test('names the bucket and the problem, and not the key', async () => {
  const store = openObjectStore(bucketUrl.replace('AKIDEXAMPLE', 'AKIDOTHER'));
  expect(store.address).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/archive\/events$/);
  await expect(store.write('one', Buffer.from('x'))).rejects.toThrow(
    /^The bucket .* answers 403: .*SignatureDoesNotMatch/,
  );
  const gone = openObjectStore('http://key:secret@127.0.0.1:1/archive');
  await expect(gone.read('one', 0, 1)).rejects.toThrow(ObjectStoreProblem);
  await expect(gone.read('one', 0, 1)).rejects.toThrow(/^The bucket http:\/\/127\.0\.0\.1:1\/archive does not answer/);
  const file = join(folder, 'file');
  await writeFile(file, '');
  await expect(openObjectStore(file).write('one/two', Buffer.from('x'))).rejects.toThrow(
    /^The folder .* is not usable \(ENOTDIR|EEXIST\)/,
  );
});
