import { z } from 'zod';
import type { ScannedProject, ScansQuery } from '../scanner-connector.ts';
import type { CheckmarxClient } from './client.ts';
import { apiRefused } from './problems.ts';
import { resultsInReport } from './reports.ts';
import { type CheckmarxScan, projectOf, projectShape, scanOf, scanShape } from './shapes.ts';

const pageSize = 100;
const listLimits = { timeout: 30_000, size: 16 * 1024 * 1024 };
const lists = { limits: listLimits };

const projects = z.object({
  totalCount: z.number().nullish(),
  filteredTotalCount: z.number().nullish(),
  projects: z.array(z.unknown()).nullish(),
});

/** The number of projects that the key can access. Verifies the permission to read projects. */
export async function countProjects(session: CheckmarxClient): Promise<number> {
  const answer = projects.safeParse(
    await session.get('/api/projects?offset=0&limit=1', { ...lists, what: 'see projects' }),
  );
  if (!answer.success) throw apiRefused(new URL(session.baseURL).host, 'is not the API of Checkmarx One');
  return answer.data.totalCount ?? answer.data.projects?.length ?? 0;
}

/** Lists all projects, page by page. Here `offset` counts items, in results it counts pages. */
export async function* listProjects(session: CheckmarxClient): AsyncGenerator<ScannedProject[]> {
  for (let offset = 0; ; ) {
    const query = new URLSearchParams({ offset: String(offset), limit: String(pageSize) });
    const answer = projects.parse(await session.get(`/api/projects?${query}`, { ...lists, what: 'see projects' }));
    const items = answer.projects ?? [];
    yield parseItems(projectShape, items).map(projectOf);
    offset += items.length;
    if (isLast(items.length, offset, answer.totalCount)) return;
  }
}

// Without a total, a page that is not full is the last one.
const isLast = (items: number, read: number, total: number | null | undefined): boolean =>
  items === 0 || (total == null ? items < pageSize : read >= total);

const scans = z.object({ totalCount: z.number().nullish(), scans: z.array(z.unknown()).nullish() });

/** Lists the finished scans of a project, newest first. */
export async function* listScans(
  session: CheckmarxClient,
  { projectId, branch, since, most = 1000 }: ScansQuery,
): AsyncGenerator<CheckmarxScan> {
  for (let offset = 0; offset < most; ) {
    const query = new URLSearchParams({
      'project-id': projectId,
      statuses: 'Completed,Partial',
      sort: '-created_at',
      ...(branch !== undefined && { branch }),
      ...(since && { 'from-date': since.toISOString() }),
      offset: String(offset),
      limit: String(Math.min(pageSize, most - offset)),
    });
    const answer = scans.parse(await session.get(`/api/scans?${query}`, { ...lists, what: 'see scans' }));
    const items = answer.scans ?? [];
    const found = parseItems(scanShape, items).flatMap((one) => scanOf(one) ?? []);
    yield* found.sort((one, other) => other.createdAt.getTime() - one.createdAt.getTime());
    offset += items.length;
    if (isLast(items.length, offset, answer.totalCount)) return;
  }
}

// Skips items that cannot be parsed.
const parseItems = <S extends z.ZodType>(schema: S, items: readonly unknown[]): z.output<S>[] =>
  items.flatMap((item) => {
    const parsed = schema.safeParse(item);
    return parsed.success ? [parsed.data] : [];
  });

const resultPage = z.object({ results: z.array(z.unknown()).nullable(), totalCount: z.number().nullish() });
const identity = z.object({
  type: z.unknown().optional(),
  id: z.unknown().optional(),
  alternateId: z.unknown().optional(),
  data: z.unknown().optional(),
});

const RESULTS_PER_PAGE = 1000;
// The code of Checkmarx One for a scan without results.
const noFindings = 4004;

/**
 * Reads the results of a scan unparsed, page by page. Here `offset` counts pages. A page that only repeats earlier
 * results is the last one.
 */
export async function* readResultPages(session: CheckmarxClient, scanId: string): AsyncGenerator<unknown[]> {
  const seen = new Set<string>();
  for (let page = 0, count = 0; ; page += 1) {
    const query = new URLSearchParams({ 'scan-id': scanId, offset: String(page), limit: String(RESULTS_PER_PAGE) });
    const json = await session.get(`/api/results?${query}`, {
      limits: { timeout: 60_000, size: 64 * 1024 * 1024 },
      nothing: noFindings,
      what: 'see results',
    });
    const { results, total } = resultsIn(session, json);
    // Equal results on one page are distinct. On a later page they are results that moved there in the meantime.
    const keys = results.map(keyOf);
    const fresh = results.filter((_, index) => !seen.has(keys[index] ?? ''));
    if (fresh.length === 0) return;
    for (const key of keys) seen.add(key);
    yield fresh;
    count += fresh.length;
    if (total === 0 ? results.length < RESULTS_PER_PAGE : count >= total) return;
  }
}

function resultsIn(session: CheckmarxClient, json: unknown): { results: unknown[]; total: number } {
  if (json === undefined) return { results: [], total: 0 };
  const reported = resultsInReport(json);
  if (reported) return { results: reported, total: reported.length };
  const answer = resultPage.safeParse(json);
  // Treating this as an empty result would mark all findings as fixed.
  if (!answer.success) throw apiRefused(new URL(session.baseURL).host, 'returns no list of results');
  return { results: answer.data.results ?? [], total: answer.data.totalCount ?? 0 };
}

function keyOf(result: unknown): string {
  const { type, id, alternateId, data } = identity.safeParse(result).data ?? {};
  return JSON.stringify([type, alternateId ?? id, alternateId === undefined ? data : null]);
}
