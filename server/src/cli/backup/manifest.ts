import { createHash, createHmac, hkdfSync, timingSafeEqual } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { z } from 'zod';
import { Refusal } from '#core/errors.ts';
import { masterKeyId } from '#core/master-keys.ts';

const file = 'manifest.json';
const macFile = 'manifest.hmac';

const fileInBackup = z.object({
  /** The file name in the folder. */
  file: z.string().regex(/^[a-z_0-9.]+$/),
  sha256: z.string(),
});

export const tableInBackup = fileInBackup.extend({
  /** Schema and table, quoted if necessary. */
  name: z.string().regex(/^[a-z_]+\.[a-z_0-9]+$/),
  columns: z.array(z.string()).min(1),
  rows: z.number().int().min(0),
});
export type TableInBackup = z.infer<typeof tableInBackup>;

const manifest = z.object({
  format: z.literal(2),
  /** The time of the rows. */
  at: z.iso.datetime(),
  /** The version of the release that made the backup. */
  release: z.string(),
  /** The migrations, which determine whether this release can read the rows. */
  migrations: z.array(z.object({ name: z.string(), sha256: z.string() })),
  queueVersion: z.number().int(),
  /** Identifies the master key, to distinguish a wrong key from a changed manifest. */
  keyId: z.string(),
  /** The recipients of the encryption in the age format; empty without encryption. */
  recipients: z.array(z.string()),
  /** Compressed, then encrypted. */
  tables: z.array(tableInBackup),
  /** The master key, if the backup contains it. */
  masterKey: fileInBackup.optional(),
});
export type Manifest = z.infer<typeof manifest>;

/** What every manifest contains. */
export type ManifestOfFiles = Pick<Manifest, 'keyId' | 'recipients' | 'tables' | 'masterKey'>;

const macOf = (masterKey: Buffer, text: Buffer): Buffer =>
  createHmac('sha256', Buffer.from(hkdfSync('sha256', masterKey, '', 'sightline backup manifest', 32)))
    .update(text)
    .digest();

/**
 * Writes the manifest last: a folder without one is no backup. Its HMAC authenticates it and, by hashes, every file
 * that it names.
 */
export async function writeManifest(folder: string, content: ManifestOfFiles, masterKey: Buffer): Promise<void> {
  const text = Buffer.from(`${JSON.stringify(content, null, 2)}\n`);
  await writeFile(join(folder, macFile), `${macOf(masterKey, text).toString('hex')}\n`, { mode: 0o600 });
  await writeFile(join(folder, file), text, { mode: 0o600 });
}

/** A manifest before verification: its content is not trusted before `verify`. */
export interface UnverifiedManifest<Content extends ManifestOfFiles = Manifest> {
  /** The claimed recipients of the files. */
  recipients: string[];
  hasMasterKey: boolean;
  /** Whether this is the master key of the backup. */
  isKey: (masterKey: Buffer) => boolean;
  /** Throws unless the manifest and each file of the folder are unchanged. */
  verify: (masterKey: Buffer) => Promise<Content>;
}

export const readManifest = (folder: string): Promise<UnverifiedManifest> =>
  readManifestAs(folder, manifest, 'a complete backup');

/** Reads the manifest of this schema. `what` names the expected content of the folder. */
export async function readManifestAs<Content extends ManifestOfFiles>(
  folder: string,
  schema: z.ZodType<Content>,
  what: string,
): Promise<UnverifiedManifest<Content>> {
  const text = await readFile(join(folder, file)).catch(() => {
    throw new Refusal('validation_failed', `${folder} does not contain ${what}: ${file} is missing.`);
  });
  const { data } = schema.safeParse(parsed(text.toString()));
  if (!data) throw new Refusal('validation_failed', `${join(folder, file)} has an unsupported format.`);
  return {
    recipients: data.recipients,
    hasMasterKey: data.masterKey !== undefined,
    isKey: (masterKey) => masterKeyId(masterKey) === data.keyId,
    async verify(masterKey) {
      const given = Buffer.from(await readFile(join(folder, macFile), 'utf8').catch(() => ''), 'hex');
      const mac = macOf(masterKey, text);
      if (given.length !== mac.length || !timingSafeEqual(given, mac)) throw changed(file);
      await checkFiles(folder, data);
      return data;
    },
  };
}

/** Throws for the first file that is missing, changed or unexpected. */
async function checkFiles(folder: string, { tables, masterKey }: ManifestOfFiles): Promise<void> {
  const known = masterKey ? [...tables, masterKey] : tables;
  for (const { file, sha256 } of known) {
    const found = await sha256OfFile(join(folder, file)).catch(() => undefined);
    if (found === undefined) throw new Refusal('validation_failed', `${file} is missing.`);
    if (found !== sha256) throw changed(file);
  }
  const names = new Set([file, macFile, ...known.map((one) => one.file)]);
  const added = (await readdir(folder)).find((name) => !names.has(name));
  if (added !== undefined) throw changed(added);
}

const changed = (name: string) => new Refusal('validation_failed', `${name} was changed after the backup.`);

export async function sha256OfFile(path: string): Promise<string> {
  const hash = createHash('sha256');
  await pipeline(createReadStream(path), hash);
  return hash.digest('hex');
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
