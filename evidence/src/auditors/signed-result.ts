import { getPublicKey } from '@noble/ed25519';
import { danglingReferencesIn } from '../bundle/oscal.ts';
import { type Bytes, concat, fromBase64, fromHex, textOf, toBase64, toHex, utf8 } from '../ledger/bytes.ts';
import { type CanonicalValue, isList, isRecord } from '../ledger/canonical.ts';
import { noteAlgorithms } from '../ledger/note-algorithms.ts';
import { keyIdOf, pemOf } from '../ledger/pem.ts';

/** The payload type of the result of an auditor. */
export const resultType = 'application/oscal+json';

/** A DSSE envelope (https://github.com/secure-systems-lab/dsse) with the public key as PEM. `payload`, `sig`: base64. */
export interface SignedResult {
  readonly payload: string;
  readonly payloadType: typeof resultType;
  readonly signatures: readonly { readonly keyid: string; readonly sig: string }[];
  readonly publicKey: string;
}

/** What a valid result states. */
export interface VerifiedResult {
  readonly document: { readonly [key: string]: CanonicalValue };
  /** Hex SHA-256 of the public key in DER form. */
  readonly keyId: string;
  readonly title: string;
  readonly findings: readonly ResultFinding[];
  /** The hashes of the bundles that the auditor read, hex. */
  readonly bundles: readonly string[];
}

export interface ResultFinding {
  readonly title: string;
  readonly control: string;
  readonly conclusion: string;
  readonly isSatisfied: boolean;
}

const signedBytes = (payload: Bytes): Bytes =>
  concat(utf8(`DSSEv1 ${utf8(resultType).length} ${resultType} ${payload.length} `), payload);

/** Signs the text of a result with the 32 secret bytes of an Ed25519 key. */
export function signResult(text: string, secretKey: Bytes): SignedResult {
  const payload = utf8(text);
  const publicKey = getPublicKey(secretKey);
  const sig = toBase64(noteAlgorithms.ed25519.sign(signedBytes(payload), secretKey));
  return {
    payload: toBase64(payload),
    payloadType: resultType,
    signatures: [{ keyid: keyIdOf(publicKey), sig }],
    publicKey: pemOf(publicKey),
  };
}

/**
 * Verifies the signature of a result with its own key, and that it is OSCAL assessment results with findings. Throws with
 * the reason otherwise. Whose key it is must be compared elsewhere.
 */
export function verifyResult(value: unknown): VerifiedResult {
  const { payload, payloadType, signatures, publicKey } = (value ?? {}) as Partial<SignedResult>;
  if (payloadType !== resultType || typeof payload !== 'string' || typeof publicKey !== 'string')
    throw new Error(`The result is not a signed envelope of the type ${resultType}`);
  const key = publicKeyOfPem(publicKey);
  const [signature, ...others] = Array.isArray(signatures) ? signatures : [];
  if (!signature || others.length > 0) throw new Error('The result needs exactly one signature');
  const bytes = fromBase64(payload);
  if (signature.keyid !== keyIdOf(key)) throw new Error('The signature is by another key');
  if (!noteAlgorithms.ed25519.verify(fromBase64(String(signature.sig)), signedBytes(bytes), key))
    throw new Error('The signature does not match the result');
  return { keyId: signature.keyid, ...contentOf(JSON.parse(textOf(bytes)) as CanonicalValue) };
}

function contentOf(document: CanonicalValue): Omit<VerifiedResult, 'keyId'> {
  const root = recordOf(recordOf(document)['assessment-results']);
  const dangling = danglingReferencesIn(document);
  if (dangling.length > 0) throw new Error(`The result has a reference without a target: ${dangling[0]}`);
  const title = recordOf(root.metadata).title;
  const findings = listOf(root.results)
    .flatMap((result) => listOf(recordOf(result).findings))
    .map(findingOf);
  if (typeof title !== 'string' || findings.length === 0) throw new Error('The result is not OSCAL assessment results');
  const bundles = listOf(recordOf(root['back-matter']).resources)
    .flatMap((resource) => listOf(recordOf(resource).rlinks))
    .flatMap((link) => listOf(recordOf(link).hashes ?? []))
    .map((hash) => String(recordOf(hash).value));
  return { document: recordOf(document), title, findings, bundles };
}

function findingOf(value: CanonicalValue): ResultFinding {
  const { title, target, props = [] } = recordOf(value);
  const { 'target-id': control, status } = recordOf(target);
  const conclusion = listOf(props).find((prop) => recordOf(prop).name === 'conclusion');
  const { state } = recordOf(status);
  if (typeof control !== 'string' || (state !== 'satisfied' && state !== 'not-satisfied'))
    throw new Error('A finding of the result has no control or state');
  return {
    title: String(title),
    control,
    conclusion: conclusion === undefined ? state : String(recordOf(conclusion).value),
    isSatisfied: state === 'satisfied',
  };
}

function recordOf(value: CanonicalValue | undefined): { readonly [key: string]: CanonicalValue } {
  if (value === undefined || !isRecord(value)) throw new Error('The result is not OSCAL assessment results');
  return value;
}

function listOf(value: CanonicalValue | undefined): readonly CanonicalValue[] {
  if (value === undefined || !isList(value)) throw new Error('The result is not OSCAL assessment results');
  return value;
}

// The prefix of the 32 secret bytes in PKCS #8 (RFC 8410, 7), and of the public ones in SubjectPublicKeyInfo.
const privatePrefix = '302e020100300506032b657004220420';
const publicPrefix = '302a300506032b6570032100';

/** An Ed25519 private key as PEM. */
export const privatePemOf = (secretKey: Bytes): string =>
  `-----BEGIN PRIVATE KEY-----\n${toBase64(concat(fromHex(privatePrefix), secretKey))}\n-----END PRIVATE KEY-----\n`;

/** The 32 secret bytes of an Ed25519 private key, as `openssl genpkey -algorithm ed25519` writes it. Throws for others. */
export const secretKeyOfPem = (pem: string): Bytes => bytesOfPem(pem, 'PRIVATE', privatePrefix);

const publicKeyOfPem = (pem: string): Bytes => bytesOfPem(pem, 'PUBLIC', publicPrefix);

function bytesOfPem(pem: string, kind: 'PRIVATE' | 'PUBLIC', prefix: string): Bytes {
  const [, body = ''] =
    new RegExp(`^-----BEGIN ${kind} KEY-----\\s([A-Za-z0-9+/=\\s]+)-----END ${kind} KEY-----\\s*$`).exec(pem.trim()) ??
    [];
  const der = fromBase64(body.replace(/\s/g, ''));
  if (toHex(der.slice(0, prefix.length / 2)) !== prefix || der.length !== prefix.length / 2 + 32)
    throw new Error(`Not an Ed25519 ${kind.toLowerCase()} key as PEM`);
  return der.slice(prefix.length / 2);
}
