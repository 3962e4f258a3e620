import { type Bytes, textOf } from '../../ledger/bytes.ts';
import { openNote, partsOf, verifierText } from '../../ledger/note.ts';
import { bundleNote, manifestPath, parseManifest, signaturePath } from '../manifest.ts';
import type { Given, Opened } from '../opened.ts';
import { openZip } from '../zip-read.ts';

/**
 * Step 1. Throws unless the archive is one of ours and signed by a key of the log that it says it is of. Nothing but the manifest is
 * unpacked before that is certain.
 */
export function openBundle(bundle: Bytes, { keys }: Pick<Given, 'keys'>): Opened {
  const { paths, last, before, file } = openZip(bundle);
  if (last !== signaturePath) throw new Error('The bundle does not end with its signature');
  const manifest = file(manifestPath);
  const note = textOf(file(signaturePath));
  if (partsOf(note).text !== bundleNote(manifest, before)) throw new Error('What is signed is not this bundle');
  const { signed } = openNote(note, keys);
  const parsed = parseManifest(manifest);
  const signer = signed
    .map(({ by }) => by)
    .find(({ name, algorithm }) => name === parsed.ledger.origin && algorithm === 'ed25519');
  if (!signer) throw new Error('The bundle is signed by the key of another log');
  const files = new Map(paths.map((path) => [path, file(path)]));
  if (textOf(files.get('keys/vkey.txt') ?? new Uint8Array()) !== `${verifierText(signer)}\n`) {
    throw new Error('The key inside the bundle is not the one that signed it');
  }
  return { files, manifest: parsed, signer };
}
