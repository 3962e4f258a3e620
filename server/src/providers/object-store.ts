import { createHash } from 'node:crypto';
import { mkdir, open, rename, rm } from 'node:fs/promises';
import { dirname, isAbsolute, join } from 'node:path';
import { AwsV4Signer } from 'aws4fetch';

/** Objects by key, in a folder or an S3-compatible bucket. Every method throws ObjectStoreProblem on failure. */
export interface ObjectStore {
  /** Its address without credentials. */
  address: string;
  /** Writes an object durably; an existing one is replaced. */
  write: (key: string, bytes: Buffer) => Promise<void>;
  /** Reads a part of an object; undefined if the object does not exist. */
  read: (key: string, offset: number, length: number) => Promise<Buffer | undefined>;
  /** Deletes an object, if it exists. */
  delete: (key: string) => Promise<void>;
}

/** A failure with a message for operators. */
export class ObjectStoreProblem extends Error {
  override name = 'ObjectStoreProblem';
}

/** `address`: the absolute path of a folder, or `https://ACCESS_KEY:SECRET_KEY@HOST/BUCKET/PREFIX?region=REGION`. */
export const openObjectStore = (address: string): ObjectStore =>
  isAbsolute(address) ? folderStore(address) : bucketStore(new URL(address));

function folderStore(folder: string): ObjectStore {
  const failed = (error: NodeJS.ErrnoException): never => {
    throw new ObjectStoreProblem(`The folder ${folder} is not usable (${error.code ?? error.message})`);
  };
  const pathOf = (key: string) => join(folder, key);
  async function write(key: string, bytes: Buffer): Promise<void> {
    const path = pathOf(key);
    await mkdir(dirname(path), { recursive: true });
    const file = await open(`${path}.part`, 'w');
    try {
      await file.writeFile(bytes);
      await file.sync();
    } finally {
      await file.close();
    }
    await rename(`${path}.part`, path);
    await syncFolder(dirname(path));
  }
  async function read(key: string, offset: number, length: number): Promise<Buffer | undefined> {
    const file = await open(pathOf(key), 'r').catch((error: NodeJS.ErrnoException) =>
      error.code === 'ENOENT' ? undefined : failed(error),
    );
    if (!file) return undefined;
    try {
      const part = Buffer.alloc(length);
      const { bytesRead } = await file.read(part, 0, length, offset);
      return part.subarray(0, bytesRead);
    } finally {
      await file.close();
    }
  }
  return {
    address: folder,
    write: (key, bytes) => write(key, bytes).catch(failed),
    read: (key, offset, length) => read(key, offset, length).catch(failed),
    delete: (key) => rm(pathOf(key), { force: true }).catch(failed),
  };
}

/** Makes the name of a new file durable. */
async function syncFolder(folder: string): Promise<void> {
  const opened = await open(folder, 'r');
  try {
    await opened.sync();
  } finally {
    await opened.close();
  }
}

const REQUEST_TIMEOUT_MS = 30_000;

/** Signs requests with AWS Signature Version 4; the bucket is in the path, which every S3-compatible storage supports. */
function bucketStore(url: URL): ObjectStore {
  const { origin, pathname, username, password, searchParams } = url;
  const base = `${origin}${pathname.replace(/\/+$/, '')}`;
  const credentials = {
    accessKeyId: decodeURIComponent(username),
    secretAccessKey: decodeURIComponent(password),
    service: 's3',
    region: searchParams.get('region') ?? 'us-east-1',
  };
  async function send(method: string, key: string, given: { headers?: Record<string, string>; body?: Buffer } = {}) {
    const { headers: own = {}, body } = given;
    const signer = new AwsV4Signer({
      ...credentials,
      method,
      url: `${base}/${key}`,
      headers: { ...own, 'x-amz-content-sha256': sha256Of(body ?? Buffer.alloc(0)) },
      ...(body && { body }),
    });
    const { url: signed, headers } = await signer.sign();
    const { fetch } = await import('undici');
    try {
      return await fetch(signed.href, {
        method,
        headers: Object.fromEntries(headers),
        redirect: 'error',
        signal: AbortSignal.timeout(REQUEST_TIMEOUT_MS),
        ...(body && { body: new Uint8Array(body) }),
      });
    } catch (error) {
      const { cause, name } = error as { cause?: { code?: string; message?: string }; name: string };
      throw new ObjectStoreProblem(`The bucket ${base} does not answer (${cause?.code ?? cause?.message ?? name})`);
    }
  }
  const refused = async (response: Awaited<ReturnType<typeof send>>): Promise<never> => {
    const text = (await response.text()).slice(0, 300).trim();
    throw new ObjectStoreProblem(`The bucket ${base} answers ${response.status}: ${text}`);
  };
  return {
    address: base,
    async write(key, body) {
      // Storage with object lock asks for the digest, and none can keep a body that was changed on its way.
      const headers = { 'content-md5': createHash('md5').update(body).digest('base64') };
      const response = await send('PUT', key, { headers, body });
      if (!response.ok) await refused(response);
      await response.body?.cancel();
    },
    async read(key, offset, length) {
      const response = await send('GET', key, { headers: { range: `bytes=${offset}-${offset + length - 1}` } });
      if (response.status === 404) {
        await response.body?.cancel();
        return undefined;
      }
      if (!response.ok) await refused(response);
      const part = Buffer.from(await response.arrayBuffer());
      // Some storage ignores ranges of small objects.
      return response.status === 206 ? part : part.subarray(offset, offset + length);
    },
    async delete(key) {
      const response = await send('DELETE', key);
      if (!response.ok && response.status !== 404) await refused(response);
      await response.body?.cancel();
    },
  };
}

const sha256Of = (body: Buffer): string => createHash('sha256').update(body).digest('hex');
