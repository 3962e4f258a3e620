import { createReadStream } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { Decrypter, Encrypter } from 'age-encryption';
import { Invalid } from '#core/errors.ts';

/** A step of a `pipeline` that writes or reads the files of a backup. */
export type StreamTransform = (source: AsyncIterable<Uint8Array>) => AsyncIterable<Uint8Array>;

const unchanged: StreamTransform = (source) => source;

/**
 * Encrypts files for recipients in the age format (age-encryption.org/v1). Without recipients, it does not change them.
 */
export function encryptFor(recipients: readonly string[]): StreamTransform {
  if (recipients.length === 0) return unchanged;
  const encrypter = new Encrypter();
  for (const recipient of recipients) encrypter.addRecipient(recipient);
  return async function* (source) {
    yield* await encrypter.encrypt(ReadableStream.from(source));
  };
}

/** Decrypts files that were encrypted for one of the identities. Without identities, it does not change them. */
export function decryptWith(identities: readonly string[]): StreamTransform {
  if (identities.length === 0) return unchanged;
  const decrypter = new Decrypter();
  for (const identity of identities) decrypter.addIdentity(identity);
  return async function* (source) {
    yield* await decrypter.decrypt(ReadableStream.from(source));
  };
}

/** Returns the content of a small file. */
export async function readDecrypted(path: string, decrypt: StreamTransform): Promise<Buffer> {
  const chunks: Uint8Array[] = [];
  for await (const chunk of decrypt(createReadStream(path))) chunks.push(chunk);
  return Buffer.concat(chunks);
}

/** Whether `decrypt` can read the start of a file. */
export async function canDecrypt(path: string, decrypt: StreamTransform): Promise<boolean> {
  try {
    for await (const _ of decrypt(createReadStream(path))) break;
    return true;
  } catch {
    return false;
  }
}

/** Returns recipients separated by commas, or those in a file, one per line. Throws 400 for an invalid recipient. */
export async function readRecipients(given: string | undefined): Promise<string[]> {
  if (given === undefined) return [];
  const recipients = given.startsWith('age1') ? given.split(',') : await linesOf('--recipient', given);
  for (const recipient of recipients) accept('--recipient', () => new Encrypter().addRecipient(recipient));
  return recipients;
}

/** Returns the identities in a file that `age-keygen` has written. Throws 400 if there are none. */
export async function readIdentities(path: string | undefined): Promise<string[]> {
  if (path === undefined) return [];
  const identities = await linesOf('--identity', path);
  for (const identity of identities) accept('--identity', () => new Decrypter().addIdentity(identity));
  return identities;
}

async function linesOf(option: string, path: string): Promise<string[]> {
  const text = await readFile(path, 'utf8').catch(() => {
    throw Invalid(option, 'cannot be read. Check the path');
  });
  const lines = text.split('\n').map((line) => line.trim());
  const found = lines.filter((line) => line !== '' && !line.startsWith('#'));
  if (found.length === 0) throw Invalid(option, 'is an empty file');
  return found;
}

function accept(option: string, add: () => void): void {
  try {
    add();
  } catch {
    throw Invalid(option, 'is not an age key. `age-keygen -o FILE` creates one');
  }
}
