import type { Page } from '@sightline/contract/core/endpoint.ts';
import type {
  CheckmarxSettings,
  listCheckmarxProjects,
  ScannerProject,
} from '@sightline/contract/sources/integrations.ts';
import { sql } from 'kysely';
import type { z } from 'zod';
import type { Tx } from '#database/database.ts';
import { containsText, fetchPage } from '#database/page.ts';
import { type ConnectionRow, maybeConnectionRow, parseConnectionProblem, parseConnectionSettings } from './row.ts';

/** Returns the settings of the connection for an owner, without its key; undefined if not connected. */
export async function maybeCheckmarxSettings(
  tx: Tx,
  orgId: string,
  publicURL: string,
): Promise<CheckmarxSettings | undefined> {
  const row = await maybeConnectionRow(tx, orgId);
  return row && row.status !== 'inactive' ? settingsOf(row, publicURL) : undefined;
}

export const webhookUrl = (publicURL: string, hook: string): string =>
  `${publicURL}/api/webhooks/checkmarx?hook=${hook}`;

function settingsOf(row: ConnectionRow, publicURL: string): CheckmarxSettings {
  const { tenant, baseURL, keyEnd } = parseConnectionSettings(row);
  return {
    tenant,
    baseURL,
    keyEnd,
    webhookURL: webhookUrl(publicURL, row.hook),
    webhook: row.hook_id === null ? 'not_registered' : 'registered',
    sync: {
      state: row.sync_state as CheckmarxSettings['sync']['state'],
      projects: { done: row.sync_done, total: row.sync_total },
      results: row.sync_results,
      error: row.sync_error,
      startedAt: row.sync_started_at?.toISOString() ?? null,
      finishedAt: row.sync_finished_at?.toISOString() ?? null,
    },
  };
}

/** The health of the connection, visible to all members. */
export interface CheckmarxHealth {
  status: 'active' | 'inactive' | 'error';
  tenant: string;
  projects: number;
  unmatched: number;
  checkedAt: Date | null;
  lastSyncAt: Date | null;
  problem: { code: string; message: string } | null;
}

/** Undefined if Checkmarx One was never connected. */
export async function maybeCheckmarxHealth(tx: Tx, orgId: string): Promise<CheckmarxHealth | undefined> {
  const row = await maybeConnectionRow(tx, orgId);
  if (!row) return undefined;
  const counts = await projectsOf(tx, orgId)
    .select([
      sql<number>`count(*)`.as('projects'),
      sql<number>`count(*) filter (where p.matched_by is null)`.as('unmatched'),
    ])
    .executeTakeFirst();
  return {
    status: row.status as CheckmarxHealth['status'],
    tenant: parseConnectionSettings(row).tenant,
    projects: counts?.projects ?? 0,
    unmatched: counts?.unmatched ?? 0,
    checkedAt: row.checked_at,
    lastSyncAt: row.last_sync_at,
    problem:
      parseConnectionProblem(row) ??
      (row.sync_error === null ? null : { code: 'sync_failed', message: row.sync_error }),
  };
}

const projectsOf = (tx: Tx, orgId: string) =>
  tx.db
    .selectFrom('scanner_project as p')
    .where('p.org_id', '=', orgId)
    .where('p.integration', '=', 'checkmarx')
    .where('p.removed_at', 'is', null);

type ProjectsQuery = z.output<typeof listCheckmarxProjects.query>;

/** Returns one page of the projects of the tenant, by default those without a repository first. */
export async function listScannerProjects(
  tx: Tx,
  orgId: string,
  query: ProjectsQuery,
): Promise<Page<ScannerProject[]>> {
  const found = await fetchPage(
    selectProjects(tx, orgId)
      .$if(query.search !== '', (select) => select.where(containsText(sql`p.name`, query.search)))
      .$if(query.sort === 'matched-asc', (select) => select.orderBy(sql`p.matched_by is not null`))
      .orderBy('p.name', query.sort === 'name-desc' ? 'desc' : 'asc')
      .orderBy('p.external_id'),
    query,
  );
  return { rows: found.rows.map(projectOf), total: found.total };
}

export async function maybeScannerProject(tx: Tx, orgId: string, id: string): Promise<ScannerProject | undefined> {
  const row = await selectProjects(tx, orgId).where('p.external_id', '=', id).executeTakeFirst();
  return row && projectOf(row);
}

const selectProjects = (tx: Tx, orgId: string) =>
  projectsOf(tx, orgId)
    .leftJoin('repository as r', (join) =>
      join.onRef('r.org_id', '=', 'p.org_id').onRef('r.id', '=', 'p.repository_id'),
    )
    .select(['p.external_id', 'p.name', 'p.repo_url', 'p.matched_by', 'p.last_scan_at', 'r.id', 'r.full_name']);

type ProjectRow = Awaited<ReturnType<ReturnType<typeof selectProjects>['execute']>>[number];

const projectOf = (row: ProjectRow): ScannerProject => ({
  id: row.external_id,
  name: row.name,
  repoUrl: row.repo_url,
  repository: row.id !== null && row.full_name !== null ? { id: row.id, fullName: row.full_name } : null,
  matchedBy: row.matched_by as ScannerProject['matchedBy'],
  lastScanAt: row.last_scan_at?.toISOString() ?? null,
});

/** Returns the organization whose webhook URL contains this name, while it is connected. */
export async function maybeOrganizationOfWebhook(tx: Tx, hook: string): Promise<string | undefined> {
  const [row] = await tx.query<{ org: string | null }>({
    name: 'checkmarx.org',
    text: 'select org_of_hook($1) as org',
    values: [hook],
  });
  return row?.org ?? undefined;
}
