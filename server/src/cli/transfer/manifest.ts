import { readFile } from 'node:fs/promises';
import { z } from 'zod';
import { Invalid } from '#core/errors.ts';
import { readManifestAs, tableInBackup, type UnverifiedManifest } from '../backup/manifest.ts';

const exportManifest = z.object({
  format: z.literal('sightline-organization-1'),
  /** The time of the rows. */
  at: z.iso.datetime(),
  release: z.string(),
  /** The migrations, which determine whether another installation can read the rows. */
  migrations: z.array(z.object({ name: z.string(), sha256: z.string() })),
  /** Identifies the transfer key, with which secrets are encrypted and the manifest is authenticated. */
  keyId: z.string(),
  /** The recipients of the encryption of files in the age format; empty without encryption. */
  recipients: z.array(z.string()),
  organization: z.object({ id: z.uuid(), slug: z.string(), name: z.string() }),
  /** The address of the installation that wrote the export, and that of the one it is for. */
  from: z.url(),
  to: z.url(),
  /** What the check of the ledger reported when it was exported: usually nothing. */
  ledgerProblems: z.array(z.string()),
  /** The number of tables of accounts, which belong to no organization. The others follow in the order of loading. */
  accounts: z.number().int().min(0),
  tables: z.array(tableInBackup),
});
export type ExportManifest = z.infer<typeof exportManifest>;

/** Reads the manifest of an exported organization. It is not trusted before its `verify`. */
export const readExportManifest = (folder: string): Promise<UnverifiedManifest<ExportManifest>> =>
  readManifestAs(folder, exportManifest, 'an exported organization');

/** Reads a transfer key: a file with 32 bytes in base64, as `openssl rand -base64 32` writes it. */
export async function readTransferKey(path: string): Promise<Buffer> {
  const text = await readFile(path, 'utf8').catch(() => {
    throw Invalid('--key', 'cannot be read. Check the path');
  });
  const key = Buffer.from(text.trim(), 'base64');
  if (key.length !== 32 || key.toString('base64') !== text.trim())
    throw Invalid('--key', 'must contain 32 bytes in base64. `openssl rand -base64 32 > FILE` creates one');
  return key;
}
