import { createHash, randomBytes, X509Certificate } from 'node:crypto';
import { rootCertificates } from 'node:tls';
import * as asn1 from 'asn1js';
import {
  AlgorithmIdentifier,
  Certificate,
  id_eContentType_TSTInfo,
  id_sha256,
  MessageImprint,
  SignedData,
  TimeStampReq,
  TimeStampResp,
  TSTInfo,
} from 'pkijs';
import { UpstreamFailed } from '#core/errors.ts';
import type { Outbound } from '#core/outbound.ts';

export interface TimeStamp {
  at: Date;
  /** The name in the certificate of the signer. */
  authority: string;
  /** The complete response in the format of `openssl ts`. */
  der: Buffer;
}

/**
 * Requests a time stamp of `data` from a time-stamping authority (RFC 3161) and verifies it. `certificates`: the
 * trusted roots as PEM; the default roots of Node.js if empty. Throws `UpstreamFailed` for an invalid time stamp.
 */
export async function requestTimeStamp(
  outbound: Outbound,
  { url, certificates }: { url: string; certificates: string },
  data: Buffer,
): Promise<TimeStamp> {
  const nonce = newNonce();
  const answer = await outbound.fetch(
    'url',
    url,
    { method: 'POST', headers: { 'content-type': 'application/timestamp-query' }, body: requestOf(data, nonce) },
    { timeout: 30_000, size: 64 * 1024 },
  );
  if (answer.status !== 200) throw UpstreamFailed(`The time-stamping authority answered ${answer.status}.`);
  const said = await verifyTimeStamp(answer.bytes, data, certificates);
  if (!said.nonce?.equals(nonce)) throw UpstreamFailed('The time stamp answers another request.');
  // Allows for clock skew.
  if (Math.abs(Date.now() - said.at.getTime()) > MAX_SKEW_MS) {
    throw UpstreamFailed(`The time stamp says ${said.at.toISOString()}, which is not now.`);
  }
  return { at: said.at, authority: said.authority, der: answer.bytes };
}

const MAX_SKEW_MS = 60 * 60 * 1000;

/** Creates a positive nonce without a leading zero byte, so that its DER encoding is unambiguous. */
function newNonce(): Buffer {
  const nonce = randomBytes(8);
  nonce[0] = ((nonce[0] ?? 0) & 0x3f) | 0x40;
  return nonce;
}

function requestOf(data: Buffer, nonce: Buffer): Buffer {
  const request = new TimeStampReq({
    version: 1,
    messageImprint: new MessageImprint({
      hashAlgorithm: new AlgorithmIdentifier({ algorithmId: id_sha256, algorithmParams: new asn1.Null() }),
      hashedMessage: new asn1.OctetString({ valueHex: bytesOf(createHash('sha256').update(data).digest()) }),
    }),
    nonce: new asn1.Integer({ valueHex: bytesOf(nonce) }),
    certReq: true,
  });
  return Buffer.from(request.toSchema().toBER());
}

/** Verifies a time stamp of `data`. Throws `UpstreamFailed` unless an authority with a trusted root signed it. */
export async function verifyTimeStamp(
  der: Buffer,
  data: Buffer,
  certificates: string,
): Promise<{ at: Date; authority: string; nonce: Buffer | undefined }> {
  const signed = signedOf(der);
  if (signed.encapContentInfo.eContentType !== id_eContentType_TSTInfo || !signed.encapContentInfo.eContent) {
    throw UpstreamFailed('The answer holds no time stamp.');
  }
  const info = TSTInfo.fromBER(signed.encapContentInfo.eContent.getValue());
  if (info.messageImprint.hashAlgorithm.algorithmId !== id_sha256) {
    throw UpstreamFailed('The time stamp is over another hash than SHA-256.');
  }
  const { signerCertificate, signatureVerified } = await signed
    .verify({
      signer: 0,
      data: bytesOf(data),
      checkChain: true,
      trustedCerts: rootsOf(certificates),
      extendedMode: true,
    })
    .catch((error: Error) => {
      throw UpstreamFailed('The time stamp cannot be believed.', error.message);
    });
  if (!signatureVerified || !signerCertificate) throw UpstreamFailed('The signature of the time stamp is wrong.');
  const certificate = new X509Certificate(Buffer.from(signerCertificate.toSchema().toBER()));
  if (!certificate.keyUsage?.includes(forTimeStamping)) {
    throw UpstreamFailed('The certificate of the time stamp is not one for time stamps.');
  }
  const nonce = info.nonce && Buffer.from(info.nonce.valueBlock.valueHexView);
  return { at: info.genTime, authority: nameOf(certificate), nonce };
}

/** Whether a previously verified time stamp is of `data`. Does not verify the signature. */
export function isTimeStampOf(der: Buffer, data: Buffer): boolean {
  try {
    const content = signedOf(der).encapContentInfo.eContent;
    if (!content) return false;
    const hash = Buffer.from(TSTInfo.fromBER(content.getValue()).messageImprint.hashedMessage.valueBlock.valueHexView);
    return hash.equals(createHash('sha256').update(data).digest());
  } catch {
    return false;
  }
}

const forTimeStamping = '1.3.6.1.5.5.7.3.8';

function signedOf(der: Buffer): SignedData {
  let answer: TimeStampResp;
  try {
    answer = TimeStampResp.fromBER(bytesOf(der));
  } catch {
    throw UpstreamFailed('What was answered is no time stamp.');
  }
  // 0 is granted, 1 is granted with modifications (RFC 3161, section 2.4.2).
  if (answer.status.status > 1 || !answer.timeStampToken) {
    throw UpstreamFailed(
      'The time-stamping authority refused.',
      `Its status is ${answer.status.status} (RFC 3161, 2.4.2).`,
    );
  }
  try {
    return new SignedData({ schema: answer.timeStampToken.content });
  } catch {
    throw UpstreamFailed('What was answered is no time stamp.');
  }
}

/** Parses the root certificates of a PEM text. Throws for damaged certificates. */
function rootsOf(pem: string): Certificate[] {
  const texts =
    pem === '' ? rootCertificates : (pem.match(/-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----/g) ?? []);
  return texts.map((text) => Certificate.fromBER(bytesOf(new X509Certificate(text).raw)));
}

/** Whether a text contains valid certificates as PEM. */
export function areCertificates(pem: string): boolean {
  try {
    return rootsOf(pem).length > 0;
  } catch {
    return false;
  }
}

const nameOf = ({ subject }: X509Certificate): string =>
  /^CN=(.+)$/m.exec(subject)?.[1] ?? subject.replaceAll('\n', ', ');

/** Copies bytes into a separate buffer, because small `Buffer`s share one. */
const bytesOf = (bytes: Uint8Array): ArrayBuffer => Uint8Array.from(bytes).buffer;
