import { findingCategories } from '@sightline/contract/core/finding-categories.ts';
import { scannerForms } from '@sightline/contract/sources/scanner-forms.ts';
import type { Services } from '#core/services.ts';
import type { Analysis } from '#providers/scanner.ts';
import {
  type ProjectScan,
  ScannerLimited,
  ScannerProblem,
  type ScannerSession,
  type ScanPart,
} from '#providers/scanner-connector.ts';
import { addResults, beginScan, failScan, finishScan } from '../findings/intake.ts';
import type { BranchScan } from './branches.ts';
import type { ScannerOf } from './connection-row.ts';
import type { ScannerProjectRow } from './projects.ts';
import { SyncLockLost } from './sync-lock.ts';

type Incoming = Awaited<ReturnType<typeof beginScan>>;

/** A project that is linked to an enabled repository. */
export type LinkedProject = ScannerProjectRow & { repository: NonNullable<ScannerProjectRow['repository']> };

/**
 * Imports a scan of a scanner, for the job `scanner.sync`, with one analysis for each part, since a part that did not
 * run reports nothing. Findings that a part no longer reports become fixed, unless the scan is incomplete. `onPage`
 * receives the number of results of each page. Idempotent.
 */
export async function importProjectScan(
  services: Services,
  {
    session,
    of,
    project,
    branchScan: { branch, scan },
    onPage,
  }: {
    session: ScannerSession;
    of: ScannerOf;
    project: LinkedProject;
    branchScan: BranchScan;
    onPage: (results: number) => Promise<void>;
  },
): Promise<void> {
  const actor = { integration: of.scanner };
  const open = new Map<ScanPart, Incoming | 'done'>();
  const known = await knownCategories(services, of, project, `refs/heads/${branch}`);
  const begin = async (part: ScanPart): Promise<Incoming | 'done'> => {
    const found = open.get(part);
    if (found) return found;
    const analysis = analysisOf(services, of, project, { branch, scan, part });
    const isTaken = known.get(analysis.category) === scan.id;
    const incoming = isTaken ? 'done' : await beginScan(services, of.orgId, actor, analysis);
    open.set(part, incoming);
    return incoming;
  };
  try {
    for (const part of expected(scan.parts, (one) => known.has(nameOf(one, project.position)))) await begin(part);
    for await (const page of session.results(project, scan)) {
      for (const [part, results] of Map.groupBy(page, (one) => one.part ?? firstOf(open) ?? 'other')) {
        const incoming = await begin(part);
        if (incoming !== 'done')
          await addResults(
            services,
            incoming,
            results.map(({ result }) => result),
          );
      }
      await onPage(page.length);
    }
    for (const [part, incoming] of open) {
      if (incoming === 'done') continue;
      await finishScan(services, actor, incoming);
      open.set(part, 'done');
    }
  } catch (error) {
    for (const incoming of open.values())
      if (incoming !== 'done') await failScan(services, incoming, reasonOf(of, error));
    throw error;
  }
}

// Returns the message for users, or the error itself if it has none.
function reasonOf({ scanner }: ScannerOf, error: unknown): unknown {
  if (error instanceof ScannerProblem) return error.message;
  if (error instanceof ScannerLimited) return `${error.message} Sightline tries again.`;
  return error instanceof SyncLockLost ? `${scannerForms[scanner].title} was disconnected in the meantime.` : error;
}

