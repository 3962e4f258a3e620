import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { z } from 'zod';
import { Refusal } from '#core/errors.ts';
import type { Secrets } from '#core/secrets.ts';

const file = 'manifest.json';
const place = { org: '-', table: 'backup', field: 'check' };

const tableInBackup = z.object({
  /** With its schema, quoted where it must be. */
  name: z.string().regex(/^[a-z_]+\.[a-z_0-9]+$/),
  columns: z.array(z.string()).min(1),
  rows: z.number().int().min(0),
  /** In the folder, compressed. */
  file: z.string().regex(/^[a-z_0-9.]+$/),
  sha256: z.string(),
});
export type TableInBackup = z.infer<typeof tableInBackup>;

const manifest = z.object({
  format: z.literal(1),
  /** The moment all rows are of. */
  at: z.iso.datetime(),
  /** What says which release the rows are of. */
  migrations: z.array(z.object({ name: z.string(), sha256: z.string() })),
  queueVersion: z.number().int(),
  /** Sealed under the master key, so that another is noticed before anything is written. */
  keyCheck: z.base64(),
  tables: z.array(tableInBackup),
});
export type Manifest = z.infer<typeof manifest>;

/** Written last: a folder without one is no backup. */
export const writeManifest = (folder: string, content: Manifest): Promise<void> =>
  writeFile(join(folder, file), `${JSON.stringify(content, null, 2)}\n`, { mode: 0o600 });

export async function readManifest(folder: string): Promise<Manifest> {
  const text = await readFile(join(folder, file), 'utf8').catch(() => {
    throw new Refusal('validation_failed', `${folder} holds no whole backup: there is no ${file} in it.`);
  });
  const read = manifest.safeParse(parsed(text));
  if (read.success) return read.data;
  throw new Refusal('validation_failed', `${join(folder, file)} is not one that this release understands.`);
}

/** Throws for the first file of a backup that is missing or was changed since. */
export async function checkFiles(folder: string, { tables }: Manifest): Promise<void> {
  for (const { file, sha256 } of tables) {
    const found = await hashOf(join(folder, file)).catch(() => undefined);
    if (found === undefined) throw new Refusal('validation_failed', `The backup lacks ${file}.`);
    if (found !== sha256) throw new Refusal('validation_failed', `${file} is not what the backup wrote.`);
  }
}

export async function hashOf(path: string): Promise<string> {
  const hash = createHash('sha256');
  await pipeline(createReadStream(path), hash);
  return hash.digest('hex');
}

export const sealCheck = (secrets: Secrets): string => secrets.seal(place, Buffer.from(file)).toString('base64');

export function isKeyOf({ keyCheck }: Manifest, secrets: Secrets): boolean {
  try {
    return secrets.open(place, Buffer.from(keyCheck, 'base64')).toString() === file;
  } catch {
    return false;
  }
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
