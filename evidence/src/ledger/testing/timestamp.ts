import { type Bytes, concat } from '../bytes.ts';
import { sha256 } from '../sha256.ts';

/** A response in the format of a time-stamping authority for these bytes, which no authority signed. */
export function unsignedTimestampOf(of: Bytes): Bytes {
  const version = der(0x02, Uint8Array.of(3));
  const identifier = der(0x06, Uint8Array.of(0x2a, 3));
  const sha256Identifier = Uint8Array.of(0x06, 9, 0x60, 0x86, 0x48, 1, 0x65, 3, 4, 2, 1);
  const imprint = der(0x30, der(0x30, sha256Identifier), der(0x04, sha256(of)));
  const info = der(0x04, der(0x30, version, identifier, imprint));
  const content = der(0x30, identifier, der(0xa0, info));
  const signedData = der(0x30, version, der(0x31), content);
  return der(0x30, der(0x30, der(0x02, Uint8Array.of(0))), der(0x30, identifier, der(0xa0, signedData)));
}

function der(tag: number, ...parts: readonly Bytes[]): Bytes {
  const content = concat(...parts);
  const { length } = content;
  return concat(Uint8Array.of(tag, ...(length < 0x80 ? [length] : [0x81, length])), content);
}
