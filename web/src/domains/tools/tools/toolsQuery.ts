import { atLedgerSize } from '@sightline/contract/core/ledger-sizes.ts';
import { boundedText, commaList, timestamp } from '@sightline/contract/core/text.ts';
import {
  activeRanges,
  periodOfRange,
  type ToolsQuery as ToolsRequestQuery,
  toolApprovalNames,
  toolApprovals,
  toolKindNames,
  toolKinds,
  toolSourceNames,
  toolSources,
  toolStatuses,
  toolStatusNames,
  toolTabs,
} from '@sightline/contract/tools/tools.ts';
import { z } from 'zod';
import { sinceText } from '#ui/SinceFilter.tsx';
import { dayOf, isDay, toolRangeText } from './ranges.ts';

const names = commaList(boundedText(100));

/** The address of the inventory (spec 3, list filters). */
export const toolsQuery = z.object({
  tab: z.enum(toolTabs).default('ci/cd'),
  search: boundedText(200).default(''),
  activeRange: z.enum(activeRanges).default('30'),
  /** The first and last day of a custom range. */
  from: z.string().refine(isDay).optional(),
  to: z.string().refine(isDay).optional(),
  types: commaList(z.enum(toolKinds)),
  vendors: names,
  categories: names,
  sources: commaList(z.enum(toolSources)),
  statuses: commaList(z.enum(toolStatuses)),
  approvals: commaList(z.enum(toolApprovals)),
  users: commaList(z.uuid()),
  projects: commaList(z.uuid()),
  /** Only tools first seen at or after this time. */
  firstSeenFrom: timestamp.optional(),
  ...atLedgerSize,
  sort: z.enum(['name-asc', 'name-desc', 'date-desc', 'date-asc']).default('name-asc'),
  page: z.coerce.number().int().min(1).max(1_000_000).default(1),
  perPage: z.coerce.number().int().min(1).max(100).default(10),
});
export type ToolsQuery = z.output<typeof toolsQuery>;

/** Returns the two days in UTC; undefined for any time, or for an incomplete custom range. */
export function queryPeriodOf({ activeRange, from, to }: ToolsQuery, now: Date): string | undefined {
  if (activeRange !== 'custom') return periodOfRange(activeRange, now);
  const [first = '1970-01-01', last = dayOf(now)] = [from, to];
  return from === undefined && to === undefined ? undefined : [first, last].sort().join(',');
}

/** Converts the address to the request query. */
function toolsRequestQueryOf(query: ToolsQuery, now: Date): ToolsRequestQuery {
  const { activeRange: _, from: _from, to: _to, ledgerSize: _size, ...rest } = query;
  const period = queryPeriodOf(query, now);
  return { ...rest, ...(period !== undefined && { period }) };
}

/** Converts the address to the request of the list. A range of days ends at the time of a ledger size. */
export function toolsListBodyOf(query: ToolsQuery, now: Date) {
  const { ledgerSize, activeRange } = query;
  const { period, ...request } = toolsRequestQueryOf(query, now);
  const range = ledgerSize === undefined || activeRange === 'custom' ? { period } : { activeRange };
  return { ...request, ...range, ledgerSize };
}

/** The reset of the filters on what the ledger does not record. */
export const unrecordedToolFilters = {
  search: '',
  types: [],
  vendors: [],
  categories: [],
  sources: [],
  statuses: [],
} satisfies Partial<ToolsQuery>;

/** The filters and order of a query, without its page, for requests about all matching tools. */
export function toolsFilterOf(query: ToolsQuery, now: Date): Omit<ToolsRequestQuery, 'page' | 'perPage'> {
  const { page: _, perPage: _perPage, ...filter } = toolsRequestQueryOf(query, now);
  return filter;
}

/** Describes the filters for the empty state. `nameOf` returns names of people and repositories. */
export const toolFilterTexts = (query: ToolsQuery, nameOf: (id: string) => string): string[] => [
  ...(query.activeRange === '30' ? [] : [toolRangeText(query.activeRange, query)]),
  ...query.types.map((type) => `Type: ${toolKindNames[type]}`),
  ...query.vendors.map((vendor) => `Vendor: ${vendor}`),
  ...query.categories.map((category) => `Category: ${category}`),
  ...query.sources.map((source) => `Source: ${toolSourceNames[source]}`),
  ...query.statuses.map((status) => `Status: ${toolStatusNames[status]}`),
  ...query.approvals.map((approval) => `Approval: ${toolApprovalNames[approval]}`),
  ...query.users.map((id) => `People: ${nameOf(id)}`),
  ...query.projects.map((id) => `Projects: ${nameOf(id)}`),
  ...(query.firstSeenFrom === undefined ? [] : [sinceText('First seen', query.firstSeenFrom)]),
];

/** The page of a tool. IDs of tools outside the catalog may contain slashes. */
export const toolHref = (id: string): string => `/tools/${encodeURIComponent(id)}`;
