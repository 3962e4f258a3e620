import { createPrivateKey, hkdfSync, randomBytes, sign } from 'node:crypto';
import { type Bytes, toHex } from '@sightline/evidence/ledger/bytes.ts';
import { type Cosigner, cosignerOf } from '@sightline/evidence/ledger/cosignature.ts';
import {
  parseVerifier,
  publicKeyOf,
  type Signer,
  type Verifier,
  verifierOf,
  verifierText,
} from '@sightline/evidence/ledger/note.ts';
import type { LedgerLog } from '#core/ledger-log.ts';
import type { Tx } from '#database/database.ts';

/** A key that signs checkpoints of an epoch. */
export interface SigningKey {
  id: string;
  verifier: Verifier;
  vkey: string;
  signer: Signer;
  /** Its key of ML-DSA-44 under the same name, for the published checkpoint (C2SP tlog-checkpoint). */
  cosigner: Cosigner;
}

/** Creates the key that signs from `fromSize` on. */
export async function createSigningKey(
  tx: Tx,
  {
    ledgerLog: { secrets },
    orgId,
    log,
    fromSize,
  }: { ledgerLog: Pick<LedgerLog, 'secrets'>; orgId: string; log: { epoch: number; origin: string }; fromSize: number },
): Promise<SigningKey> {
  const secret = randomBytes(32);
  const verifier = verifierOf(log.origin, publicKeyOf(new Uint8Array(secret)));
  const key = {
    id: toHex(verifier.id),
    verifier,
    vkey: verifierText(verifier),
    signer: createOpensslSigner(verifier, secret),
    cosigner: cosignerFrom(verifier.name, secret),
  };
  await tx.query({
    name: 'ledger.new-key',
    text: `insert into signing_key (org_id, key_id, epoch, vkey, cosigner_vkey, secret, from_size) values ($1, $2, $3, $4, $5, $6, $7)`,
    values: [
      orgId,
      key.id,
      log.epoch,
      key.vkey,
      verifierText(key.cosigner.verifier),
      secrets.seal(sealContextOf(orgId, key.id), secret),
      fromSize,
    ],
  });
  return key;
}

/** The current signing key. Throws if there is none. */
export async function openSigningKey(
  tx: Tx,
  { secrets }: Pick<LedgerLog, 'secrets'>,
  orgId: string,
  epoch: number,
): Promise<SigningKey> {
  const [row] = await tx.query<KeyRow>({
    name: 'ledger.key',
    text: 'select key_id, vkey, secret from signing_key where org_id = $1 and epoch = $2 and to_size is null',
    values: [orgId, epoch],
  });
  return signingKeyOf(secrets, orgId, row);
}

/** The current or former signing key for checkpoints of a size. Throws if there is none. */
export async function openSigningKeyOfSize(
  tx: Tx,
  { secrets }: Pick<LedgerLog, 'secrets'>,
  orgId: string,
  { epoch, size }: { epoch: number; size: number },
): Promise<SigningKey> {
  const [row] = await tx.query<KeyRow>({
    name: 'ledger.key-of',
    text: `select key_id, vkey, secret from signing_key
           where org_id = $1 and epoch = $2 and from_size <= $3 and (to_size is null or $3 <= to_size) order by from_size limit 1`,
    values: [orgId, epoch, size],
  });
  return signingKeyOf(secrets, orgId, row);
}

interface KeyRow extends Record<string, unknown> {
  key_id: string;
  vkey: string;
  secret: Buffer;
}

function signingKeyOf(secrets: LedgerLog['secrets'], orgId: string, row: KeyRow | undefined): SigningKey {
  if (row === undefined) throw new Error('The ledger has no signing key');
  const secret = secrets.open(sealContextOf(orgId, row.key_id), row.secret);
  const verifier = parseVerifier(row.vkey);
  return {
    id: row.key_id,
    vkey: row.vkey,
    verifier,
    signer: createOpensslSigner(verifier, secret),
    cosigner: cosignerFrom(verifier.name, secret),
  };
}

/**
 * Derives the key of ML-DSA-44 from the secret of a signing key, so that both are created, sealed and replaced together. A
 * quantum computer that breaks Ed25519 finds the scalar of the key, which is a hash of this secret, and not the secret.
 */
function cosignerFrom(name: string, secret: Bytes): Cosigner {
  const seed = hkdfSync('sha256', secret, new Uint8Array(0), 'sightline.dev/ledger-key/ml-dsa-44', 32);
  return cosignerOf(name, 'ml-dsa-44-cosignature', new Uint8Array(seed));
}

/** A signer that uses OpenSSL, ten times as fast as the JavaScript implementation of verifiers. `secret`: 32 bytes. */
export function createOpensslSigner({ name, publicKey }: Pick<Signer, 'name' | 'publicKey'>, secret: Bytes): Signer {
  const key = createPrivateKey({ key: Buffer.concat([pkcs8Prefix, secret]), format: 'der', type: 'pkcs8' });
  return { name, publicKey, sign: (message) => new Uint8Array(sign(null, message, key)) };
}

// The prefix of the 32 bytes of an Ed25519 key in PKCS #8 (RFC 8410, 10.3).
const pkcs8Prefix = Buffer.from('302e020100300506032b657004220420', 'hex');

const sealContextOf = (org: string, keyId: string) => ({ org, table: 'signing_key', field: keyId });

/** The public keys of all current and former signing keys of an epoch. */
export async function verifiersOf(tx: Tx, orgId: string, epoch: number): Promise<Verifier[]> {
  const rows = await tx.query<{ vkey: string }>({
    name: 'ledger.verifiers',
    text: 'select vkey from signing_key where org_id = $1 and epoch = $2 order by from_size',
    values: [orgId, epoch],
  });
  return rows.map(({ vkey }) => parseVerifier(vkey));
}
