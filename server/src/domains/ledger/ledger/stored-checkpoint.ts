import { mkdir, readFile, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { parseCheckpoint } from '@sightline/evidence/ledger/checkpoint.ts';
import { splitNote } from '@sightline/evidence/ledger/note.ts';
import type { LedgerLog } from '#core/ledger-log.ts';

/** The last signed checkpoint as stored on this machine, independent of the database. */
export interface StoredCheckpoint {
  epoch: number;
  size: number;
  root: Buffer;
  note: string;
}

const fileOf = (folder: string, orgId: string): string => join(folder, `${orgId}.checkpoint`);

/** Reads the stored checkpoint; undefined if this machine has not signed one yet. Throws for an invalid file. */
export async function readStoredCheckpoint(
  { folder }: Pick<LedgerLog, 'folder'>,
  orgId: string,
): Promise<StoredCheckpoint | undefined> {
  const path = fileOf(folder, orgId);
  const note = await readFile(path, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return undefined;
    throw error;
  });
  if (note === undefined) return undefined;
  try {
    const { origin, size, root } = parseCheckpoint(splitNote(note).text);
    return { epoch: Number(origin.slice(origin.lastIndexOf('/') + 1)), size, root: Buffer.from(root), note };
  } catch (error) {
    throw new Error(`${path} contains no checkpoint: ${(error as Error).message}`);
  }
}

/**
 * Stores a checkpoint atomically, never over a newer one. Writes are serialized, since jobs and requests sign
 * concurrently.
 */
export function storeCheckpoint(
  ledger: Pick<LedgerLog, 'folder'>,
  orgId: string,
  next: StoredCheckpoint,
): Promise<void> {
  const written = lastWrite.then(() => write(ledger, orgId, next));
  lastWrite = written.catch(() => undefined);
  return written;
}

let lastWrite: Promise<void> = Promise.resolve();

async function write(ledger: Pick<LedgerLog, 'folder'>, orgId: string, next: StoredCheckpoint): Promise<void> {
  const known = await readStoredCheckpoint(ledger, orgId).catch(() => undefined);
  if (known && (known.epoch > next.epoch || (known.epoch === next.epoch && known.size >= next.size))) return;
  await mkdir(ledger.folder, { recursive: true });
  const path = fileOf(ledger.folder, orgId);
  await writeFile(`${path}.${process.pid}`, next.note);
  await rename(`${path}.${process.pid}`, path);
}
