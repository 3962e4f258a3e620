import { byCodeUnits } from '../controls/order.ts';
import { type Bytes, utf8 } from '../ledger/bytes.ts';
import { yieldToEventLoop } from './event-loop.ts';
import { filesOf } from './files.ts';
import { completeKinds } from './kinds.ts';
import type { ListedFile } from './listed-file.ts';
import {
  archiveHash,
  bundleNoteOf,
  listFile,
  type Manifest,
  manifestBytes,
  manifestOf,
  manifestPath,
  signaturePath,
} from './manifest.ts';
import type { BundleContents } from './scope.ts';
import { type PackedZipFile, packZipFile, zipWriter } from './zip-write.ts';

/** The result of building a bundle. */
export interface BundleBuildResult {
  manifest: Manifest;
}

/**
 * Writes a bundle as a stream. Equal contents and signatures yield equal bytes. `sign` signs the text of a note with
 * the key of the log. Throws for inconsistent contents.
 */
export async function buildBundle(
  contents: BundleContents,
  sign: (text: string) => Promise<string> | string,
  write: (piece: Bytes) => Promise<void> | void,
): Promise<BundleBuildResult> {
  const list: ListedFile[] = [];
  const packs: PackedZipFile[] = [];
  // Each file is built once and released after packing. The manifest is one of the files and lists later ones too.
  for (const { pack } of filesOf(contents, completeKinds)) {
    const file = pack();
    list.push(file.listed);
    packs.push(file.packed);
    await yieldToEventLoop();
  }
  const manifest = manifestOf(contents, completeKinds, list);
  packs.push(packZipFile(manifestPath, manifestBytes(manifest)));
  const zip = zipWriter();
  const hash = archiveHash();
  for (const pack of packs.toSorted((one, other) => byCodeUnits(one.path, other.path))) {
    for (const piece of zip.add(pack)) {
      hash.add(piece);
      await write(piece);
    }
  }
  const signature = await sign(bundleNoteOf(listFile(manifestPath, manifestBytes(manifest)).sha256, hash.digest()));
  for (const piece of zip.end(signaturePath, utf8(signature))) await write(piece);
  return { manifest };
}
