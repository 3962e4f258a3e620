import { isArchived } from '#core/archived.ts';
import { failureReason } from '#core/failure-reason.ts';
import type { Services } from '#core/services.ts';
import { HostRefused } from '#providers/code-host.ts';
import type { HostFile } from '../../../../providers/host-facts.ts';
import { detect, interestOf, mostBytes } from '../detect/detect.ts';
import { settleRepository } from '../sums.ts';
import { blameOf } from './origin.ts';
import { identified, keepFiles, type ReadFile, tellRemoved, unknownOf } from './save.ts';
import { type RepositoryScan, type ScanKey, saveScan, sceneOf } from './scene.ts';

// Number of files that are read and then stored together: after a crash the next scan continues after them.
const BATCH_SIZE = 30;
const CONCURRENT_READS = 5;
const MAX_FILES = 3_000;

/**
 * Reads the changed files of a repository and stores the tools that they reference. Throws HostLimited and temporary
 * errors; stored results remain.
 */
export async function scanRepository(services: Services, subject: ScanKey): Promise<void> {
  const scene = await sceneOf(services, subject);
  if (!scene) return;
  await saveScan(services, subject, { state: 'running', error: null });
  try {
    const commit = await scanHead(scene);
    await saveScan(services, subject, { state: 'done', error: null, commit_sha: commit, scanned_at: new Date() });
  } catch (error) {
    if (error instanceof HostRefused) return saveScan(services, subject, { state: 'failed', error: error.message });
    // Archived in the meantime: the scan continues after the organization is restored.
    const isNowArchived = await services.database.withOrg(subject.orgId, (tx) => isArchived(tx, subject.orgId));
    const reason = failureReason(services, 'reading the tools of a repository', subject, error);
    await saveScan(services, subject, { state: 'queued', error: reason });
    if (!isNowArchived) throw error;
  }
}

/** Returns the scanned commit; null for an empty repository. */
async function scanHead(scene: RepositoryScan): Promise<string | null> {
  const { services, host, ref, branch, orgId, repositoryId } = scene;
  const head = await headOf(scene, branch);
  const at = new Date();
  if (head !== null) {
    const listed = (await host.listTree(ref, head)).filter(({ path }) => interestOf(path)).slice(0, MAX_FILES);
    const listedPaths = new Set(listed.map(({ path }) => path));
    const changed = listed.filter(({ path, blob }) => scene.files.get(path) !== blob);
    const removedPaths = (await knownPaths(scene)).filter((path) => !listedPaths.has(path));
    for (let from = 0; from < changed.length; from += BATCH_SIZE) {
      const files = await readFiles(scene, changed.slice(from, from + BATCH_SIZE));
      const blame = await blameOf(scene, head, await pathsWithNewDetections(scene, files));
      await services.database.withOrg(orgId, (tx) => keepFiles(tx, scene, { head, at, files, blame }));
    }
    const files = removedPaths.map((path) => ({ path, blob: null, detections: [] }));
    await services.database.withOrg(orgId, (tx) => keepFiles(tx, scene, { head, at, files, blame: new Map() }));
  }
  await services.database.withOrg(orgId, async (tx) => {
    await settleRepository(tx, orgId, repositoryId, at);
    if (head !== null) await tellRemoved(tx, scene, head, at);
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
const pathsWithNewDetections = (scene: RepositoryScan, files: readonly ReadFile[]): Promise<string[]> =>
  scene.services.database.withOrg(scene.orgId, async (tx) => {
    const all = files.flatMap((file) => identified(scene.repositoryId, file));
    const fresh = await unknownOf(
      tx,
      scene,
      all.map(({ id }) => id),
    );
    return [...new Set(all.flatMap(({ id, path }) => (fresh.has(id) ? [path] : [])))];
  });

async function readFiles(scene: RepositoryScan, files: readonly HostFile[]): Promise<ReadFile[]> {
  const read: ReadFile[] = [];
  const queue = files.entries();
  const worker = async () => {
    for (const [index, file] of queue) {
      const content = await contentOf(scene, file);
      read[index] = { path: file.path, blob: file.blob, detections: detect(file.path, content) };
    }
  };
  const outcomes = await Promise.allSettled(Array.from({ length: CONCURRENT_READS }, worker));
  const failed = outcomes.find((outcome) => outcome.status === 'rejected');
  if (failed) throw failed.reason;
  return read;
}

/** Returns the content of a file; empty if only its name matters or it is too large. */
async function contentOf({ host, ref }: RepositoryScan, { path, blob, size }: HostFile): Promise<string> {
  if (interestOf(path) !== 'content' || (size ?? 0) > mostBytes) return '';
  const bytes = await host.readBlob(ref, blob);
  return bytes.length > mostBytes ? '' : bytes.toString('utf8');
}
