import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';
import { type MasterKeySource, masterKeyId } from './master-keys.ts';

/** The location of a secret. It is bound to the ciphertext, so that a secret moved to another row cannot be opened. */
export interface SecretLocation {
  /** The organization, or `-` for secrets of the installation. */
  org: string;
  table: string;
  field: string;
}

export interface Secrets {
  /** Encrypts with AES-256-GCM under a new key, which is wrapped by the master key. */
  seal: (location: SecretLocation, plain: Buffer) => Buffer;
  /**
   * Throws if the bytes were changed, moved to another location, or sealed under a master key that is not available.
   */
  open: (location: SecretLocation, sealed: Buffer) => Buffer;
  /** Wraps the key of a secret with the current master key. Throws as `open` does. */
  rewrap: (sealed: Buffer) => Buffer;
  /** The key of a secret. Throws as `open` does. Only to wrap it for another installation. */
  unwrapKey: (sealed: Buffer) => Buffer;
  /** The start of a secret with this key, wrapped with the current master key. */
  wrapKey: (key: Buffer) => Buffer;
  /** The header of secrets sealed under a master key; by default the current one. */
  headerOf: (masterKey?: Buffer) => Buffer;
}

const version = 2;
const idBytes = 8;
const headerBytes = 1 + idBytes;
const nonceBytes = 12;
const tagBytes = 16;
const keyBytes = 32;
const wrappedBytes = nonceBytes + keyBytes + tagBytes;
/** How often the source is checked for changed keys, in milliseconds. */
const lookEvery = 1_000;

/**
 * Layout of a sealed secret: version (1 B), master key ID (8 B), wrapped key (60 B), nonce (12 B), ciphertext, tag (16
 * B). Only the ciphertext is bound to the location, so that a rotation of the master key does not need it.
 */
export function createSecrets(source: Buffer | MasterKeySource): Secrets {
  const ring = createRing(Buffer.isBuffer(source) ? constantSource(source) : source);
  const wrap = (key: Buffer): Buffer => {
    const { header, master } = ring.current();
    return Buffer.concat([header, encrypt(master, header, key)]);
  };
  const unwrap = (sealed: Buffer): Buffer => {
    if (sealed[0] !== version) throw new Error('A sealed secret has an unknown version');
    const header = sealed.subarray(0, headerBytes);
    return decrypt(ring.find(header.subarray(1).toString('hex')), header, sealed.subarray(headerBytes, bodyAt));
  };
  return {
    seal(location, plain) {
      const key = randomBytes(keyBytes);
      return Buffer.concat([wrap(key), encrypt(key, aadOf(location), plain)]);
    },
    open: (location, sealed) => decrypt(unwrap(sealed), aadOf(location), sealed.subarray(bodyAt)),
    rewrap: (sealed) => Buffer.concat([wrap(unwrap(sealed)), sealed.subarray(bodyAt)]),
    unwrapKey: unwrap,
    wrapKey: wrap,
    headerOf: (masterKey) => (masterKey ? headerOf(masterKey) : ring.current().header),
  };
}

const bodyAt = headerBytes + wrappedBytes;

const headerOf = (masterKey: Buffer): Buffer =>
  Buffer.concat([Buffer.of(version), Buffer.from(masterKeyId(masterKey), 'hex')]);

const constantSource = (current: Buffer): MasterKeySource => ({
  read: () => ({ current, others: [] }),
  stamp: () => '',
});

/** Caches master keys by ID. Reads them again when their source changed or a key is missing. */
function createRing(source: MasterKeySource) {
  let known = new Map<string, Buffer>();
  let current: { header: Buffer; master: Buffer } = { header: Buffer.alloc(0), master: Buffer.alloc(0) };
  let stamp = '';
  let checkedAt = Number.NEGATIVE_INFINITY;
  let readAt = Number.NEGATIVE_INFINITY;
  const read = () => {
    stamp = source.stamp();
    const keys = source.read();
    current = { header: headerOf(keys.current), master: keys.current };
    known = new Map([keys.current, ...keys.others].map((key) => [masterKeyId(key), key]));
    [checkedAt, readAt] = [performance.now(), performance.now()];
  };
  read();
  return {
    current() {
      if (performance.now() - checkedAt > lookEvery) {
        checkedAt = performance.now();
        if (source.stamp() !== stamp) read();
      }
      return current;
    },
    find(id: string): Buffer {
      if (!known.has(id) && performance.now() - readAt > lookEvery) read();
      const found = known.get(id);
      if (!found) throw new Error(`A secret is encrypted with the master key ${id}, which is not available`);
      return found;
    },
  };
}

const aadOf = ({ org, table, field }: SecretLocation) => Buffer.from(JSON.stringify([version, org, table, field]));

/** Encrypts with AES-256-GCM. `aad`: what the ciphertext is bound to. */
export function encrypt(key: Buffer, aad: Buffer, plain: Buffer): Buffer {
  const nonce = randomBytes(nonceBytes);
  const cipher = createCipheriv('aes-256-gcm', key, nonce).setAAD(aad);
  return Buffer.concat([nonce, cipher.update(plain), cipher.final(), cipher.getAuthTag()]);
}

/** Throws if the bytes were changed, or encrypted under another key or for another `aad`. */
export function decrypt(key: Buffer, aad: Buffer, sealed: Buffer): Buffer {
  const decipher = createDecipheriv('aes-256-gcm', key, sealed.subarray(0, nonceBytes)).setAAD(aad);
  decipher.setAuthTag(sealed.subarray(-tagBytes));
  return Buffer.concat([decipher.update(sealed.subarray(nonceBytes, -tagBytes)), decipher.final()]);
}
