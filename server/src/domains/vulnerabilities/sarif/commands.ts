import { join } from 'node:path';
import type { Readable } from 'node:stream';
import type { Scan, uploadSarif } from '@sightline/contract/vulnerabilities/scans.ts';
import type { z } from 'zod';
import { isKeyActor, type KeyActor, recordKeyUse } from '#core/access-keys.ts';
import type { Actor } from '#core/actor.ts';
import type { AuditActor } from '#core/audit.ts';
import { Archived, Forbidden, NotFound } from '#core/errors.ts';
import { newId } from '#core/ids.ts';
import type { Services } from '#core/services.ts';
import { waitAtMost } from '#core/time-limit.ts';
import type { Tx } from '#database/database.ts';
import type { RepositoryKey } from '../../sources/repositories/queries.ts';
import { insertScans, sendScanNotice } from '../findings/intake.ts';
import { findScans } from '../scans/queries.ts';
import { sarifAnalysesOf, type UploadParameters } from './analyses.ts';
import { importSarifFile } from './import.ts';
import { queueUploadWatch } from './jobs.ts';
import { receiveSarif, type SarifFile } from './read.ts';
import type { RunningUploads } from './running-uploads.ts';
import { type StoredUpload, storeUpload } from './uploads.ts';

export interface SarifUploadRequest {
  actor: Actor | KeyActor;
  params: RepositoryKey;
  query: z.output<typeof uploadSarif.query>;
  file: Readable;
}

/** Maximum time that a request waits for the import. */
const MAX_WAIT_MS = 25_000;

/**
 * Uploads a file: reads all of it first, so that an invalid file changes nothing, then imports all analyses as scans,
 * or none. Returns the scans of the file in their state after the maximum wait.
 */
export async function importUploadedSarif(
  services: Services,
  underWay: RunningUploads,
  request: SarifUploadRequest,
): Promise<Scan[]> {
  const { actor, params, query } = request;
  const { orgId } = actor;
  const { database, config } = services;
  const repository = await database.withOrg(orgId, (tx) => findTarget(tx, actor, params));
  const file = await receiveSarif(join(config.dataDir, 'uploads'), request.file);
  const stored = await store(services, actor, file, {
    repositoryId: repository.id,
    ref: fullRef(query.ref ?? repository.defaultBranch),
    commit: query.commit,
    category: query.category,
  }).catch(async (error: unknown) => {
    await file.close();
    throw error;
  });
  const work = underWay.run(async (stopped) => {
    try {
      if (stored) await importSarifFile(services, { ...stored, orgId, attempt: 1, file }, stopped);
    } finally {
      await file.close();
    }
  });
  work.catch((error) => services.log.warn({ err: error, upload: stored?.id }, 'an upload could not be imported'));
  await waitAtMost(MAX_WAIT_MS, work);
  return database.withOrg(orgId, (tx) => findScans(tx, orgId, stored?.scans ?? []));
}

/** Inserts the scans of a file and stores the file, to resume after a crash; undefined for a file without runs. */
async function store(
  services: Services,
  actor: Actor | KeyActor,
  file: SarifFile,
  upload: UploadParameters,
): Promise<StoredUpload | undefined> {
  const { orgId } = actor;
  const [first, ...rest] = sarifAnalysesOf(file, upload).map(({ analysis }) => analysis);
  if (!first) return undefined;
  const [id, auditActor] = [newId(), actorOf(actor)];
  return services.database.withOrg(orgId, async (tx) => {
    const scans = await insertScans(tx, orgId, auditActor, { analyses: [first, ...rest], uploadId: id });
    const stored = { id, upload, actor: auditActor, scans };
    await storeUpload(tx, services.secrets, orgId, { ...stored, packed: file.packed() });
    await queueUploadWatch(services, tx, orgId, id);
    tx.afterCommit(() => {
      for (const scanId of scans) sendScanNotice(services, orgId, upload.repositoryId, scanId);
    });
    return stored;
  });
}

interface UploadTarget {
  id: string;
  defaultBranch: string;
}

/**
 * Finds the enabled repository of the request. Throws 403 without permission to write all findings, 404 for an unknown
 * repository.
 */
async function findTarget(
  tx: Tx,
  actor: Actor | KeyActor,
  { provider, repoPath }: RepositoryKey,
): Promise<UploadTarget> {
  if (!isKeyActor(actor) && actor.reach('write:findings') !== 'all') {
    throw Forbidden('Your role does not allow this. Ask an Account Owner.', 'write:findings');
  }
  const [row] = await tx.query<{ id: string; default_branch: string; archived: boolean }>({
    name: 'sarif.target',
    text: `select r.id, r.default_branch, o.archived_at is not null as archived
           from repository r join organization o on o.id = r.org_id
           where r.org_id = $1 and lower(r.full_name) = lower($2) and r.provider = $3 and r.tracked`,
    values: [actor.orgId, repoPath, provider],
  });
  const isForAnother = isKeyActor(actor) && (actor.accessKey.repositoryId ?? row?.id) !== row?.id;
  if (!row || isForAnother) throw NotFound('Repository');
  if (row.archived) throw Archived();
  if (isKeyActor(actor)) await recordKeyUse(tx, actor);
  return { id: row.id, defaultBranch: row.default_branch };
}

const fullRef = (ref: string) => (ref.startsWith('refs/') ? ref : `refs/heads/${ref}`);

function actorOf(actor: Actor | KeyActor): AuditActor {
  if (isKeyActor(actor)) return { integration: `Access key ${actor.accessKey.label}` };
  const { accountId, personId, requestId, address } = actor;
  return { accountId, personId, requestId, address };
}
