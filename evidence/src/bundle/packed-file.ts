import type { Bytes } from '../ledger/bytes.ts';
import { type ListedFile, listed } from './manifest.ts';
import { type Packed, packed } from './zip-write.ts';

/** A file as it lies in a bundle, and as the manifest lists it. */
export interface PackedFile {
  readonly listed: ListedFile;
  readonly packed: Packed;
}

export const packedFile = (path: string, content: Bytes): PackedFile => ({
  listed: listed(path, content),
  packed: packed(path, content),
});
