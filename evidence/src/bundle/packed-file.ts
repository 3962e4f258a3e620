import type { Bytes } from '../ledger/bytes.ts';
import { listed } from './manifest.ts';
import type { PackedFile } from './packed-run.ts';
import { packed } from './zip-write.ts';

export const packedFile = (path: string, content: Bytes): PackedFile => ({
  listed: listed(path, content),
  packed: packed(path, content),
});
