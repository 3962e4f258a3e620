import { type Bytes, concat, toBase64, utf8 } from '../ledger/bytes.ts';
import type { Signer } from '../ledger/note.ts';
import { keyIdOf } from '../ledger/pem.ts';

/** The payload type of in-toto statements. */
export const statementType = 'application/vnd.in-toto+json';

/** A DSSE envelope (https://github.com/secure-systems-lab/dsse). `payload`, `sig`: base64. */
export interface DsseEnvelope {
  payload: string;
  payloadType: typeof statementType;
  signatures: { keyid: string; sig: string }[];
}

/** The bytes that a signature of an envelope covers. No signed note starts with them. */
const preAuthEncoding = (payloadType: string, payload: Bytes): Bytes =>
  concat(utf8(`DSSEv1 ${utf8(payloadType).length} ${payloadType} ${payload.length} `), payload);

/** Signs an in-toto statement as a DSSE envelope. */
export function signStatement(payload: Bytes, { publicKey, sign }: Omit<Signer, 'name'>): DsseEnvelope {
  const sig = toBase64(sign(preAuthEncoding(statementType, payload)));
  return { payload: toBase64(payload), payloadType: statementType, signatures: [{ keyid: keyIdOf(publicKey), sig }] };
}
