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

// So many at a time are read, and then written together: after a crash the next scan goes on behind them.
const batch = 30;
const atOnce = 5;
const mostFiles = 3_000;

/**
 * Reads what has changed of a repository's files since the last time and writes down which tools they name. Throws
 * HostLimited, and what may succeed another time; what was read by then stays.
 */
export async function scanRepository(services: Services, subject: ScanKey): Promise<void> {
  const scene = await sceneOf(services, subject);
  if (!scene) return;
  await saveScan(services, subject, { state: 'running', error: null });
  try {
    const commit = await readThrough(scene);
    await saveScan(services, subject, { state: 'done', error: null, commit_sha: commit, scanned_at: new Date() });
  } catch (error) {
    if (error instanceof HostRefused) return saveScan(services, subject, { state: 'failed', error: error.message });
    // Archived under way: it goes on once the organization is restored and its repositories are read again.
    const isOver = await services.database.withOrg(subject.orgId, (tx) => isArchived(tx, subject.orgId));
    const reason = failureReason(services, 'reading the tools of a repository', subject, error);
    await saveScan(services, subject, { state: 'queued', error: reason });
    if (!isOver) throw error;
  }
}

/** Answers the commit that was read; null for a repository that has none yet. */
async function readThrough(scene: RepositoryScan): Promise<string | null> {
  const { services, host, ref, branch, orgId, repositoryId } = scene;
  const head = await headOf(scene, branch);
  const at = new Date();
  if (head !== null) {
    const listed = (await host.listTree(ref, head)).filter(({ path }) => interestOf(path)).slice(0, mostFiles);
    const there = new Set(listed.map(({ path }) => path));
    const changed = listed.filter(({ path, blob }) => scene.files.get(path) !== blob);
    const gone = (await readBefore(scene)).filter((path) => !there.has(path));
    for (let from = 0; from < changed.length; from += batch) {
      const files = await readFiles(scene, changed.slice(from, from + batch));
      const blame = await blameOf(scene, head, await untraced(scene, files));
      await services.database.withOrg(orgId, (tx) => keepFiles(tx, scene, { head, at, files, blame }));
    }
    const files = gone.map((path) => ({ path, blob: null, detections: [] }));
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

/** Files that name a tool as far as we know. */
const readBefore = ({ services, orgId, repositoryId, files }: RepositoryScan): Promise<string[]> =>
  services.database.withOrg(orgId, async (tx) => {
    const rows = await tx.query<{ path: string }>({
      name: 'tools.paths',
      text: 'select distinct path from tool_detection where org_id = $1 and repository_id = $2 and removed_at is null',
      values: [orgId, repositoryId],
    });
    return [...new Set([...files.keys(), ...rows.map(({ path }) => path)])];
  });

/** A repository into which nothing was ever pushed has no branch; one that had files once is another matter. */
async function headOf(scene: RepositoryScan, branch: string): Promise<string | null> {
  try {
    return await scene.host.headOf(scene.ref, branch);
  } catch (error) {
    if (error instanceof HostRefused && error.status === 404 && scene.files.size === 0) return null;
    throw error;
  }
}

/** Paths of files that name something we did not know of. */
const untraced = (scene: RepositoryScan, files: readonly ReadFile[]): Promise<string[]> =>
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
  const outcomes = await Promise.allSettled(Array.from({ length: atOnce }, worker));
  const failed = outcomes.find((outcome) => outcome.status === 'rejected');
  if (failed) throw failed.reason;
  return read;
}

/** What a file says by its name alone needs no reading; and what is too large is taken for what its name says. */
async function contentOf({ host, ref }: RepositoryScan, { path, blob, size }: HostFile): Promise<string> {
  if (interestOf(path) !== 'content' || (size ?? 0) > mostBytes) return '';
  const bytes = await host.readBlob(ref, blob);
  return bytes.length > mostBytes ? '' : bytes.toString('utf8');
}
