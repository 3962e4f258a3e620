import { randomBytes } from 'node:crypto';
import { mkdir, open, readFile, rename } from 'node:fs/promises';
import { join } from 'node:path';
import { fromBase64, toBase64 } from '@sightline/evidence/ledger/bytes.ts';
import { parseVerifier, publicKeyOf, type Verifier, verifierOf } from '@sightline/evidence/ledger/note.ts';
import type { Head } from '@sightline/evidence/ledger/proofs.ts';
import { hashSize } from '@sightline/evidence/ledger/tree.ts';

/** The key of a witness, with the public key for the logs. */
export interface WitnessKey {
  verifier: Verifier;
  secret: Uint8Array;
}

/** Reads the key in the folder. Creates one named `name` if there is none. Throws if the file contains no key. */
export async function openWitnessKey(folder: string, name: string | undefined): Promise<WitnessKey> {
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const path = join(folder, 'key');
  const known = await maybeText(path);
  if (known === undefined) {
    if (name === undefined) throw new Error('A new witness needs a --name, such as witness.example/audit');
    const secret = new Uint8Array(randomBytes(32));
    const verifier = verifierOf(name, publicKeyOf(secret), 'cosignature');
    await writeAtomically(path, `${name} ${toBase64(secret)}\n`);
    return { verifier, secret };
  }
  const [storedName = '', text = ''] = known.trim().split(' ');
  const secret = fromBase64(text);
  if (secret.length !== 32) throw new Error(`${path} contains no key`);
  if (name !== undefined && name !== storedName) throw new Error(`The key in ${path} belongs to ${storedName}`);
  return { verifier: verifierOf(storedName, publicKeyOf(secret), 'cosignature'), secret };
}

/** Reads the keys of the witnessed logs, by log name, from a file with one key per line. */
export async function readLogKeys(path: string): Promise<Map<string, Verifier[]>> {
  const lines = (await readFile(path, 'utf8')).split('\n').map((line) => line.trim());
  const keys = lines.filter((line) => line !== '' && !line.startsWith('#')).map(parseVerifier);
  if (keys.length === 0) throw new Error(`${path} contains no log key`);
  return Map.groupBy(keys, ({ name }) => name);
}

/** The latest cosigned checkpoint of each log. */
export type LatestCheckpoints = Map<string, Head>;

const fileOf = (folder: string) => join(folder, 'latest.json');

/** Throws if the file is damaged: a witness without its state must not continue. */
export async function readLatestCheckpoints(folder: string): Promise<LatestCheckpoints> {
  const text = await maybeText(fileOf(folder));
  if (text === undefined) return new Map();
  const stored = JSON.parse(text) as Record<string, { size: number; root: string }>;
  return new Map(
    Object.entries(stored).map(([origin, { size, root }]) => {
      const head = { size, root: fromBase64(root) };
      if (!Number.isSafeInteger(size) || head.root.length !== hashSize) throw new Error(`${fileOf(folder)} is damaged`);
      return [origin, head];
    }),
  );
}

export const writeLatestCheckpoints = (folder: string, latest: LatestCheckpoints): Promise<void> =>
  writeAtomically(
    fileOf(folder),
    `${JSON.stringify(Object.fromEntries([...latest].map(([origin, { size, root }]) => [origin, { size, root: toBase64(root) }])))}\n`,
  );

/** Writes a file durably and atomically. */
async function writeAtomically(path: string, text: string): Promise<void> {
  const file = await open(`${path}.next`, 'w', 0o600);
  try {
    await file.writeFile(text);
    await file.sync();
  } finally {
    await file.close();
  }
  await rename(`${path}.next`, path);
}

const maybeText = (path: string): Promise<string | undefined> =>
  readFile(path, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return undefined;
    throw error;
  });
