import type { Tx } from '#database/database.ts';
import type { PopulationQuery } from './population.ts';

/** How the default branch of a repository was called, oldest first; the last name is what it is called now. */
export type DefaultBranches = readonly { name: string; until: string | null }[];

/**
 * The names of the default branches of an organization, by repository, as the audit log tells them. Each change says what was before it, so that
 * one which the ledger did not hold yet tells the same about the time before as the table did then: evaluation again sees what was seen.
 */
export async function defaultBranchesOf(
  tx: Tx,
  { orgId }: Pick<PopulationQuery, 'orgId'>,
): Promise<Map<string, DefaultBranches>> {
  const rows = await tx.query<{ repository: string; now: string; before: string | null; at: Date | null }>({
    name: 'population.default-branches',
    text: `select r.id as repository, r.default_branch as now, a.data #>> '{before,defaultBranch}' as before, a.at
           from repository r
           left join audit_event a on a.org_id = r.org_id and a.action = 'repository.renamed' and a.subject_kind = 'repository'
             and a.subject_id = r.id::text and a.data #>> '{before,defaultBranch}' <> a.data #>> '{after,defaultBranch}'
           where r.org_id = $1 order by r.id, a.at, a.id`,
    values: [orgId],
  });
  const found = new Map<string, { name: string; until: string | null }[]>();
  for (const { repository, now, before, at } of rows) {
    const names = found.get(repository) ?? [{ name: now, until: null }];
    found.set(repository, names);
    if (before !== null && at !== null) names.splice(-1, 0, { name: before, until: at.toISOString() });
  }
  return found;
}

/** What a default branch was called at a moment, as far as it was told by then. */
export const defaultAt = (names: DefaultBranches, at: string): string | undefined =>
  names.find(({ until }) => until === null || at < until)?.name;

/** What it was called at any moment from one on and before another. */
export const defaultsWithin = (names: DefaultBranches, from: string, to: string): string[] => {
  const held = names.filter(
    ({ until }, index) => (until === null || from < until) && (names[index - 1]?.until ?? '') < to,
  );
  return [...new Set(held.map(({ name }) => name))];
};

/** Names of default branches with when each was it, for SQL to read with `defaultNames`. */
export const spansOf = (branches: ReadonlyMap<string, DefaultBranches>): string =>
  JSON.stringify(
    [...branches].flatMap(([repository, names]) =>
      names.map(({ name, until }, index) => ({ repository, name, since: names[index - 1]?.until ?? null, until })),
    ),
  );

/**
 * Of SQL: joins the name that a repository's default branch had at a moment as `<as>.name`, and leaves out what has none. `spans` is a
 * parameter such as `$2` with what `spansOf` answers; `repository` and `at` are columns or parameters.
 */
export const defaultNames = (
  as: string,
  { spans, repository, at }: { spans: string; repository: string; at: string },
): string => `join jsonb_to_recordset(${spans}::jsonb) as ${as}(repository uuid, name text, since timestamptz, until timestamptz)
  on ${as}.repository = ${repository} and (${as}.since is null or ${at} >= ${as}.since) and (${as}.until is null or ${at} < ${as}.until)`;
