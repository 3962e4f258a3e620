import { randomBytes } from 'node:crypto';
import { mkdir, open, readFile, rename } from 'node:fs/promises';
import { join } from 'node:path';
import { fromBase64, toBase64 } from '@sightline/evidence/ledger/bytes.ts';
import { type Cosigner, cosignerOf } from '@sightline/evidence/ledger/cosignature.ts';
import { parseVerifier, type Verifier } from '@sightline/evidence/ledger/note.ts';
import type { Head } from '@sightline/evidence/ledger/proofs.ts';
import { hashSize } from '@sightline/evidence/ledger/tree.ts';

/** The keys of a witness, one per algorithm. */
export type WitnessKeys = readonly Cosigner[];

const algorithms = ['ed25519-cosignature', 'ml-dsa-44-cosignature'] as const;

/** Reads the keys in the folder. Creates them for a witness named `name` if there are none. Throws for an invalid file. */
export async function openWitnessKeys(folder: string, name: string | undefined): Promise<WitnessKeys> {
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const path = join(folder, 'keys');
  const text = await maybeText(path);
  if (text === undefined) {
    if (name === undefined) throw new Error('A new witness needs a --name, such as witness.example/audit');
    const created = algorithms.map((algorithm) => cosignerOf(name, algorithm, new Uint8Array(randomBytes(32))));
    const lines = created.map(({ verifier, secretKey }) => `${name} ${verifier.algorithm} ${toBase64(secretKey)}\n`);
    await writeAtomically(path, lines.join(''));
    return created;
  }
  const stored = text
    .trim()
    .split('\n')
    .map((line) => parseKey(path, line));
  const other = stored.find(({ verifier }) => name !== undefined && verifier.name !== name);
  if (other) throw new Error(`The keys in ${path} belong to ${other.verifier.name}`);
  return stored;
}

function parseKey(path: string, line: string): Cosigner {
  const [name = '', stored = '', secret = ''] = line.split(' ');
  const algorithm = algorithms.find((one) => one === stored);
  const secretKey = fromBase64(secret);
  if (!algorithm || secretKey.length !== 32) throw new Error(`${path} contains an invalid key`);
  return cosignerOf(name, algorithm, secretKey);
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
