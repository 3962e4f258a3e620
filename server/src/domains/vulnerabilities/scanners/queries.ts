import type { Page } from '@sightline/contract/core/endpoint.ts';
import type { ScannerName } from '@sightline/contract/core/scan-sources.ts';
import type { listScannerProjects, ScannerProject, ScannerSettings } from '@sightline/contract/sources/integrations.ts';
import { sql } from 'kysely';
import type { z } from 'zod';
import type { Services } from '#core/services.ts';
import type { Tx } from '#database/database.ts';
import { containsText, fetchPage } from '#database/page.ts';
import {
  accountOf,
  type ConnectionRow,
  maybeConnectionRow,
  parseConnectionProblem,
  parseConnectionSettings,
  type ScannerOf,
} from './connection-row.ts';

/** Returns the settings of the connection for an owner, without its key; undefined if not connected. */
export async function maybeScannerSettings(
  { config, scanners }: Pick<Services, 'config' | 'scanners'>,
  tx: Tx,
  { orgId, scanner }: ScannerOf,
): Promise<ScannerSettings | undefined> {
  const row = await maybeConnectionRow(tx, orgId, scanner);
  if (!row || row.status === 'inactive') return undefined;
  const hasWebhooks = scanners.definition(scanner).deliveries !== undefined;
  return settingsOf(row, webhookUrl(config.PUBLIC_URL, scanner, row.hook), hasWebhooks);
}

export const webhookUrl = (publicURL: string, scanner: ScannerName, hook: string): string =>
  `${publicURL}/api/webhooks/${scanner}?hook=${hook}`;

function settingsOf(row: ConnectionRow, webhookURL: string, hasWebhooks: boolean): ScannerSettings {
  const { tenant, baseURL, keyEnd } = parseConnectionSettings(row);
  return {
    tenant,
    baseURL,
    keyEnd,
    webhookURL,
    webhook: hasWebhooks ? (row.hook_id === null ? 'not_registered' : 'registered') : 'unsupported',
    sync: {
      state: row.sync_state as ScannerSettings['sync']['state'],
      projects: { done: row.sync_done, total: row.sync_total },
      results: row.sync_results,
      error: row.sync_error,
      startedAt: row.sync_started_at?.toISOString() ?? null,
      finishedAt: row.sync_finished_at?.toISOString() ?? null,
    },
  };
}

/** The health of the connection, visible to all members. */
export interface ScannerHealth {
  status: 'active' | 'inactive' | 'error';
  /** The tenant, or else the host. */
  account: string;
  hasTenant: boolean;
  projects: number;
  unmatched: number;
  checkedAt: Date | null;
  lastSyncAt: Date | null;
  problem: { code: string; message: string } | null;
}

/** Undefined if the scanner was never connected. */
export async function maybeScannerHealth(tx: Tx, of: ScannerOf): Promise<ScannerHealth | undefined> {
  const row = await maybeConnectionRow(tx, of.orgId, of.scanner);
  if (!row) return undefined;
  const counts = await projectsOf(tx, of)
    .select([
      sql<number>`count(*)`.as('projects'),
      sql<number>`count(*) filter (where p.matched_by is null)`.as('unmatched'),
    ])
    .executeTakeFirst();
  return {
    status: row.status as ScannerHealth['status'],
    account: accountOf(parseConnectionSettings(row)),
    hasTenant: parseConnectionSettings(row).tenant !== '',
    projects: counts?.projects ?? 0,
    unmatched: counts?.unmatched ?? 0,
    checkedAt: row.checked_at,
    lastSyncAt: row.last_sync_at,
    problem:
      parseConnectionProblem(row) ??
      (row.sync_error === null ? null : { code: 'sync_failed', message: row.sync_error }),
  };
}

const projectsOf = (tx: Tx, { orgId, scanner }: ScannerOf) =>
  tx.db
    .selectFrom('scanner_project as p')
    .where('p.org_id', '=', orgId)
    .where('p.integration', '=', scanner)
    .where('p.removed_at', 'is', null);

type ProjectsQuery = z.output<typeof listScannerProjects.query>;

/** Returns one page of the projects of a scanner, by default those without a repository first. */
export async function listProjectPage(tx: Tx, of: ScannerOf, query: ProjectsQuery): Promise<Page<ScannerProject[]>> {
  const found = await fetchPage(
    selectProjects(tx, of)
      .$if(query.search !== '', (select) => select.where(containsText(sql`p.name`, query.search)))
      .$if(query.sort === 'matched-asc', (select) => select.orderBy(sql`p.matched_by is not null`))
      .orderBy('p.name', query.sort === 'name-desc' ? 'desc' : 'asc')
      .orderBy('p.external_id'),
    query,
  );
  return { rows: found.rows.map(projectOf), total: found.total };
}

export async function maybeScannerProject(tx: Tx, of: ScannerOf, id: string): Promise<ScannerProject | undefined> {
  const row = await selectProjects(tx, of).where('p.external_id', '=', id).executeTakeFirst();
  return row && projectOf(row);
}

const selectProjects = (tx: Tx, of: ScannerOf) =>
  projectsOf(tx, of)
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
export async function maybeOrganizationOfWebhook(
  tx: Tx,
  scanner: ScannerName,
  hook: string,
): Promise<string | undefined> {
  const [row] = await tx.query<{ org: string | null }>({
    name: 'scanner.org',
    text: 'select org_of_hook($1, $2) as org',
    values: [scanner, hook],
  });
  return row?.org ?? undefined;
}
