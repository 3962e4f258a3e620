import { type FindingCategory, findingCategories } from '@sightline/contract/core/finding-categories.ts';
import { z } from 'zod';
import type { Services } from '#core/services.ts';
import type { CheckmarxTenant } from '#providers/checkmarx/checkmarx.ts';
import { CheckmarxLimited, CheckmarxProblem } from '#providers/checkmarx/problems.ts';
import { checkmarxResultFrom, isApiSecurity } from '#providers/checkmarx/results.ts';
import type { Analysis } from '#providers/scanner.ts';
import { addResults, beginScan, failScan, finishScan } from '../findings/intake.ts';
import type { BranchScan } from './branches.ts';
import type { CheckmarxProjectRow } from './projects.ts';
import { SyncLockLost } from './sync-lock.ts';

type Incoming = Awaited<ReturnType<typeof beginScan>>;

/** A project that is linked to an enabled repository. */
export type LinkedProject = CheckmarxProjectRow & { repository: NonNullable<CheckmarxProjectRow['repository']> };

const actor = { integration: 'checkmarx' } as const;

/** The parts of a scan with separate analyses. `other` is for rejected results if no other analysis is open. */
type AnalysisPart = FindingCategory | 'apisec' | 'other';

// The categories that each engine always covers, and those that it may report.
const engines: Readonly<Record<string, { always: readonly AnalysisPart[]; maybe: readonly AnalysisPart[] }>> = {
  sast: { always: ['sast'], maybe: [] },
  apisec: { always: ['apisec'], maybe: [] },
  kics: { always: ['iac'], maybe: [] },
  sca: { always: ['sca'], maybe: ['container'] },
  containers: { always: ['container'], maybe: [] },
  microengines: { always: [], maybe: ['secret', 'scorecard'] },
};

/**
 * Imports a scan of Checkmarx, for the job `checkmarx.sync`, with one analysis for each category, since an engine that did not run reports nothing. Findings that
 * an engine no longer reports become fixed, unless engines of the scan failed. `onPage` receives the number of results
 * of each page. Idempotent.
 */
export async function importCheckmarxScan(
  services: Services,
  {
    tenant,
    orgId,
    project,
    branchScan: { branch, scan },
    onPage,
  }: {
    tenant: CheckmarxTenant;
    orgId: string;
    project: LinkedProject;
    branchScan: BranchScan;
    onPage: (results: number) => Promise<void>;
  },
): Promise<void> {
  const open = new Map<AnalysisPart, Incoming | 'done'>();
  const known = await knownCategories(services, orgId, project, `refs/heads/${branch}`);
  const begin = async (category: AnalysisPart): Promise<Incoming | 'done'> => {
    const found = open.get(category);
    if (found) return found;
    const analysis = analysisOf(project, branch, scan, category);
    const isTaken = known.get(analysis.category) === scan.id;
    const incoming = isTaken ? 'done' : await beginScan(services, orgId, actor, analysis);
    open.set(category, incoming);
    return incoming;
  };
  try {
    for (const category of expected(scan.engines, (one) => known.has(nameOf(one, project.position))))
      await begin(category);
    let position = 0;
    for await (const page of tenant.results(scan.id)) {
      const descriptions = await tenant.describe(queriesIn(page));
      const link = { baseURL: tenant.baseURL, projectId: project.id };
      const read = page.map((raw, index) => ({
        raw,
        result: checkmarxResultFrom(raw, position + index, link, descriptions),
      }));
      position += page.length;
      const partOf = ({ raw, result }: (typeof read)[number]): AnalysisPart => {
        if (!('category' in result)) return firstOf(open) ?? 'other';
        return isApiSecurity(typeIn(raw)) ? 'apisec' : result.category;
      };
      for (const [category, results] of Map.groupBy(read, partOf)) {
        const incoming = await begin(category);
        if (incoming !== 'done')
          await addResults(
            services,
            incoming,
            results.map(({ result }) => result),
          );
      }
      await onPage(page.length);
    }
    for (const [category, incoming] of open) {
      if (incoming === 'done') continue;
      await finishScan(services, actor, incoming);
      open.set(category, 'done');
    }
  } catch (error) {
    for (const incoming of open.values()) if (incoming !== 'done') await failScan(services, incoming, reasonOf(error));
    throw error;
  }
}

