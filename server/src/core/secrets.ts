import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';
import { type MasterKeySource, masterKeyId } from './master-keys.ts';

/** Where a secret lives. Bound into the seal, so that a row moved elsewhere no longer opens. */
export interface SecretLocation {
  /** The organization, or `-` for what belongs to the installation itself. */
  org: string;
  table: string;
  field: string;
}

export interface Secrets {
  /** AES-256-GCM under a key of its own, that key wrapped by the master key. */
  seal: (place: SecretLocation, plain: Buffer) => Buffer;
  /** Throws when the bytes were changed, moved to another place, or sealed under a master key that is not here. */
  open: (place: SecretLocation, sealed: Buffer) => Buffer;
  /** The same secret, its key wrapped by the master key that seals now. Throws as `open` does. */
  rewrap: (sealed: Buffer) => Buffer;
  /** What a secret begins with that is sealed under a master key; without one, under the one that seals now. */
  headerOf: (masterKey?: Buffer) => Buffer;
}

const version = 2;
const idBytes = 8;
const headerBytes = 1 + idBytes;
const nonceBytes = 12;
const tagBytes = 16;
const keyBytes = 32;
const wrappedBytes = nonceBytes + keyBytes + tagBytes;
/** How often the source is asked whether its keys are others, in milliseconds. */
const lookEvery = 1_000;

/**
 * Layout of a sealed secret: version (1 B), id of the master key (8 B), wrapped key (60 B), nonce (12 B), ciphertext, tag (16 B). The
 * place is bound to the ciphertext alone, so that a rotation of the master key needs to know none.
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
    seal(place, plain) {
      const key = randomBytes(keyBytes);
      return Buffer.concat([wrap(key), encrypt(key, aadOf(place), plain)]);
    },
    open: (place, sealed) => decrypt(unwrap(sealed), aadOf(place), sealed.subarray(bodyAt)),
    rewrap: (sealed) => Buffer.concat([wrap(unwrap(sealed)), sealed.subarray(bodyAt)]),
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

/** Master keys by their id. They are read again when their source changed, or when one is missing. */
function createRing(source: MasterKeySource) {
  let known = new Map<string, Buffer>();
  let current: { header: Buffer; master: Buffer } = { header: Buffer.alloc(0), master: Buffer.alloc(0) };
  let stamp = '';
  let lookedAt = Number.NEGATIVE_INFINITY;
  let readAt = Number.NEGATIVE_INFINITY;
  const read = () => {
    stamp = source.stamp();
    const keys = source.read();
    current = { header: headerOf(keys.current), master: keys.current };
    known = new Map([keys.current, ...keys.others].map((key) => [masterKeyId(key), key]));
    [lookedAt, readAt] = [performance.now(), performance.now()];
  };
  read();
  return {
    current() {
      if (performance.now() - lookedAt > lookEvery) {
        lookedAt = performance.now();
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
