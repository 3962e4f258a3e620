import { randomBytes, webcrypto } from 'node:crypto';
import * as asn1 from 'asn1js';
import { AttributeTypeAndValue, Certificate, CryptoEngine } from 'pkijs';

const YEARS = 20;
const COMMON_NAME = '2.5.4.3';

/**
 * Creates the key pair that signs requests, with a self-signed certificate. Identity providers compare the key, so that the
 * certificate is valid for long: a new connection has a new one.
 */
export async function createSigningCertificate(name: string): Promise<{ privateKey: string; certificate: string }> {
  const { subtle } = webcrypto;
  const algorithm = {
    name: 'RSASSA-PKCS1-v1_5',
    hash: 'SHA-256',
    modulusLength: 3072,
    publicExponent: new Uint8Array([1, 0, 1]),
  };
  const keys = await subtle.generateKey(algorithm, true, ['sign', 'verify']);
  const engine = new CryptoEngine({
    crypto: webcrypto as never,
    subtle: subtle as never,
    name: 'node',
  });
  const certificate = new Certificate();
  certificate.version = 2;
  certificate.serialNumber = new asn1.Integer({ valueHex: positive(randomBytes(16)) });
  const common = new AttributeTypeAndValue({
    type: COMMON_NAME,
    value: new asn1.Utf8String({ value: name.slice(0, 64) }),
  });
  certificate.issuer.typesAndValues.push(common);
  certificate.subject.typesAndValues.push(common);
  const from = new Date();
  certificate.notBefore.value = from;
  certificate.notAfter.value = new Date(Date.UTC(from.getUTCFullYear() + YEARS, from.getUTCMonth(), 1));
  await certificate.subjectPublicKeyInfo.importKey(keys.publicKey as never, engine);
  await certificate.sign(keys.privateKey as never, 'SHA-256', engine);
  const exported = Buffer.from(await subtle.exportKey('pkcs8', keys.privateKey));
  return {
    privateKey: toPem('PRIVATE KEY', exported),
    certificate: toPem('CERTIFICATE', Buffer.from(certificate.toSchema(true).toBER(false))),
  };
}

/** Serial numbers are positive. */
const positive = (bytes: Buffer): ArrayBuffer => {
  const copy = new Uint8Array(bytes);
  copy[0] = ((copy[0] ?? 0) & 0x7f) | 0x40;
  return copy.buffer;
};

const toPem = (label: string, der: Buffer): string =>
  `-----BEGIN ${label}-----\n${der.toString('base64').replace(/.{64}/g, '$&\n').trimEnd()}\n-----END ${label}-----\n`;
