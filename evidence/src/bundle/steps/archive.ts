import { type Bytes, textOf, toHex } from '../../ledger/bytes.ts';
import { openNote, signerNamesIn, verifierText } from '../../ledger/note.ts';
import { sha256 } from '../../ledger/sha256.ts';
import { bundleNote, manifestPath, parseManifest, signaturePath } from '../manifest.ts';
import type { VerificationState, VerifierInput } from '../verification-state.ts';
import { openZip } from '../zip-read.ts';

/**
 * Step 1. Throws unless the archive is valid and signed by the key of its log. Nothing is unpacked before the signature
 * over the packed bytes is verified.
 */
export function openBundle(bundle: Bytes, { keys }: Pick<VerifierInput, 'keys'>): VerificationState {
  const { paths, last, before, file } = openZip(bundle);
  if (last !== signaturePath) throw new Error('The bundle does not end with its signature');
  const note = textOf(file(signaturePath));
  const { text, signed } = openNote(note, keys);
  if (signerNamesIn(note).length > 1) throw new Error('The bundle has more than one signature');
  if (!text.endsWith(`\narchive ${toHex(sha256(before))}\n`)) throw new Error('The signature is for different content');
  const manifest = file(manifestPath);
  if (text !== bundleNote(manifest, before)) throw new Error('The signature is for different content');
  const parsed = parseManifest(manifest);
  const signer = signed
    .map(({ by }) => by)
    .find(({ name, algorithm }) => name === parsed.ledger.origin && algorithm === 'ed25519');
  if (!signer) throw new Error('The bundle is signed with the key of another log');
  const files = new Map(paths.map((path) => [path, file(path)]));
  if (textOf(files.get('keys/vkey.txt') ?? new Uint8Array()) !== `${verifierText(signer)}\n`) {
    throw new Error('The key inside the bundle is not its signing key');
  }
  return { files, manifest: parsed, signer };
}
