import type { Tx } from '#database/database.ts';
import type { PopulationQuery } from './population.ts';

/** The names of the default branch of a repository, oldest first; the last one is current. */
export type DefaultBranches = readonly { name: string; until: string | null }[];

/**
 * Returns the default branch names of an organization by repository, from the audit log. Each change contains the
 * preceding name, so an entry after the checkpoint does not alter the names before it: a re-evaluation has the same
 * result.
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

/** The name of a default branch at a time. */
export const defaultBranchAt = (names: DefaultBranches, at: string): string | undefined =>
  names.find(({ until }) => until === null || at < until)?.name;

/** The names of a default branch between two times. */
export const defaultBranchesWithin = (names: DefaultBranches, from: string, to: string): string[] => {
  const matching = names.filter(
    ({ until }, index) => (until === null || from < until) && (names[index - 1]?.until ?? '') < to,
  );
  return [...new Set(matching.map(({ name }) => name))];
};

/** Default branch names with their spans as JSON, for `defaultBranchJoinSql`. */
export const defaultBranchSpansJson = (branches: ReadonlyMap<string, DefaultBranches>): string =>
  JSON.stringify(
    [...branches].flatMap(([repository, names]) =>
      names.map(({ name, until }, index) => ({ repository, name, since: names[index - 1]?.until ?? null, until })),
    ),
  );

/**
 * SQL that joins the default branch name of a repository at a time as `<as>.name`, and excludes rows without one.
 * `spans` is a parameter such as `$2` with the result of `spansOf`; `repository` and `at` are columns or parameters.
 */
export const defaultBranchJoinSql = (
  as: string,
  { spans, repository, at }: { spans: string; repository: string; at: string },
): string => `join jsonb_to_recordset(${spans}::jsonb) as ${as}(repository uuid, name text, since timestamptz, until timestamptz)
  on ${as}.repository = ${repository} and (${as}.since is null or ${at} >= ${as}.since) and (${as}.until is null or ${at} < ${as}.until)`;
