import { createHash } from 'node:crypto';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { newId } from '#core/ids.ts';
import type { Tx } from '#database/database.ts';
import type { TestServer } from '#testing/server.ts';

/** A snapshot that is ready, with the file of its bundle. */
export async function insertSnapshot(
  { config }: TestServer,
  { db }: Tx,
  { orgId, owner, name }: { orgId: string; owner: string; name: string },
): Promise<string> {
  const id = newId();
  const content = Buffer.from(`Bundle of ${name}`);
  const sha256 = createHash('sha256').update(content).digest();
  const folder = join(config.dataDir, 'bundles', orgId);
  await mkdir(folder, { recursive: true });
  await writeFile(join(folder, `${sha256.toString('hex')}.zip`), content);
  await db
    .insertInto('snapshot')
    .values({
      ...{ org_id: orgId, id, name: `Snapshot of ${name}`, period_from: '2026-01-01Z', period_to: '2026-04-01Z' },
      ...{ controls: ['LOG-01'], redaction: 'none', created_by: owner, state: 'ready', results: '[]' },
      ...{ bundle_sha256: sha256, bytes: String(content.length) },
    })
    .execute();
  return id;
}