/** Closes the analyses of a project in a repository that it was moved from, for the job `scanner.retire`. */
export async function closeProjectAnalyses(
  services: Services,
  { orgId, scanner }: ScannerOf,
  repositoryId: string,
  position: number,
): Promise<void> {
  const rows = await services.database.withOrg(orgId, async ({ db }) => {
    // The project may be back in the meantime.
    const current = await db
      .selectFrom('scanner_project as p')
      .innerJoin('repository as r', (join) =>
        join.onRef('r.org_id', '=', 'p.org_id').onRef('r.id', '=', 'p.repository_id'),
      )
      .where('p.org_id', '=', orgId)
      .where('p.integration', '=', scanner)
      .where('p.repository_id', '=', repositoryId)
      .where('p.position', '=', position)
      .select('p.external_id')
      .executeTakeFirst();
    if (current) return [];
    return db
      .selectFrom('analysis as a')
      .innerJoin('repository as r', (join) =>
        join.onRef('r.org_id', '=', 'a.org_id').onRef('r.id', '=', 'a.repository_id').on('r.tracked', '=', true),
      )
      .where('a.org_id', '=', orgId)
      .where('a.repository_id', '=', repositoryId)
      .where('a.source', '=', scanner)
      .select(['a.category', 'a.ref', 'a.tool'])
      .execute();
  });
  const actor = { integration: scanner };
  for (const { category, ref, tool: key } of rows.filter((row) => positionIn(row.category) === position)) {
    const tool = toolNamed(services, scanner, key);
    const closed = { repositoryId, source: scanner, tool, category, ref, commit: null, nativeId: null, complete: true };
    const incoming = await beginScan(services, orgId, actor, closed);
    try {
      await finishScan(services, actor, incoming);
    } catch (error) {
      await failScan(services, incoming, error);
      throw error;
    }
  }
}

const parts: readonly ScanPart[] = [...findingCategories, 'apisec', 'other'];

// The tool of an existing analysis: one of those that the scanner reports results of.
const toolNamed = ({ scanners }: Services, scanner: ScannerOf['scanner'], key: string): Analysis['tool'] => {
  const { toolOf } = scanners.definition(scanner);
  return parts.map(toolOf).find((tool) => tool.key === key) ?? { key, name: key, version: null };
};

const analysisOf = (
  { scanners }: Services,
  { scanner }: ScannerOf,
  { repository, position }: LinkedProject,
  { branch, scan, part }: { branch: string; scan: ProjectScan; part: ScanPart },
): Analysis => ({
  repositoryId: repository.id,
  source: scanner,
  tool: scanners.definition(scanner).toolOf(part),
  category: nameOf(part, position),
  ref: `refs/heads/${branch}`,
  commit: scan.commit,
  nativeId: scan.id,
  complete: scan.complete && part !== 'other',
  incomplete: scan.incomplete,
});

// Further projects of a repository have separate analyses.
const nameOf = (part: ScanPart, position: number): string => (position === 1 ? part : `${part}-${position}`);
const positionIn = (name: string): number => Number(/-(\d+)$/.exec(name)?.[1] ?? 1);

/** Returns the existing analyses of a ref with the scan of each. */
async function knownCategories(
  { database }: Services,
  { orgId, scanner }: ScannerOf,
  { repository }: LinkedProject,
  ref: string,
): Promise<Map<string, string | null>> {
  const rows = await database.withOrg(orgId, (tx) =>
    tx.query<{ category: string; scan: string | null }>({
      name: 'scanner.known',
      text: `select a.category, (select s.external_id from scan s where s.org_id = $1 and s.repository_id = $2 and s.analysis = a.key
               and s.state = 'done' order by s.received_at desc, s.id desc limit 1) as scan
             from analysis a where a.org_id = $1 and a.repository_id = $2 and a.ref = $3 and a.source = $4`,
      values: [orgId, repository.id, ref, scanner],
    }),
  );
  return new Map(rows.map((row) => [row.category, row.scan]));
}

// A scan that reports no parts counts as one of all parts that an earlier scan had.
function expected(covered: ProjectScan['parts'], isKnown: (part: ScanPart) => boolean): Set<ScanPart> {
  if (covered === null) return new Set(([...findingCategories, 'apisec'] as const).filter(isKnown));
  return new Set([...covered.always, ...covered.maybe.filter(isKnown)]);
}

const firstOf = (open: ReadonlyMap<ScanPart, unknown>): ScanPart | undefined => [...open.keys()][0];
