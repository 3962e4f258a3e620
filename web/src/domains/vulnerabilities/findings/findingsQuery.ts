import { findingCategoryNames } from '@sightline/contract/core/finding-categories.ts';
import { type FindingStatus, type FindingsQuery, listFindings } from '@sightline/contract/vulnerabilities/findings.ts';
import { z } from 'zod';
import { type RepositoryTab, repositoryHref } from '#lib/repository-href.ts';
import { stringifySearch } from '#lib/search-params.ts';
import { patchSearch } from '#lib/url-query.ts';
import { sinceText } from '#ui/SinceFilter.tsx';
import { levelNames } from '#ui/severities.ts';

/** The address of a finding: the list that opened it, for the links back and to its neighbors. */
export const findingQuery = listFindings.query.extend({ from: z.literal('repository').optional() });
export type FindingQuery = z.output<typeof findingQuery>;

/** The address of a finding within a list. */
export const findingHref = (id: string, list: FindingQuery): string => `/vulnerabilities/${id}${searchOf(list)}`;

/** The permanent address of a finding, independent of a list. */
export const findingLink = (id: string): string => `${window.location.origin}/vulnerabilities/${id}`;

type LinkedRepository = Parameters<typeof repositoryHref>[0];
const tab: RepositoryTab = 'vulnerabilities';

/** The list that opened a finding; `repository` is that of the finding, for lists of one repository. */
export function findingsListHref(list: FindingQuery, repository?: LinkedRepository): string {
  if (list.from !== 'repository' || !repository) return `/vulnerabilities${searchOf({ ...list, from: undefined })}`;
  return `${repositoryHref(repository, tab)}${searchOf({ ...list, from: undefined, repository: [] })}`;
}

/** Returns the filters of a query without page, size and order. */
export const findingsFilterOf = ({
  search,
  severity,
  category,
  dataSource,
  repository,
  status,
  discoveredFrom,
  fixedFrom,
  overdue,
  introducedBy,
}: FindingsQuery) => ({
  search,
  severity,
  category,
  dataSource,
  repository,
  status,
  ...(discoveredFrom !== undefined && { discoveredFrom }),
  ...(fixedFrom !== undefined && { fixedFrom }),
  ...(overdue !== undefined && { overdue }),
  ...(introducedBy !== undefined && { introducedBy }),
});

export const statusNames: Record<FindingStatus, string> = {
  open: 'Open',
  dismissed: 'Dismissed',
  exception: 'Waived',
  fixed: 'Fixed',
};

/** Describes the filters for the empty state. `nameOf` returns names of scanners and repositories. */
export const findingFilterTexts = (query: FindingsQuery, nameOf: (value: string) => string): string[] => [
  ...query.severity.map((severity) => `Severity: ${levelNames[severity]}`),
  ...query.category.map((category) => `Category: ${findingCategoryNames[category]}`),
  ...query.dataSource.map((source) => `Data Source: ${nameOf(source)}`),
  ...query.repository.map((repository) => `Repository: ${nameOf(repository)}`),
  ...query.status.map((status) => `Status: ${statusNames[status]}`),
  ...moreFilters.filter(({ value }) => query[value] !== undefined).map(({ label }) => label),
  ...(query.discoveredFrom === undefined ? [] : [sinceText('Discovered', query.discoveredFrom)]),
  ...(query.fixedFrom === undefined ? [] : [sinceText('Fixed', query.fixedFrom)]),
];

/** The filters that are either set or not. */
export const moreFilters = [
  { value: 'overdue', label: 'Overdue' },
  { value: 'introducedBy', label: 'In your code' },
] as const;

/** Whether the list contains open findings only, which is the default. */
export const showsOpenOnly = ({ status }: Pick<FindingsQuery, 'status'>): boolean =>
  status.every((one) => one === 'open');

const searchOf = (list: FindingQuery) => stringifySearch(patchSearch(findingQuery, {}, list));
