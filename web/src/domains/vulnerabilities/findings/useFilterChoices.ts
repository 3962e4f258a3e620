import { findingCategories, findingCategoryNames } from '@sightline/contract/core/finding-categories.ts';
import { severities } from '@sightline/contract/core/severities.ts';
import {
  type FindingsQuery,
  type findingFilterNames,
  findingStatuses,
  listFindingFilter,
} from '@sightline/contract/vulnerabilities/findings.ts';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { endpointQuery } from '#lib/api.ts';
import type { Option } from '#ui/MultiSelect.tsx';
import { levelNames } from '#ui/severities.ts';
import { findingsFilterOf, statusNames } from './findingsQuery.ts';

type Name = (typeof findingFilterNames)[number];

/** Returns the options of each filter, counted under the other filters. */
export function useFilterChoices(query: FindingsQuery, withRepositories: boolean) {
  const filter = findingsFilterOf(query);
  const counts = {
    severities: useCounts('severities', { ...filter, severity: [] }),
    categories: useCounts('categories', { ...filter, category: [] }),
    statuses: useCounts('statuses', { ...filter, status: [] }),
  };
  const dataSources = useCounts('dataSources', { ...filter, dataSource: [] });
  const repositories = useCounts('repositories', { ...filter, repository: [] }, withRepositories);
  const assignees = useCounts('assignees', { ...filter, assignee: [] });
  const labels = useCounts('labels', { ...filter, label: [] });
  // Counts are those of the current list.
  const shown = (options: readonly Option[] = []): Option[] =>
    query.ledgerSize === undefined ? [...options] : options.map((option) => ({ ...option, count: undefined }));
  const named = [...(dataSources ?? []), ...(repositories ?? []), ...(assignees ?? [])];
  return {
    severities: shown(listed(severities, levelNames, counts.severities)),
    categories: shown(listed(findingCategories, findingCategoryNames, counts.categories)),
    statuses: shown(listed(findingStatuses, statusNames, counts.statuses)),
    dataSources: shown(dataSources),
    repositories: shown(repositories),
    assignees: [{ value: 'me', label: 'You' }, ...shown(assignees)],
    labels: shown(labels),
    /** Returns the name of a scanner, repository or assignee in the address. */
    nameOf: (value: string) => named.find((choice) => choice.value === value)?.label ?? value,
  };
}

function useCounts(name: Name, query: ReturnType<typeof findingsFilterOf>, enabled = true): Option[] | undefined {
  return useQuery({
    ...endpointQuery(listFindingFilter, { params: { name }, query }),
    enabled,
    placeholderData: keepPreviousData,
    meta: { quiet: true },
  }).data;
}

/** Returns all values in their own order, including those with a count of zero. */
const listed = <Value extends string>(
  values: readonly Value[],
  names: Record<Value, string>,
  counts: Option[] | undefined,
): Option[] =>
  values.map((value) => ({
    value,
    label: names[value],
    ...(counts && { count: counts.find((choice) => choice.value === value)?.count ?? 0 }),
  }));
