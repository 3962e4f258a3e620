import { randomBytes } from 'node:crypto';
import { mkdir, open, readFile, rename } from 'node:fs/promises';
import { join } from 'node:path';
import { fromBase64, toBase64 } from '@sightline/evidence/ledger/bytes.ts';
import { parseVerifier, publicKeyOf, type Verifier, verifierOf } from '@sightline/evidence/ledger/note.ts';
import type { Head } from '@sightline/evidence/ledger/proofs.ts';
import { hashSize } from '@sightline/evidence/ledger/tree.ts';

/** The key of a witness, with its public half as logs are given it. */
export interface WitnessKey {
  verifier: Verifier;
  secret: Uint8Array;
}

/** Reads the key of the folder; makes one under `name` where there is none. Throws for a file that holds none. */
export async function openWitnessKey(folder: string, name: string | undefined): Promise<WitnessKey> {
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const path = join(folder, 'key');
  const known = await maybeText(path);
  if (known === undefined) {
    if (name === undefined) throw new Error('A new witness needs a --name, such as witness.example/audit');
    const secret = new Uint8Array(randomBytes(32));
    const verifier = verifierOf(name, publicKeyOf(secret), 'cosignature');
    await writeWhole(path, `${name} ${toBase64(secret)}\n`);
    return { verifier, secret };
  }
  const [kept = '', text = ''] = known.trim().split(' ');
  const secret = fromBase64(text);
  if (secret.length !== 32) throw new Error(`${path} contains no key`);
  if (name !== undefined && name !== kept) throw new Error(`The key in ${path} belongs to ${kept}`);
  return { verifier: verifierOf(kept, publicKeyOf(secret), 'cosignature'), secret };
}

/** The keys of the logs that are looked after, by the names of the logs: one key on each line of the file. */
export async function readLogKeys(path: string): Promise<Map<string, Verifier[]>> {
  const lines = (await readFile(path, 'utf8')).split('\n').map((line) => line.trim());
  const keys = lines.filter((line) => line !== '' && !line.startsWith('#')).map(parseVerifier);
  if (keys.length === 0) throw new Error(`${path} contains no log key`);
  return Map.groupBy(keys, ({ name }) => name);
}

/** What was cosigned last of each log. */
export type Latest = Map<string, Head>;

const fileOf = (folder: string) => join(folder, 'latest.json');

/** Throws for a file that was damaged: a witness that forgot must not go on. */
export async function readLatest(folder: string): Promise<Latest> {
  const text = await maybeText(fileOf(folder));
  if (text === undefined) return new Map();
  const said = JSON.parse(text) as Record<string, { size: number; root: string }>;
  return new Map(
    Object.entries(said).map(([origin, { size, root }]) => {
      const head = { size, root: fromBase64(root) };
      if (!Number.isSafeInteger(size) || head.root.length !== hashSize) throw new Error(`${fileOf(folder)} is damaged`);
      return [origin, head];
    }),
  );
}

export const writeLatest = (folder: string, latest: Latest): Promise<void> =>
  writeWhole(
    fileOf(folder),
    `${JSON.stringify(Object.fromEntries([...latest].map(([origin, { size, root }]) => [origin, { size, root: toBase64(root) }])))}\n`,
  );

/** On the disk before it answers, the whole of it or what was there before. */
async function writeWhole(path: string, text: string): Promise<void> {
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
