import { randomBytes, webcrypto } from 'node:crypto';
import * as asn1 from 'asn1js';
import { AttributeTypeAndValue, Certificate, CryptoEngine } from 'pkijs';

export type SigningKey = { privateKey: string; certificate: string };

/** Creates a key with a self-signed certificate, both as PEM. */
export const createSigningKey = async (name: string): Promise<SigningKey> => {
  const { subtle } = webcrypto;
  const algorithm = {
    name: 'RSASSA-PKCS1-v1_5',
    hash: 'SHA-256',
    modulusLength: 2048,
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
  certificate.serialNumber = new asn1.Integer({ valueHex: new Uint8Array([0x40, ...randomBytes(15)]).buffer });
  const common = new AttributeTypeAndValue({ type: '2.5.4.3', value: new asn1.Utf8String({ value: name }) });
  certificate.issuer.typesAndValues.push(common);
  certificate.subject.typesAndValues.push(common);
  const from = new Date();
  certificate.notBefore.value = from;
  certificate.notAfter.value = new Date(Date.UTC(from.getUTCFullYear() + 10, from.getUTCMonth(), 1));
  await certificate.subjectPublicKeyInfo.importKey(keys.publicKey as never, engine);
  await certificate.sign(keys.privateKey as never, 'SHA-256', engine);
  const pem = (label: string, der: ArrayBuffer) =>
    `-----BEGIN ${label}-----\n${Buffer.from(der).toString('base64').replace(/.{64}/g, '$&\n').trimEnd()}\n-----END ${label}-----\n`;
  return {
    privateKey: pem('PRIVATE KEY', await subtle.exportKey('pkcs8', keys.privateKey)),
    certificate: pem('CERTIFICATE', certificate.toSchema(true).toBER(false)),
  };
};
