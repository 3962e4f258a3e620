import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

/** Where a secret lives. Bound into the seal, so that a row moved elsewhere no longer opens. */
export interface Place {
  /** The organisation, or `-` for what belongs to the installation itself. */
  org: string;
  table: string;
  field: string;
}

export interface Secrets {
  /** AES-256-GCM under a key of its own, that key wrapped by the master key. */
  seal: (place: Place, plain: Buffer) => Buffer;
  /** Throws when the bytes were changed, moved to another place, or sealed under another master key. */
  open: (place: Place, sealed: Buffer) => Buffer;
}

const version = 1;
const nonceBytes = 12;
const tagBytes = 16;
const keyBytes = 32;
const wrappedBytes = nonceBytes + keyBytes + tagBytes;

/** Layout of a sealed secret: version (1 B), wrapped key (60 B), nonce (12 B), ciphertext, tag (16 B). */
export function createSecrets(master: Buffer): Secrets {
  return {
    seal(place, plain) {
      const key = randomBytes(keyBytes);
      const aad = aadOf(place);
      return Buffer.concat([Buffer.of(version), encrypt(master, aad, key), encrypt(key, aad, plain)]);
    },
    open(place, sealed) {
      if (sealed[0] !== version) throw new Error('A sealed secret has an unknown version');
      const aad = aadOf(place);
      const key = decrypt(master, aad, sealed.subarray(1, 1 + wrappedBytes));
      return decrypt(key, aad, sealed.subarray(1 + wrappedBytes));
    },
  };
}

/** The master key: from the environment, else from a 0600 file in the data directory, made on first use. */
export async function loadMasterKey(given: string | undefined, dataDir: string): Promise<Buffer> {
  if (given !== undefined) return Buffer.from(given, 'base64');
  const path = join(dataDir, 'master.key');
  await mkdir(dataDir, { recursive: true });
  await writeFile(path, randomBytes(keyBytes).toString('base64'), { mode: 0o600, flag: 'wx' }).catch(
    (error: unknown) => {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
    },
  );
  const key = Buffer.from(await readFile(path, 'utf8'), 'base64');
  if (key.length !== keyBytes) throw new Error(`${path} does not hold a 32-byte key`);
  return key;
}

const aadOf = ({ org, table, field }: Place) => Buffer.from(JSON.stringify([version, org, table, field]));

function encrypt(key: Buffer, aad: Buffer, plain: Buffer): Buffer {
  const nonce = randomBytes(nonceBytes);
  const cipher = createCipheriv('aes-256-gcm', key, nonce).setAAD(aad);
  return Buffer.concat([nonce, cipher.update(plain), cipher.final(), cipher.getAuthTag()]);
}

function decrypt(key: Buffer, aad: Buffer, sealed: Buffer): Buffer {
  const decipher = createDecipheriv('aes-256-gcm', key, sealed.subarray(0, nonceBytes)).setAAD(aad);
  decipher.setAuthTag(sealed.subarray(-tagBytes));
  return Buffer.concat([decipher.update(sealed.subarray(nonceBytes, -tagBytes)), decipher.final()]);
}
