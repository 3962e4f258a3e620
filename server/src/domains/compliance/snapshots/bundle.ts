import { createHash, randomUUID } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { mkdir, open, readdir, rename, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { buildBundle } from '@sightline/evidence/bundle/build.ts';
import { manifestText } from '@sightline/evidence/bundle/manifest.ts';
import { type Redaction, redactions } from '@sightline/evidence/bundle/redaction.ts';
import { Conflict } from '#core/errors.ts';
import { releaseUnusedMemory } from '#core/heap.ts';
import type { FileAnswer } from '#core/route.ts';
import type { Services } from '#core/services.ts';
import type { Tx } from '#database/database.ts';
import { raiseNotifications } from '../../delivery/notifications/commands.ts';
import { signLedgerNote } from '../../ledger/ledger/commands.ts';
import { loadBundleContents } from './contents.ts';
import { bundleName, findSnapshotRow, type SnapshotRow } from './queries.ts';

type BundleServices = Pick<Services, 'config' | 'database' | 'jobs' | 'ledger' | 'people' | 'realtime'>;

/** A file is named by its hash, so that an existing file is complete. */
const folderOf = ({ config }: Pick<Services, 'config'>, orgId: string): string =>
  join(config.dataDir, 'bundles', orgId);
const pathOf = (services: Pick<Services, 'config'>, orgId: string, sha256: Buffer): string =>
  join(folderOf(services, orgId), `${sha256.toString('hex')}.zip`);

/**
 * Builds the bundle of a captured snapshot into its file. A rebuild has identical bytes, also on another machine,
 * unless persons were erased since: then it lacks their disclosures and is signed again.
 */
export async function writeBundle(services: BundleServices, orgId: string, row: SnapshotRow): Promise<void> {
  const { manifest, signature, sha256, bytes } = await build(services, orgId, row, (hash) =>
    pathOf(services, orgId, hash),
  );
  await services.database.withOrg(orgId, async (tx) => {
    await tx.db
      .updateTable('snapshot')
      .set({
        state: 'ready',
        problem: null,
        // Without accounts of persons, who may be erased: only the file contains them.
        manifest: manifestText({ ...manifest, people: [] }),
        signature,
        bundle_sha256: sha256,
        bytes: String(bytes),
      })
      .where('org_id', '=', orgId)
      .where('id', '=', row.id)
      .execute();
    // A rebuilt file causes no notification.
    if (row.state !== 'ready') await notifyOfSnapshot(services, tx, orgId, row);
    tx.afterCommit(() => services.realtime.notifyOrganization(orgId, 'orgEvidence', { snapshotId: row.id }));
  });
}

/** Notifies of a snapshot that is ready or failed (`problem`), also the member who requested it. */
export const notifyOfSnapshot = (
  services: Pick<Services, 'jobs'>,
  tx: Tx,
  orgId: string,
  { id, name, createdBy, problem }: SnapshotRow,
): Promise<void> =>
  raiseNotifications(services, tx, orgId, {
    actor: { clock: true },
    notifications: [{ type: 'evidence.ready', snapshot: { id, name }, requestedBy: createdBy, problem }],
  });

/** Writes a bundle to a temporary file and moves it to its final path. Returns the signed data. */
async function build(
  services: BundleServices,
  orgId: string,
  row: SnapshotRow,
  pathOfHash: (sha256: Buffer) => string,
) {
  const { epoch, size } = row;
  if (epoch === null || size === null) throw new Error('The snapshot has no checkpoint');
  const { withOrg } = services.database;
  const contents = await withOrg(orgId, (tx) => loadBundleContents(tx, services.people, orgId, row));
  releaseUnusedMemory();
  const folder = folderOf(services, orgId);
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const temporaryPath = join(folder, `${randomUUID()}.part`);
  const file = await open(temporaryPath, 'w', 0o600);
  const hash = createHash('sha256');
  let [bytes, signature] = [0, ''];
  try {
    const { manifest } = await buildBundle(
      contents,
      async (text) => {
        // Ed25519 signatures are deterministic, and the key of that ledger size is stored.
        signature = await signLedgerNote(services.ledger, orgId, { epoch, size }, text);
        return signature;
      },
      async (piece) => {
        hash.update(piece);
        bytes += piece.length;
        await file.write(piece);
      },
    );
    await file.sync();
    await file.close();
    const sha256 = hash.digest();
    await rename(temporaryPath, pathOfHash(sha256));
    return { manifest, signature, sha256, bytes };
  } catch (error) {
    await file.close().catch(() => undefined);
    await rm(temporaryPath, { force: true });
    throw error;
  }
}

/** Deletes the files of all bundles, which are rebuilt on demand. Returns their number. */
export async function deleteBundles(services: Pick<Services, 'config'>, orgId: string): Promise<number> {
  const folder = folderOf(services, orgId);
  const names = await readdir(folder).catch(() => []);
  for (const name of names) await rm(join(folder, name), { force: true });
  return names.length;
}

/** Opens the bundle as a file, and rebuilds a missing file. Throws 404 and, until it is ready, 409. */
export async function openBundle(services: BundleServices, orgId: string, id: string): Promise<FileAnswer> {
  const find = () => services.database.withOrg(orgId, (tx) => findSnapshotRow(tx, orgId, id));
  const row = await find();
  if (row.state !== 'ready') throw notReady();
  if (!(await hasFile(services, orgId, row))) await writeBundle(services, orgId, row);
  const ready = await find();
  if (ready.sha256 === null || ready.bytes === null) throw notReady();
  return answerOf(pathOf(services, orgId, ready.sha256), ready.sha256, ready.bytes, bundleName(ready));
}

/**
 * Opens the bundle with at least this redaction, for portals. The name of a file with another redaction than the
 * snapshot contains the snapshot id and its own hash; the snapshot does not refer to it.
 */
export async function openRedactedBundle(
  services: BundleServices,
  orgId: string,
  id: string,
  redaction: Redaction,
): Promise<FileAnswer> {
  const row = await services.database.withOrg(orgId, (tx) => findSnapshotRow(tx, orgId, id));
  if (redactions.indexOf(row.redaction) >= redactions.indexOf(redaction)) return openBundle(services, orgId, id);
  if (row.state !== 'ready') throw notReady();
  const folder = folderOf(services, orgId);
  const prefix = `${id}.${redaction}.`;
  const find = async () => (await readdir(folder).catch(() => [])).find((name) => name.startsWith(prefix));
  const redacted = { ...row, redaction } as const;
  if ((await find()) === undefined) {
    await build(services, orgId, redacted, (sha256) => join(folder, `${prefix}${sha256.toString('hex')}.zip`));
  }
  const name = await find();
  if (name === undefined) throw notReady();
  const { size } = await stat(join(folder, name));
  const sha256 = Buffer.from(name.slice(prefix.length, -'.zip'.length), 'hex');
  return answerOf(join(folder, name), sha256, size, bundleName(redacted));
}

const notReady = () => Conflict('The bundle is not ready.');

function answerOf(path: string, sha256: Buffer, size: number, name: string): FileAnswer {
  const part = (start: number, end: number) => createReadStream(path, { start, end });
  return {
    file: part(0, 0),
    type: 'application/zip',
    name,
    total: undefined,
    whole: { size, etag: `"${sha256.toString('hex')}"`, part },
  };
}

const hasFile = async (services: BundleServices, orgId: string, { sha256, bytes }: SnapshotRow): Promise<boolean> =>
  sha256 !== null && (await stat(pathOf(services, orgId, sha256)).catch(() => undefined))?.size === bytes;
