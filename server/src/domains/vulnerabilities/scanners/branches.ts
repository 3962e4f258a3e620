import type { Tx } from '#database/database.ts';
import type { ProjectScan, ScannerSession } from '#providers/scanner-connector.ts';
import type { ScannerOf } from './connection-row.ts';

/** A scan to import for a branch of the repository. */
export interface BranchScan {
  branch: string;
  scan: ProjectScan;
}

// For the first import of a project: the maximum number of scans to list and of branches to import.
const MAX_SCANS = 500;
const MAX_BRANCHES = 50;
const DAY_MS = 24 * 60 * 60_000;

/** Returns the newest scan of each branch of a project that was not imported yet, oldest first. */
export async function newestBranchScans(
  session: Pick<ScannerSession, 'scans'>,
  project: { id: string; mainBranch: string },
  imported: ReadonlyMap<string, { scanId: string; at: Date }>,
): Promise<BranchScan[]> {
  const latest = Math.max(0, ...[...imported.values()].map(({ at }) => at.getTime()));
  const newest = new Map<string, ProjectScan>();
  const keepNewest = (scan: ProjectScan) => {
    const branch = scan.branch === null ? project.mainBranch : branchOf(scan.branch);
    const other = newest.get(branch);
    if (!other || other.createdAt < scan.createdAt) newest.set(branch, scan);
  };
  const query = { projectId: project.id, most: MAX_SCANS };
  // Lists one more day, since clocks differ and a scan may end long after it began.
  for await (const scan of session.scans({ ...query, ...(latest > 0 && { since: new Date(latest - DAY_MS) }) })) {
    keepNewest(scan);
    if (newest.size >= MAX_BRANCHES) break;
  }
  if (latest === 0 && !newest.has(project.mainBranch)) {
    for await (const scan of session.scans({ ...query, branch: project.mainBranch, most: 1 })) keepNewest(scan);
  }
  return [...newest]
    .map(([branch, scan]) => ({ branch, scan }))
    .filter(({ branch, scan }) => isNotImported(scan, imported.get(branch)))
    .sort((one, other) => one.scan.createdAt.getTime() - other.scan.createdAt.getTime());
}

const branchOf = (name: string): string => name.replace(/^refs\/heads\//, '');

const isNotImported = (scan: ProjectScan, known: { scanId: string; at: Date } | undefined): boolean =>
  !known || (known.scanId !== scan.id && scan.createdAt >= known.at);

/** Returns the last imported scan of each branch of a project. */
export async function listImportedBranches(
  tx: Tx,
  { orgId, scanner }: ScannerOf,
  projectId: string,
): Promise<Map<string, { scanId: string; at: Date }>> {
  const rows = await tx.db
    .selectFrom('scanner_branch')
    .where('org_id', '=', orgId)
    .where('integration', '=', scanner)
    .where('external_id', '=', projectId)
    .select(['branch', 'scan_id', 'scanned_at'])
    .execute();
  return new Map(rows.map((row) => [row.branch, { scanId: row.scan_id, at: row.scanned_at }]));
}

/** Records that a scan was imported completely. */
export async function recordImportedScan(
  tx: Tx,
  { orgId, scanner }: ScannerOf,
  projectId: string,
  { branch, scan }: BranchScan,
): Promise<void> {
  const imported = { scan_id: scan.id, scanned_at: scan.createdAt };
  await tx.db
    .insertInto('scanner_branch')
    .values({ org_id: orgId, integration: scanner, external_id: projectId, branch, ...imported })
    .onConflict((conflict) =>
      conflict.columns(['org_id', 'integration', 'external_id', 'branch']).doUpdateSet(imported),
    )
    .execute();
}
