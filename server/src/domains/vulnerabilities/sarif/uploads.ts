import { Readable } from 'node:stream';
import { createGzip } from 'node:zlib';
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

/** Stores an upload with its file, to resume the import if this process dies. */
export async function storeUpload(
  tx: Tx,
  secrets: Secrets,
  orgId: string,
  { id, upload, actor, scans, file }: StoredUpload & { file: AsyncIterable<Buffer> },
): Promise<void> {
  const request = secrets.seal(placeOf(orgId, `request ${id}`), Buffer.from(JSON.stringify({ upload, actor })));
  const row = { org_id: orgId, id, repository_id: upload.repositoryId, scans: [...scans], request };
  await tx.db.insertInto('scan_upload').values(row).execute();
  let position = 0;
  for await (const piece of packed(file)) {
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

const PIECE_BYTES = 1024 * 1024;

async function* packed(file: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  const gzip = Readable.from(copyPieces(file), { objectMode: false }).pipe(createGzip({ level: 1 }));
  let chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of gzip as AsyncIterable<Buffer>) {
    chunks.push(chunk);
    size += chunk.length;
    if (size < PIECE_BYTES) continue;
    yield Buffer.concat(chunks);
    [chunks, size] = [[], 0];
  }
  if (size > 0) yield Buffer.concat(chunks);
}

/** Each piece of a spooled file is valid only until the next one is requested. */
async function* copyPieces(file: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  for await (const chunk of file) yield Buffer.from(chunk);
}
