import type { Tx } from '#database/database.ts';
import type { CheckmarxTenant } from '#providers/checkmarx/checkmarx.ts';
import type { CheckmarxScan } from '#providers/checkmarx/shapes.ts';

/** A scan that is to be taken in, for a branch of the repository. */
export interface BranchScan {
  branch: string;
  scan: CheckmarxScan;
}

// Of a project seen for the first time: how far back its list is read, and how many branches are taken.
const furthestScans = 500;
const mostBranches = 50;
const day = 24 * 60 * 60_000;

/** The newest scan of each branch of a project that is newer than what was taken in, oldest first. */
export async function newestScans(
  tenant: CheckmarxTenant,
  project: { id: string; mainBranch: string },
  taken: ReadonlyMap<string, { scanId: string; at: Date }>,
): Promise<BranchScan[]> {
  const latest = Math.max(0, ...[...taken.values()].map(({ at }) => at.getTime()));
  const newest = new Map<string, CheckmarxScan>();
  const keep = (scan: CheckmarxScan) => {
    // A scan of an archive that was sent in names no branch.
    const branch = scan.branch === null || scan.branch === '.unknown' ? project.mainBranch : branchOf(scan.branch);
    const other = newest.get(branch);
    if (!other || other.createdAt < scan.createdAt) newest.set(branch, scan);
  };
  const query = { projectId: project.id, most: furthestScans };
  // A day more than needed: clocks differ, and a scan may end long after it began.
  for await (const scan of tenant.scans({ ...query, ...(latest > 0 && { since: new Date(latest - day) }) })) {
    keep(scan);
    if (newest.size >= mostBranches) break;
  }
  if (latest === 0 && !newest.has(project.mainBranch)) {
    for await (const scan of tenant.scans({ ...query, branch: project.mainBranch, most: 1 })) keep(scan);
  }
  return [...newest]
    .map(([branch, scan]) => ({ branch, scan }))
    .filter(({ branch, scan }) => isNews(scan, taken.get(branch)))
    .sort((one, other) => one.scan.createdAt.getTime() - other.scan.createdAt.getTime());
}

const branchOf = (name: string): string => name.replace(/^refs\/heads\//, '');

const isNews = (scan: CheckmarxScan, known: { scanId: string; at: Date } | undefined): boolean =>
  !known || (known.scanId !== scan.id && scan.createdAt >= known.at);

/** What was taken in of a project, by branch. */
export async function takenBranches(
  tx: Tx,
  orgId: string,
  projectId: string,
): Promise<Map<string, { scanId: string; at: Date }>> {
  const rows = await tx.db
    .selectFrom('scanner_branch')
    .where('org_id', '=', orgId)
    .where('integration', '=', 'checkmarx')
    .where('external_id', '=', projectId)
    .select(['branch', 'scan_id', 'scanned_at'])
    .execute();
  return new Map(rows.map((row) => [row.branch, { scanId: row.scan_id, at: row.scanned_at }]));
}

/** Notes that a scan was taken in whole. */
export async function noteTaken(tx: Tx, orgId: string, projectId: string, { branch, scan }: BranchScan): Promise<void> {
  const taken = { scan_id: scan.id, scanned_at: scan.createdAt };
  await tx.db
    .insertInto('scanner_branch')
    .values({ org_id: orgId, integration: 'checkmarx', external_id: projectId, branch, ...taken })
    .onConflict((conflict) => conflict.columns(['org_id', 'integration', 'external_id', 'branch']).doUpdateSet(taken))
    .execute();
}
