import { sign } from '@noble/ed25519';
import { type Bytes, concat, utf8 } from './bytes.ts';
import { signatureLine, splitNote, verifierOf } from './note.ts';

/**
 * The signature line of a witness for a checkpoint, with the time in seconds since 1970. It states that the log is
 * append-only since the last cosigned size (C2SP tlog-cosignature, Ed25519).
 */
export function cosign(
  note: string,
  { name, secretKey, publicKey, at }: { name: string; secretKey: Bytes; publicKey: Bytes; at: number },
): string {
  const { text } = splitNote(note);
  const { id } = verifierOf(name, publicKey, 'cosignature');
  const time = new Uint8Array(8);
  new DataView(time.buffer).setBigUint64(0, BigInt(at));
  return signatureLine(name, concat(id, time, sign(utf8(`cosignature/v1\ntime ${at}\n${text}`), secretKey)));
}

/** Appends signature lines to a note, without duplicates. */
export function withSignatures(note: string, lines: readonly string[]): string {
  const known = new Set(splitNote(note).lines);
  const more = [...new Set(lines)].filter((line) => !known.has(line.replace(/\n$/, '')));
  return `${note}${more.join('')}`;
}
