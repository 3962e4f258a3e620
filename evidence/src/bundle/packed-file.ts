import type { Bytes } from '../ledger/bytes.ts';
import { listFile } from './manifest.ts';
import type { PackedFile } from './packed-run.ts';
import { packZipFile } from './zip-write.ts';

export const packedFile = (path: string, content: Bytes): PackedFile => ({
  listed: listFile(path, content),
  packed: packZipFile(path, content),
});
