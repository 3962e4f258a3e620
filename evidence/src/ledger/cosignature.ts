import { sign } from '@noble/ed25519';
import { type Bytes, concat, utf8 } from './bytes.ts';
import { partsOf, signatureLine, verifierOf } from './note.ts';

/**
 * The line by which a witness says that it saw a checkpoint at a time, in seconds since 1970, and that the log has only grown since it
 * last saw it (C2SP tlog-cosignature, Ed25519).
 */
export function cosign(
  note: string,
  { name, secretKey, publicKey, at }: { name: string; secretKey: Bytes; publicKey: Bytes; at: number },
): string {
  const { text } = partsOf(note);
  const { id } = verifierOf(name, publicKey, 'cosignature');
  const time = new Uint8Array(8);
  new DataView(time.buffer).setBigUint64(0, BigInt(at));
  return signatureLine(name, concat(id, time, sign(utf8(`cosignature/v1\ntime ${at}\n${text}`), secretKey)));
}

/** A note with further signature lines behind its own; one that stands there already is not put there again. */
export function withSignatures(note: string, lines: readonly string[]): string {
  const known = new Set(partsOf(note).lines);
  const more = [...new Set(lines)].filter((line) => !known.has(line.replace(/\n$/, '')));
  return `${note}${more.join('')}`;
}
