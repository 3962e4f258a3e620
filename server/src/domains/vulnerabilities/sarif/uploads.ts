import { Readable } from 'node:stream';
import type { AuditActor } from '#core/audit.ts';
import type { SecretLocation, Secrets } from '#core/secrets.ts';
import type { Tx } from '#database/database.ts';
import type { UploadParameters } from './analyses.ts';

/** The stored data of an upload until its scans have ended. */
export interface StoredUpload {
  id: string;
  upload: UploadParameters;
  actor: AuditActor;
  /** Ids of the scans, one for each analysis of the file, in that order. */
  scans: readonly string[];
}

/** The file may contain secrets, and the request names a person: both are encrypted. */
const placeOf = (orgId: string, field: string): SecretLocation => ({ org: orgId, table: 'scan_upload', field });

/** Stores an upload with its file, compressed with gzip, to resume the import if this process dies. */
export async function storeUpload(
  tx: Tx,
  secrets: Secrets,
  orgId: string,
  { id, upload, actor, scans, packed }: StoredUpload & { packed: AsyncIterable<Buffer> },
): Promise<void> {
  const request = secrets.seal(placeOf(orgId, `request ${id}`), Buffer.from(JSON.stringify({ upload, actor })));
  const row = { org_id: orgId, id, repository_id: upload.repositoryId, scans: [...scans], request };
  await tx.db.insertInto('scan_upload').values(row).execute();
  let position = 0;
  for await (const piece of packed) {
    const bytes = secrets.seal(placeOf(orgId, `piece ${id} ${position}`), piece);
    await tx.db.insertInto('scan_upload_piece').values({ org_id: orgId, upload_id: id, position, bytes }).execute();
    position += 1;
  }
}

/** Returns a stored upload; undefined after it was removed. */
export async function maybeUpload(
  tx: Tx,
  secrets: Secrets,
  orgId: string,
  id: string,
): Promise<StoredUpload | undefined> {
  const row = await tx.db
    .selectFrom('scan_upload')
    .where('org_id', '=', orgId)
    .where('id', '=', id)
    .select(['scans', 'request'])
    .executeTakeFirst();
  if (!row) return undefined;
  const request = JSON.parse(secrets.open(placeOf(orgId, `request ${id}`), row.request).toString());
  return { id, scans: row.scans, ...(request as Pick<StoredUpload, 'upload' | 'actor'>) };
}

/** Returns the bytes of a stored file, compressed with gzip. `read` runs a separate transaction for each piece. */
export function readStoredFile(
  secrets: Secrets,
  orgId: string,
  id: string,
  read: <Answer>(work: (tx: Tx) => Promise<Answer>) => Promise<Answer>,
): Readable {
  const pieceAt = (position: number) =>
    read(({ db }) =>
      db
        .selectFrom('scan_upload_piece')
        .where('org_id', '=', orgId)
        .where('upload_id', '=', id)
        .where('position', '=', position)
        .select('bytes')
        .executeTakeFirst(),
    );
  return Readable.from(
    (async function* () {
      for (let position = 0; ; position += 1) {
        const piece = await pieceAt(position);
        if (!piece) return;
        yield secrets.open(placeOf(orgId, `piece ${id} ${position}`), piece.bytes);
      }
    })(),
    { objectMode: false },
  );
}

/** Removes an upload whose scans have ended. */
export async function removeUpload({ db }: Tx, orgId: string, id: string): Promise<void> {
  await db.deleteFrom('scan_upload').where('org_id', '=', orgId).where('id', '=', id).execute();
}
