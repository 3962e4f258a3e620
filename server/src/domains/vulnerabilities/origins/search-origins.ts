import { isArchived } from '#core/archived.ts';
import type { Services } from '#core/services.ts';
import { type CodeHost, HostRefused } from '#providers/code-host.ts';
import type { HostRef } from '../../../providers/host-facts.ts';
import { findingOriginInBlame } from './blame-origin.ts';
import { findingOriginsFromHistory } from './history-origins.ts';
import { listPendingOrigins, type OriginSearchResult, type PendingOrigin, storeOrigins } from './pending-origins.ts';

const BATCH_SIZE = 500;
// Maximum number of files per search. Blame is the most expensive request; other findings use the imported history.
const MAX_BLAMED_FILES = 40;
const FILES_PER_REQUEST = 10;

interface BlameSource {
  /** Undefined if the host has no blame or is not connected. */
  blame: CodeHost['blame'];
  ref: HostRef;
  /** Whether all commits of the default branch are imported, with their files. */
  isWhole: boolean;
}

/**
 * The job `findings.origins`: searches the commits that introduced the findings of a repository: first in the host's blame, for files with the
 * highest severity, then in the imported history. Processes each finding once either exists. Throws HostLimited and temporary errors;
 * stored origins remain.
 */
export async function searchOrigins(services: Services, orgId: string, repositoryId: string): Promise<void> {
  const { database } = services;
  const blameSource = await findBlameSource(services, orgId, repositoryId);
  // Without blame and a complete history, no origin can be found: the findings stay pending until one of both exists.
  if (!blameSource || (!blameSource.blame && !blameSource.isWhole)) return;
  let budget = MAX_BLAMED_FILES;
  for (;;) {
    const pending = await database.withOrg(orgId, (tx) => listPendingOrigins(tx, orgId, repositoryId, BATCH_SIZE));
    if (pending.length === 0) return;
    const traced = new Set<string>();
    for (const request of blameRequestsOf(pending, blameSource.blame ? budget : 0)) {
      budget -= request.paths.length;
      const found = await traceLines(blameSource, request, pending);
      await storeOrigins(services, orgId, repositoryId, found);
      for (const { id } of found) traced.add(id);
    }
    const untraced = pending.filter(({ id }) => !traced.has(id));
    await storeOrigins(
      services,
      orgId,
      repositoryId,
      await inferOrigins(services, orgId, { repositoryId, blameSource, findings: untraced }),
    );
  }
}

interface BlameRequest {
  commit: string;
  paths: string[];
}

/** Groups files into blame requests, highest severity first, with a few files of the same commit in each. */
function blameRequestsOf(pending: readonly PendingOrigin[], budget: number): BlameRequest[] {
  const files = new Map<string, { commit: string; path: string }>();
  for (const { commit, line, path } of pending) {
    if (files.size === budget) break;
    if (commit !== null && line !== null) files.set(`${commit} ${path}`, { commit, path });
  }
  const requests: BlameRequest[] = [];
  for (const [commit, ofCommit] of Map.groupBy(files.values(), (file) => file.commit)) {
    for (let at = 0; at < ofCommit.length; at += FILES_PER_REQUEST) {
      requests.push({ commit, paths: ofCommit.slice(at, at + FILES_PER_REQUEST).map(({ path }) => path) });
    }
  }
  return requests;
}

async function findBlameSource(
  services: Services,
  orgId: string,
  repositoryId: string,
): Promise<BlameSource | undefined> {
  const found = await services.database.withOrg(orgId, async (tx) => {
    if (await isArchived(tx, orgId)) return undefined;
    const row = await tx.db
      .selectFrom('repository as r')
      .leftJoin('repository_import as i', (join) =>
        join.onRef('i.org_id', '=', 'r.org_id').onRef('i.repository_id', '=', 'r.id'),
      )
      .where('r.org_id', '=', orgId)
      .where('r.id', '=', repositoryId)
      .where('r.tracked', '=', true)
      .select(['r.provider', 'r.installation_id', 'r.owner', 'r.name', 'r.removed_at', 'i.state'])
      .executeTakeFirst();
    return row;
  });
  if (!found) return undefined;
  const { provider, installation_id: installationId, owner, name, removed_at, state } = found;
  const host = removed_at === null ? await services.codeHosts.maybe(orgId, provider, installationId) : undefined;
  return { blame: host?.blame, ref: { installationId, owner, name }, isWhole: state === 'done' };
}

/** Returns the origins of findings whose lines the host can trace. */
async function traceLines(
  { blame: requestBlame, ref }: BlameSource,
  { commit, paths }: BlameRequest,
  pending: readonly PendingOrigin[],
): Promise<OriginSearchResult[]> {
  if (!requestBlame) return [];
  try {
    const blame = await requestBlame(ref, commit, paths);
    return pending.flatMap((finding) => {
      const ofFile = finding.commit === commit ? blame.get(finding.path) : undefined;
      const origin = ofFile && findingOriginInBlame(ofFile, finding);
      return origin ? [{ id: finding.id, origin }] : [];
    });
  } catch (error) {
    // The commit no longer exists, or the app has no permission to read it.
    if (error instanceof HostRefused) return [];
    throw error;
  }
}

/** Infers origins only from a complete history; when an import completes, the search is repeated. */
async function inferOrigins(
  services: Services,
  orgId: string,
  {
    repositoryId,
    blameSource: { isWhole },
    findings,
  }: { repositoryId: string; blameSource: BlameSource; findings: readonly PendingOrigin[] },
): Promise<OriginSearchResult[]> {
  const origins =
    isWhole && findings.length > 0
      ? await services.database.withOrg(orgId, (tx) => findingOriginsFromHistory(tx, orgId, repositoryId, findings))
      : undefined;
  return findings.map(({ id }) => ({ id, origin: origins?.get(id) ?? null }));
}
