import { type Bytes, equalBytes } from './bytes.ts';
import { sha256 } from './sha256.ts';

/** A value of ASN.1 in DER: its tag, and its content. */
interface DerValue {
  readonly tag: number;
  readonly content: Bytes;
}

const [octets, sequence, explicit] = [0x04, 0x30, 0xa0] as const;
const sha256Identifier = Uint8Array.of(0x06, 9, 0x60, 0x86, 0x48, 1, 0x65, 3, 4, 2, 1);

/**
 * Whether bytes are a granted time-stamp response (RFC 3161) for these bytes by SHA-256. Does not verify who signed it:
 * that requires the certificates of an authority.
 */
export function isTimestampOf(response: Bytes, of: Bytes): boolean {
  try {
    const [answer, ...more] = valuesIn(response);
    const [status, token] = partsOf(answer, sequence);
    const [granted] = partsOf(status, sequence);
    const [, signedData] = partsOf(token, sequence);
    const [, , contentInfo] = partsOf(partsOf(signedData, explicit)[0], sequence);
    const [, content] = partsOf(contentInfo, sequence);
    const [info] = valuesIn(contentOf(partsOf(content, explicit)[0], octets));
    const [, , imprint] = partsOf(info, sequence);
    const [algorithm, hashed] = partsOf(imprint, sequence);
    return (
      more.length === 0 &&
      (granted?.content[0] ?? 2) < 2 &&
      granted?.content.length === 1 &&
      startsWith(contentOf(algorithm, sequence), sha256Identifier) &&
      equalBytes(contentOf(hashed, octets), sha256(of))
    );
  } catch {
    return false;
  }
}

const startsWith = (bytes: Bytes, start: Bytes): boolean => equalBytes(bytes.subarray(0, start.length), start);

function contentOf(value: DerValue | undefined, tag: number): Bytes {
  if (value?.tag !== tag) throw new Error('The value has another type');
  return value.content;
}

const partsOf = (value: DerValue | undefined, tag: number): DerValue[] => valuesIn(contentOf(value, tag));

/** Parses a series of values. Throws for a length that is indefinite or exceeds the bytes. */
function valuesIn(bytes: Bytes): DerValue[] {
  const values: DerValue[] = [];
  for (let at = 0; at < bytes.length; ) {
    const [tag = 0, first = 0x80] = bytes.subarray(at, at + 2);
    const lengthBytes = first < 0x80 ? 0 : first - 0x80;
    if (first === 0x80 || lengthBytes > 4) throw new Error('The length is not definite');
    const start = at + 2 + lengthBytes;
    const length = first < 0x80 ? first : bytes.subarray(at + 2, start).reduce((sum, byte) => sum * 256 + byte, 0);
    if (start + length > bytes.length) throw new Error('The value is truncated');
    values.push({ tag, content: bytes.subarray(start, start + length) });
    at = start + length;
  }
  return values;
}
