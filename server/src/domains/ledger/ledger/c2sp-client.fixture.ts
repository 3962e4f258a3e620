import { createHash, createPublicKey, verify } from 'node:crypto';

/**
 * A reader of a tiled log, written from the C2SP texts signed-note, tlog-checkpoint and tlog-tiles alone. It shares no
 * code with the product, so that it fails where the product deviates from the published format.
 */
export async function readTiledLog(prefix: string, vkey: string, headers: Record<string, string> = {}) {
  const get = async (path: string): Promise<Buffer> => {
    const response = await fetch(`${prefix}/${path}`, { headers });
    if (!response.ok) throw new Error(`${path}: ${response.status}`);
    return Buffer.from(await response.arrayBuffer());
  };
  const note = (await get('checkpoint')).toString();
  const { origin, size, root } = openNote(note, vkey);
  const [leaves, entries] = [[] as Buffer[], [] as string[]];
  for (let n = 0; n * 256 < size; n += 1) {
    const width = Math.min(256, size - n * 256);
    const path = `${pathOf(n)}${width < 256 ? `.p/${width}` : ''}`;
    const tile = await get(`tile/0/${path}`);
    if (tile.length !== width * 32) throw new Error(`tile/0/${path} has ${tile.length} bytes`);
    for (let at = 0; at < tile.length; at += 32) leaves.push(tile.subarray(at, at + 32));
    for (const entry of entriesOf(await get(`tile/entries/${path}`))) entries.push(entry.toString());
  }
  if (entries.length !== size) throw new Error(`${entries.length} of ${size} entries`);
  for (const [index, entry] of entries.entries()) {
    if (!hash(Buffer.of(0), Buffer.from(entry)).equals(leaves[index] as Buffer)) throw new Error(`entry ${index}`);
  }
  await checkUpperTiles(get, size, leaves);
  if (!treeHash(leaves).equals(root)) throw new Error('The tiles do not match the root of the checkpoint');
  return { origin, size, entries };
}

const hash = (...parts: Buffer[]): Buffer => createHash('sha256').update(Buffer.concat(parts)).digest();

/** RFC 6962, section 2.1. */
function treeHash(leaves: readonly Buffer[]): Buffer {
  if (leaves.length === 1) return leaves[0] as Buffer;
  let split = 1;
  while (split * 2 < leaves.length) split *= 2;
  return hash(Buffer.of(1), treeHash(leaves.slice(0, split)), treeHash(leaves.slice(split)));
}

/** Every hash of an upper tile is the tree hash of a full tile below it. */
async function checkUpperTiles(get: (path: string) => Promise<Buffer>, size: number, leaves: readonly Buffer[]) {
  for (let [level, span] = [1, 256]; span <= size; level += 1, span *= 256) {
    const count = Math.floor(size / span);
    for (let n = 0; n * 256 < count; n += 1) {
      const width = Math.min(256, count - n * 256);
      const tile = await get(`tile/${level}/${pathOf(n)}${width < 256 ? `.p/${width}` : ''}`);
      for (let at = 0; at < width; at += 1) {
        const from = (n * 256 + at) * span;
        const expected = treeHash(leaves.slice(from, from + span));
        if (!tile.subarray(at * 32, at * 32 + 32).equals(expected)) throw new Error(`tile/${level}/${pathOf(n)}`);
      }
    }
  }
}

/** 1234067 is x001/x234/067. */
function pathOf(n: number): string {
  const groups = [String(n % 1000).padStart(3, '0')];
  for (let rest = Math.floor(n / 1000); rest > 0; rest = Math.floor(rest / 1000)) {
    groups.unshift(`x${String(rest % 1000).padStart(3, '0')}`);
  }
  return groups.join('/');
}

function* entriesOf(bundle: Buffer): Generator<Buffer> {
  for (let at = 0; at < bundle.length; ) {
    const length = bundle.readUInt16BE(at);
    yield bundle.subarray(at + 2, at + 2 + length);
    at += 2 + length;
  }
}

/**
 * Verifies the ML-DSA-44 signature of a checkpoint with a verifier key, written from C2SP tlog-cosignature and FIPS 204 in
 * OpenSSL. Returns its time in seconds since 1970. Throws without a valid one.
 */
export function openMlDsaNote(note: string, vkey: string): number {
  const [name = '', , ...keyText] = vkey.split('+');
  const key = Buffer.from(keyText.join('+'), 'base64');
  const id = hash(Buffer.from(`${name}\n`), key).subarray(0, 4);
  const signatures = note
    .split('\n')
    .filter((line) => line.startsWith(`— ${name} `))
    .map((line) => Buffer.from(line.split(' ')[2] ?? '', 'base64'));
  const found = signatures.find((one) => one.subarray(0, 4).equals(id));
  if (key[0] !== 6 || key.length !== 1313 || found?.length !== 4 + 8 + 2420) {
    throw new Error('No ML-DSA-44 signature of this key');
  }
  const [origin = '', size = '', root = ''] = note.split('\n');
  const [time, signature] = [found.subarray(4, 12), found.subarray(12)];
  const uint64 = (value: bigint) => {
    const bytes = Buffer.alloc(8);
    bytes.writeBigUInt64BE(value);
    return bytes;
  };
  const withLength = (text: string) => Buffer.concat([Buffer.of(Buffer.byteLength(text)), Buffer.from(text)]);
  const message = Buffer.concat([
    Buffer.from('subtree/v1\n\0'),
    withLength(name),
    time,
    withLength(origin),
    uint64(0n),
    uint64(BigInt(size)),
    Buffer.from(root, 'base64'),
  ]);
  // SubjectPublicKeyInfo with the object identifier of ML-DSA-44.
  const prefix = Buffer.from('30820532300b060960864801650304031103820521' + '00', 'hex');
  const publicKey = createPublicKey({ key: Buffer.concat([prefix, key.subarray(1)]), format: 'der', type: 'spki' });
  if (!verify(null, message, publicKey, signature)) throw new Error('The ML-DSA-44 signature is invalid');
  return Number(time.readBigUInt64BE());
}

/** Verifies the Ed25519 signature of a checkpoint with a verifier key `NAME+HASH+BASE64`. */
function openNote(note: string, vkey: string): { origin: string; size: number; root: Buffer } {
  // Base64 may contain a plus sign too.
  const [name = '', , ...keyText] = vkey.split('+');
  const key = Buffer.from(keyText.join('+'), 'base64');
  const text = note.slice(0, note.indexOf('\n\n') + 1);
  const line = note.split('\n').find((one) => one.startsWith(`— ${name} `));
  const signature = Buffer.from(line?.split(' ')[2] ?? '', 'base64');
  if (key[0] !== 1 || signature.length !== 68) throw new Error('No Ed25519 signature of this key');
  if (
    !hash(Buffer.from(`${name}\n`), key)
      .subarray(0, 4)
      .equals(signature.subarray(0, 4))
  )
    throw new Error('key ID');
  const publicKey = createPublicKey({
    key: { kty: 'OKP', crv: 'Ed25519', x: key.subarray(1).toString('base64url') },
    format: 'jwk',
  });
  if (!verify(null, Buffer.from(text), publicKey, signature.subarray(4))) throw new Error('The signature is invalid');
  const [origin = '', size = '', root = ''] = text.split('\n');
  return { origin, size: Number(size), root: Buffer.from(root, 'base64') };
}