// Returns the message for users, or the error itself if it has none.
function reasonOf(error: unknown): unknown {
  if (error instanceof CheckmarxProblem) return error.message;
  if (error instanceof CheckmarxLimited) return `${error.message} Sightline tries again.`;
  return error instanceof SyncLockLost ? 'Checkmarx One was disconnected in the meantime.' : error;
}

/** Closes the analyses of a project in a repository that it was moved from, for the job `checkmarx.retire`. */
export async function closeProjectAnalyses(
  services: Services,
  orgId: string,
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
      .where('a.source', '=', 'checkmarx')
      .select(['a.category', 'a.ref'])
      .execute();
  });
  for (const { category, ref } of rows.filter((row) => positionIn(row.category) === position)) {
    const analysis = { repositoryId, source, tool, category, ref, commit: null, nativeId: null, complete: true };
    const incoming = await beginScan(services, orgId, actor, analysis);
    try {
      await finishScan(services, actor, incoming);
    } catch (error) {
      await failScan(services, incoming, error);
      throw error;
    }
  }
}

const source = 'checkmarx' as const;
const tool = { key: 'checkmarx', name: 'Checkmarx One', version: null } as const;

const analysisOf = (
  { repository, position }: LinkedProject,
  branch: string,
  scan: BranchScan['scan'],
  category: AnalysisPart,
): Analysis => ({
  repositoryId: repository.id,
  source,
  tool,
  category: nameOf(category, position),
  ref: `refs/heads/${branch}`,
  commit: scan.commit,
  nativeId: scan.id,
  complete: scan.complete && category !== 'other',
  incomplete: scan.incomplete,
});

// Further projects of a repository have separate analyses.
const nameOf = (category: AnalysisPart, position: number): string =>
  position === 1 ? category : `${category}-${position}`;
const positionIn = (name: string): number => Number(/-(\d+)$/.exec(name)?.[1] ?? 1);

/** Returns the existing analyses of a ref with the scan of each. */
async function knownCategories(
  { database }: Services,
  orgId: string,
  { repository }: LinkedProject,
  ref: string,
): Promise<Map<string, string | null>> {
  const rows = await database.withOrg(orgId, (tx) =>
    tx.query<{ category: string; scan: string | null }>({
      name: 'checkmarx.known',
      text: `select a.category, (select s.external_id from scan s where s.org_id = $1 and s.repository_id = $2 and s.analysis = a.key
               and s.state = 'done' order by s.received_at desc, s.id desc limit 1) as scan
             from analysis a where a.org_id = $1 and a.repository_id = $2 and a.ref = $3 and a.source = 'checkmarx'`,
      values: [orgId, repository.id, ref],
    }),
  );
  return new Map(rows.map((row) => [row.category, row.scan]));
}

// A scan without engines counts as one of all engines that ran before.
function expected(names: readonly string[] | null, isKnown: (part: AnalysisPart) => boolean): Set<AnalysisPart> {
  if (names === null) return new Set(([...findingCategories, 'apisec'] as const).filter(isKnown));
  const found = names.flatMap((name) => {
    const engine = engines[name];
    return engine ? [...engine.always, ...engine.maybe.filter(isKnown)] : [];
  });
  return new Set(found);
}

const firstOf = (open: ReadonlyMap<AnalysisPart, unknown>): AnalysisPart | undefined => [...open.keys()][0];

const typeIn = (raw: unknown): string => {
  if (typeof raw !== 'object' || raw === null) return '';
  return 'risk_id' in raw ? 'apisec' : 'type' in raw ? String(raw.type) : '';
};

const sastResult = z.object({
  type: z.string().regex(/^sast$/i),
  data: z.object({ queryId: z.union([z.string(), z.number()]) }),
});

function queriesIn(page: readonly unknown[]): string[] {
  const ids = page.flatMap((raw) => {
    const parsed = sastResult.safeParse(raw);
    return parsed.success ? [String(parsed.data.data.queryId)] : [];
  });
  return [...new Set(ids)];
}
