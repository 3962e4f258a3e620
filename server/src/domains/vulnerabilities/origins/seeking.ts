import { isArchived } from '#core/archived.ts';
import type { Services } from '#core/services.ts';
import { type CodeHost, HostRefused } from '#providers/code-host.ts';
import type { HostRef } from '../../../providers/host-facts.ts';
import { originIn } from './blamed.ts';
import { originsByHistory } from './inferred.ts';
import { keepOrigins, type PendingOrigin, pendingOf, type Sought } from './pending.ts';

const batch = 500;
// Of one scan. Blame is the dearest question one can ask; what is left is concluded from our own history.
const mostFiles = 40;
const atOnce = 10;

interface BlameSource {
  /** Undefined where the host cannot be asked. */
  blame: CodeHost['blame'];
  ref: HostRef;
  /** Whether all commits of the default branch are known, with their files. */
  isWhole: boolean;
}

/**
 * Looks for the commits that brought what was found in a repository: first by the code host's blame for the files of the
 * worst, then by our own history. Each finding is looked at once. Throws HostLimited, and what may succeed another time;
 * what was found out by then stays.
 */
export async function seekOrigins(services: Services, orgId: string, repositoryId: string): Promise<void> {
  const { database } = services;
  const scene = await sceneOf(services, orgId, repositoryId);
  if (!scene) return;
  let budget = mostFiles;
  for (;;) {
    const pending = await database.withOrg(orgId, (tx) => pendingOf(tx, orgId, repositoryId, batch));
    if (pending.length === 0) return;
    const traced = new Set<string>();
    for (const question of questionsOf(pending, scene.blame ? budget : 0)) {
      budget -= question.paths.length;
      const found = await trace(scene, question, pending);
      await keepOrigins(services, orgId, repositoryId, found);
      for (const { id } of found) traced.add(id);
    }
    const left = pending.filter(({ id }) => !traced.has(id));
    await keepOrigins(
      services,
      orgId,
      repositoryId,
      await conclude(services, orgId, { repositoryId, blameSource: scene, findings: left }),
    );
  }
}

interface BlameQuestion {
  commit: string;
  paths: string[];
}

/** Files to ask the host about, those of the worst findings first: a few of the same commit at once. */
function questionsOf(pending: readonly PendingOrigin[], budget: number): BlameQuestion[] {
  const files = new Map<string, { commit: string; path: string }>();
  for (const { commit, line, path } of pending) {
    if (files.size === budget) break;
    if (commit !== null && line !== null) files.set(`${commit} ${path}`, { commit, path });
  }
  const questions: BlameQuestion[] = [];
  for (const [commit, ofCommit] of Map.groupBy(files.values(), (file) => file.commit)) {
    for (let at = 0; at < ofCommit.length; at += atOnce) {
      questions.push({ commit, paths: ofCommit.slice(at, at + atOnce).map(({ path }) => path) });
    }
  }
  return questions;
}

async function sceneOf(services: Services, orgId: string, repositoryId: string): Promise<BlameSource | undefined> {
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

/** The findings of some files whose lines the host can trace. */
async function trace(
  { blame: ask, ref }: BlameSource,
  { commit, paths }: BlameQuestion,
  pending: readonly PendingOrigin[],
): Promise<Sought[]> {
  if (!ask) return [];
  try {
    const blame = await ask(ref, commit, paths);
    return pending.flatMap((finding) => {
      const ofFile = finding.commit === commit ? blame.get(finding.path) : undefined;
      const origin = ofFile && originIn(ofFile, finding);
      return origin ? [{ id: finding.id, origin }] : [];
    });
  } catch (error) {
    // The commit is gone, or the app may not read it.
    if (error instanceof HostRefused) return [];
    throw error;
  }
}

/** From half a history nothing is concluded: once it is whole, all this is asked again. */
async function conclude(
  services: Services,
  orgId: string,
  {
    repositoryId,
    blameSource: { isWhole },
    findings,
  }: { repositoryId: string; blameSource: BlameSource; findings: readonly PendingOrigin[] },
): Promise<Sought[]> {
  const origins =
    isWhole && findings.length > 0
      ? await services.database.withOrg(orgId, (tx) => originsByHistory(tx, orgId, repositoryId, findings))
      : undefined;
  return findings.map(({ id }) => ({ id, origin: origins?.get(id) ?? null }));
}
