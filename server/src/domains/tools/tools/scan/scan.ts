import { isArchived } from '#core/archived.ts';
import { failureReason } from '#core/failure-reason.ts';
import type { Services } from '#core/services.ts';
import { HostRefused } from '#providers/code-host.ts';
import type { HostFile } from '../../../../providers/host-facts.ts';
import { detectionInputOf, detectTools, MAX_FILE_BYTES } from '../detect/detect.ts';
import { updateRepositoryTotals } from '../record-sightings.ts';
import { blameFiles, type LineOrigin } from './origin.ts';
import {
  assignDetectionIds,
  newDetectionIds,
  recordRemovedTools,
  type ScannedFile,
  storeScannedFiles,
} from './save.ts';
import { maybeRepositoryScan, type RepositoryScan, saveToolScanProgress, type ToolScanKey } from './scene.ts';

// Number of files that are read and then stored together: after a crash the next scan continues after them.
const BATCH_SIZE = 30;
const CONCURRENT_READS = 5;
const MAX_FILES = 3_000;

/**
 * Reads the changed files of a repository and stores the tools that they reference. Throws HostLimited and temporary
 * errors; stored results remain.
 */
export async function scanRepositoryTools(services: Services, subject: ToolScanKey): Promise<void> {
  const scene = await maybeRepositoryScan(services, subject);
  if (!scene) return;
  await saveToolScanProgress(services, subject, { state: 'running', error: null });
  try {
    const commit = await scanHead(scene);
    await saveToolScanProgress(services, subject, {
      state: 'done',
      error: null,
      commit_sha: commit,
      scanned_at: new Date(),
    });
  } catch (error) {
    if (error instanceof HostRefused)
      return saveToolScanProgress(services, subject, { state: 'failed', error: error.message });
    // Archived in the meantime: the scan continues after the organization is restored.
    const isNowArchived = await services.database.withOrg(subject.orgId, (tx) => isArchived(tx, subject.orgId));
    const reason = failureReason(services, 'reading the tools of a repository', subject, error);
    await saveToolScanProgress(services, subject, { state: 'queued', error: reason });
    if (!isNowArchived) throw error;
  }
}

/** Returns the scanned commit; null for an empty repository. */
async function scanHead(scene: RepositoryScan): Promise<string | null> {
  const { services, host, ref, branch, orgId, repositoryId } = scene;
  const head = await headOf(scene, branch);
  const at = new Date();
  if (head !== null) {
    const listed = (await host.listTree(ref, head)).filter(({ path }) => detectionInputOf(path)).slice(0, MAX_FILES);
    const listedPaths = new Set(listed.map(({ path }) => path));
    const changed = listed.filter(({ path, blob }) => scene.files.get(path) !== blob);
    const removedPaths = (await knownPaths(scene)).filter((path) => !listedPaths.has(path));
    for (let from = 0; from < changed.length; from += BATCH_SIZE) {
      const files = await readFiles(scene, changed.slice(from, from + BATCH_SIZE));
      const blame = await blameFiles(scene, head, await pathsWithNewDetections(scene, files));
      const changes = await lastChangesOf(scene, head, files);
      await services.database.withOrg(orgId, (tx) => storeScannedFiles(tx, scene, { head, at, files, blame, changes }));
    }
    const files = removedPaths.map((path) => ({ path, blob: null, detections: [] }));
    await services.database.withOrg(orgId, (tx) =>
      storeScannedFiles(tx, scene, { head, at, files, blame: new Map(), changes: new Map() }),
    );
  }
  await services.database.withOrg(orgId, async (tx) => {
    await updateRepositoryTotals(tx, orgId, repositoryId, at);
    if (head !== null) await recordRemovedTools(tx, scene, head, at);
    await tx.query({
      name: 'tools.detections.seen',
      text: 'update tool_detection set last_seen = $3 where org_id = $1 and repository_id = $2 and removed_at is null',
      values: [orgId, repositoryId, at],
    });
  });
  return head;
}

/** Returns the files that were read before or have detections. */
const knownPaths = ({ services, orgId, repositoryId, files }: RepositoryScan): Promise<string[]> =>
  services.database.withOrg(orgId, async (tx) => {
    const rows = await tx.query<{ path: string }>({
      name: 'tools.paths',
      text: 'select distinct path from tool_detection where org_id = $1 and repository_id = $2 and removed_at is null',
      values: [orgId, repositoryId],
    });
    return [...new Set([...files.keys(), ...rows.map(({ path }) => path)])];
  });

/**
 * Returns the head of a branch; null for an empty repository. A missing branch of a repository with known files is an
 * error.
 */
async function headOf(scene: RepositoryScan, branch: string): Promise<string | null> {
  try {
    return await scene.host.headOf(scene.ref, branch);
  } catch (error) {
    if (error instanceof HostRefused && error.status === 404 && scene.files.size === 0) return null;
    throw error;
  }
}

/** Returns the paths of files with new detections. */
const pathsWithNewDetections = (scene: RepositoryScan, files: readonly ScannedFile[]): Promise<string[]> =>
  scene.services.database.withOrg(scene.orgId, async (tx) => {
    const all = files.flatMap((file) => assignDetectionIds(scene.repositoryId, file));
    const fresh = await newDetectionIds(
      tx,
      scene,
      all.map(({ id }) => id),
    );
    return [...new Set(all.flatMap(({ id, path }) => (fresh.has(id) ? [path] : [])))];
  });

/** Requests the last change of each agent configuration file; omits files of which the host tells none. */
async function lastChangesOf(
  { host, ref }: RepositoryScan,
  head: string,
  files: readonly ScannedFile[],
): Promise<ReadonlyMap<string, LineOrigin>> {
  const found = new Map<string, LineOrigin>();
  for (const { path } of files.filter(isConfiguration)) {
    try {
      const commit = await host.lastChangeOf(ref, head, path);
      if (!commit) continue;
      const { sha, author, authoredAt } = commit;
      found.set(path, { commit: sha, author, at: new Date(authoredAt), confidence: 'observed' });
    } catch (error) {
      // No permission, or the commit no longer exists.
      if (!(error instanceof HostRefused)) throw error;
    }
  }
  return found;
}

const isConfiguration = ({ detections }: ScannedFile): boolean =>
  detections.some(({ configuration }) => configuration !== undefined);

async function readFiles(scene: RepositoryScan, files: readonly HostFile[]): Promise<ScannedFile[]> {
  const read: ScannedFile[] = [];
  const queue = files.entries();
  const worker = async () => {
    for (const [index, file] of queue) {
      const content = await contentOf(scene, file);
      read[index] = { path: file.path, blob: file.blob, detections: detectTools(file.path, content) };
    }
  };
  const outcomes = await Promise.allSettled(Array.from({ length: CONCURRENT_READS }, worker));
  const failed = outcomes.find((outcome) => outcome.status === 'rejected');
  if (failed) throw failed.reason;
  return read;
}

/** Returns the content of a file: empty if only its name matters, null if it is too large. */
async function contentOf({ host, ref }: RepositoryScan, { path, blob, size }: HostFile): Promise<string | null> {
  if (detectionInputOf(path) !== 'content') return '';
  if ((size ?? 0) > MAX_FILE_BYTES) return null;
  const bytes = await host.readBlob(ref, blob);
  return bytes.length > MAX_FILE_BYTES ? null : bytes.toString('utf8');
}
