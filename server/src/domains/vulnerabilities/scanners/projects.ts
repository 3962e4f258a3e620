import { sql } from 'kysely';
import type { Services } from '#core/services.ts';
import type { Tx } from '#database/database.ts';
import type { ScannedProject } from '#providers/scanner-connector.ts';
import { moveProject } from './commands.ts';
import type { ScannerOf } from './connection-row.ts';
import { createRepositoryMatcher, type ProjectReference, type RepositoryMatch } from './repository-matcher.ts';

/** A project with its linked repository, for the sync. */
export interface ScannerProjectRow {
  id: string;
  name: string;
  repoUrl: string | null;
  mainBranch: string | null;
  matchedBy: string | null;
  position: number;
  /** Null without a linked repository, or if the repository is not enabled. */
  repository: { id: string; defaultBranch: string } | null;
}

/** Stores the current names of projects. Restores projects that were removed. */
export async function saveProjects(
  tx: Tx,
  { orgId, scanner }: ScannerOf,
  projects: readonly ScannedProject[],
): Promise<void> {
  const rows = new Map(projects.map((project) => [project.id, project]));
  if (rows.size === 0) return;
  await tx.db
    .insertInto('scanner_project')
    .values(
      [...rows.values()]
        .sort((one, other) => (one.id < other.id ? -1 : 1))
        .map(({ id, name, repoUrl, mainBranch, importedName }) => ({
          org_id: orgId,
          integration: scanner,
          external_id: id,
          name,
          repo_url: repoUrl,
          imported_name: importedName,
          main_branch: mainBranch,
        })),
    )
    .onConflict((conflict) =>
      conflict.columns(['org_id', 'integration', 'external_id']).doUpdateSet(({ ref }) => ({
        name: ref('excluded.name'),
        repo_url: ref('excluded.repo_url'),
        imported_name: ref('excluded.imported_name'),
        main_branch: ref('excluded.main_branch'),
        removed_at: null,
      })),
    )
    .execute();
}

/** Marks projects that the scanner no longer lists as removed; their findings remain. */
export async function markProjectsRemoved(
  tx: Tx,
  { orgId, scanner }: ScannerOf,
  seen: readonly string[],
): Promise<void> {
  await tx.db
    .updateTable('scanner_project')
    .set({ removed_at: sql<Date>`now()` })
    .where('org_id', '=', orgId)
    .where('integration', '=', scanner)
    .where('removed_at', 'is', null)
    .where(sql<boolean>`external_id <> all(${seen}::text[])`)
    .execute();
}

/** Matches projects to repositories again, except projects that were linked manually. */
export async function matchProjects(services: Services, tx: Tx, { orgId, scanner }: ScannerOf): Promise<void> {
  const find = await matcherFor(tx, orgId);
  const rows = await tx.db
    .selectFrom('scanner_project')
    .where('org_id', '=', orgId)
    .where('integration', '=', scanner)
    .where('removed_at', 'is', null)
    .where(sql<boolean>`matched_by is distinct from 'manual'`)
    .select(['external_id', 'name', 'repo_url', 'imported_name', 'repository_id', 'matched_by', 'position'])
    .orderBy('external_id')
    .forUpdate()
    .execute();
  for (const row of rows) {
    const match = find({ name: row.name, repoUrl: row.repo_url, importedName: row.imported_name });
    // A match by a scan remains until another match replaces it.
    if (match && (match.repositoryId !== row.repository_id || match.matchedBy !== row.matched_by)) {
      const to = { repositoryId: match.repositoryId, matchedBy: match.matchedBy };
      await moveProject(services, tx, { orgId, scanner }, { projectId: row.external_id, before: row, to });
    }
  }
}

/** Matches one project by the repository of one of its scans. */
export async function matchProjectByScan(
  services: Services,
  tx: Tx,
  { orgId, scanner }: ScannerOf,
  { projectId, reference }: { projectId: string; reference: ProjectReference },
): Promise<RepositoryMatch | undefined> {
  const match = (await matcherFor(tx, orgId))(reference);
  if (!match) return undefined;
  const row = await tx.db
    .selectFrom('scanner_project')
    .where('org_id', '=', orgId)
    .where('integration', '=', scanner)
    .where('external_id', '=', projectId)
    .where('matched_by', 'is', null)
    .select(['repository_id', 'position'])
    .forUpdate()
    .executeTakeFirst();
  if (!row) return undefined;
  const to = { repositoryId: match.repositoryId, matchedBy: match.matchedBy };
  await moveProject(services, tx, { orgId, scanner }, { projectId, before: row, to });
  return match;
}

async function matcherFor(tx: Tx, orgId: string): Promise<ReturnType<typeof createRepositoryMatcher>> {
  const repositories = await tx.db
    .selectFrom('repository')
    .where('org_id', '=', orgId)
    .where('removed_at', 'is', null)
    .select(['id', 'full_name as fullName', 'html_url as url'])
    .execute();
  return createRepositoryMatcher(repositories);
}

/** Records the time of the latest known scan of a project. */
export async function recordLastScan(
  tx: Tx,
  { orgId, scanner }: ScannerOf,
  projectId: string,
  at: Date,
): Promise<void> {
  await tx.db
    .updateTable('scanner_project')
    .set({ last_scan_at: sql<Date>`greatest(last_scan_at, ${at})` })
    .where('org_id', '=', orgId)
    .where('integration', '=', scanner)
    .where('external_id', '=', projectId)
    .execute();
}

/** Returns all projects of the connection, or the given one. */
export async function listSyncProjects(
  tx: Tx,
  { orgId, scanner }: ScannerOf,
  id?: string,
): Promise<ScannerProjectRow[]> {
  const rows = await tx.db
    .selectFrom('scanner_project as p')
    .leftJoin('repository as r', (join) =>
      join
        .onRef('r.org_id', '=', 'p.org_id')
        .onRef('r.id', '=', 'p.repository_id')
        .on('r.tracked', '=', true)
        .on('r.removed_at', 'is', null),
    )
    .where('p.org_id', '=', orgId)
    .where('p.integration', '=', scanner)
    .where('p.removed_at', 'is', null)
    .$if(id !== undefined, (query) => query.where('p.external_id', '=', id ?? ''))
    .select([
      'p.external_id',
      'p.name',
      'p.repo_url',
      'p.main_branch',
      'p.matched_by',
      'p.position',
      'r.id',
      'r.default_branch',
    ])
    .orderBy('p.external_id')
    .execute();
  return rows.map((row) => ({
    id: row.external_id,
    name: row.name,
    repoUrl: row.repo_url,
    mainBranch: row.main_branch,
    matchedBy: row.matched_by,
    position: row.position,
    repository: row.id === null ? null : { id: row.id, defaultBranch: row.default_branch ?? 'main' },
  }));
}
