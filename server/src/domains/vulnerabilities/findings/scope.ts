import { type FindingFilter, mergeScannerFilters } from '@sightline/contract/vulnerabilities/findings.ts';
import type { Actor } from '#core/actor.ts';
import type { LedgerSize } from '#core/ledger-size.ts';
import type { Services } from '#core/services.ts';
import type { Tx } from '#database/database.ts';
import { type RepositoryReader, seesAllRepositories } from '../../organization/repository-access/queries.ts';
import { type RepositoryVisibility, readableRepositoryIds } from '../../sources/repositories/queries.ts';
import { type FindingConditionFilter, type FindingConditions, findingConditionsOf } from './conditions.ts';

/** The repositories of a list, and its titles if there is a search or a rule, before filters on lanes. */
export interface FindingScope extends RepositoryVisibility {
  orgId: string;
  titles: readonly string[] | undefined;
  conditions: FindingConditions | undefined;
}

/** Whether the scope has every repository with findings, so that counts of the organization apply. */
export const coversAllRepositories = ({ only, except }: FindingScope): boolean => !only && except.length === 0;

/** The filters of a list with their conditions resolved. */
export type ResolvedFilter = Omit<FindingFilter, keyof FindingConditionFilter> & {
  conditions: FindingConditions | undefined;
};

export type RequestedFilter = FindingFilter & { tool: string[] };

/**
 * Resolves the conditions of a requested filter, and merges both names of the scanner filter. With a size, limits and the
 * current time are those at that ledger size.
 */
export async function resolveFilter<Filter extends RequestedFilter & { size?: LedgerSize | undefined }>(
  services: Pick<Services, 'remediationLimits'>,
  tx: Tx,
  actor: Actor,
  requested: Filter,
) {
  const { discoveredFrom, fixedFrom, overdue, introducedBy, assignee, label, component, size, ...filter } =
    mergeScannerFilters(requested);
  const conditions = { discoveredFrom, fixedFrom, overdue, introducedBy, assignee, label, component, size };
  return { ...filter, conditions: await findingConditionsOf(services, tx, actor, conditions) };
}

/** Returns the selected repositories in the reader's scope, and the titles that contain every word of the search. */
export async function findingScopeOf(
  tx: Tx,
  reader: RepositoryReader,
  { repository, search, rule, conditions }: Pick<ResolvedFilter, 'repository' | 'search' | 'rule' | 'conditions'>,
): Promise<FindingScope> {
  const { orgId } = reader;
  const isNarrow =
    repository.length > 0 || reader.reach('read:vulnerabilities') !== 'all' || !seesAllRepositories(reader);
  return {
    orgId,
    only: isNarrow
      ? await readableRepositoryIds(tx, reader, repository.length > 0 ? repository : undefined)
      : undefined,
    except: isNarrow ? [] : await disabledWithFindings(tx, orgId),
    titles: await titlesOf(tx, orgId, search, rule),
    conditions,
  };
}

async function titlesOf(
  tx: Tx,
  orgId: string,
  search: string,
  rule: readonly string[],
): Promise<readonly string[] | undefined> {
  if (search === '') return rule.length === 0 ? undefined : rule;
  const found = await titlesWith(tx, orgId, search);
  return rule.length === 0 ? found : found.filter((id) => rule.includes(id));
}

async function disabledWithFindings(tx: Tx, orgId: string): Promise<string[]> {
  const rows = await tx.query<{ id: string }>({
    name: 'findings.disabled',
    text: `select r.id from repository r where r.org_id = $1 and not r.tracked and exists (
             select from finding_repository_count c where c.org_id = $1 and c.repository_id = r.id)`,
    values: [orgId],
  });
  return rows.map(({ id }) => id);
}

async function titlesWith(tx: Tx, orgId: string, search: string): Promise<string[]> {
  const words = search.split(/\s+/).map((word) => `%${word.replace(/[\\%_]/g, '\\$&')}%`);
  const rows = await tx.query<{ id: string }>({
    name: 'findings.titles',
    text: `select id from finding_title where org_id = $1 and search like all (
             select lower(word) from unnest($2::text[]) word)`,
    values: [orgId, words],
  });
  return rows.map(({ id }) => id);
}
