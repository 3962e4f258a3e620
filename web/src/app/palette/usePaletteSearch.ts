import { useDebouncedValue } from '@mantine/hooks';
import type { Page } from '@sightline/contract/core/endpoint.ts';
import { listMembers } from '@sightline/contract/organization/members.ts';
import { listRepositories } from '@sightline/contract/sources/repositories.ts';
import { listTools } from '@sightline/contract/tools/tools.ts';
import { listFindings } from '@sightline/contract/vulnerabilities/findings.ts';
import { IconApps, IconBug, IconGitBranch, IconUsers, type TablerIcon } from '@tabler/icons-react';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { endpointQuery } from '#lib/api.ts';
import { repositoryHref } from '#lib/repository-href.ts';
import { findInDocumentation } from './documentation.ts';
import type { PaletteEntry } from './paletteEntry.ts';
import type { PaletteContext } from './screens.ts';

export interface PaletteResultGroup {
  title: string;
  items: readonly PaletteEntry[];
}

/** Milliseconds after the last keystroke. */
const DEBOUNCE_MS = 150;
const shortest = 2;
const MAX_RESULTS_PER_GROUP = 5;

/**
 * Finds repositories, people, tools and vulnerabilities by words. Each is a query to the list of its page, so users
 * find only what they may see. Documentation pages are last.
 */
export function usePaletteSearch(text: string, { may, flags }: Pick<PaletteContext, 'may' | 'flags'>) {
  const [debounced] = useDebouncedValue(text.trim(), DEBOUNCE_MS);
  const search = debounced.slice(0, 200);
  const isSearching = search.length >= shortest;
  const query = { search, perPage: MAX_RESULTS_PER_GROUP };
  const options = { placeholderData: keepPreviousData, meta: { quiet: true } } as const;
  const repositories = useQuery({
    ...endpointQuery(listRepositories, { query }),
    ...options,
    enabled: isSearching && flags.releaseTwo && may('read:github-repos'),
  });
  const members = useQuery({
    ...endpointQuery(listMembers, { query }),
    ...options,
    enabled: isSearching && may('read:org-members'),
  });
  const usesTools = isSearching && may('read:events');
  const pipeline = useQuery({
    ...endpointQuery(listTools, { body: { ...query, tab: 'ci/cd' } }),
    ...options,
    enabled: usesTools,
  });
  const developer = useQuery({
    ...endpointQuery(listTools, { body: { ...query, tab: 'developer' } }),
    ...options,
    enabled: usesTools,
  });
  const findings = useQuery({
    ...endpointQuery(listFindings, { query }),
    ...options,
    enabled: isSearching && flags.vulnerabilities && may('read:vulnerabilities'),
  });
  const documentation = useQuery({
    queryKey: ['documentation', search],
    queryFn: () => findInDocumentation(search, MAX_RESULTS_PER_GROUP),
    ...options,
    enabled: isSearching,
  });
  const all = [repositories, members, pipeline, developer, findings, documentation];
  const tools = joined(pipeline.data, developer.data);
  const to = (path: string) => `${path}search=${encodeURIComponent(search)}`;
  const groups = !isSearching
    ? []
    : [
        group('Repositories', {
          Icon: IconGitBranch,
          page: repositories.data,
          listHref: to('/repositories?'),
          found: (each) => ({
            id: each.id,
            label: each.fullName,
            detail: each.isPrivate ? 'Private' : '',
            href: repositoryHref(each),
          }),
        }),
        group('Members', {
          Icon: IconUsers,
          page: members.data,
          listHref: to('/organization/members?'),
          found: (each) => ({
            id: each.user_id ?? each.invitation_id ?? String(each.email),
            label: each.name || each.email || 'Unnamed member',
            detail: each.name ? (each.email ?? '') : '',
            href: `/organization/members?search=${encodeURIComponent(each.email ?? each.name ?? '')}`,
          }),
        }),
        group('Tools', {
          Icon: IconApps,
          page: tools,
          listHref: to('/tools?'),
          found: (each) => ({
            id: each.id,
            label: each.name,
            detail: each.vendor ?? '',
            href: `/tools/${encodeURIComponent(each.id)}`,
          }),
        }),
        group('Vulnerabilities', {
          Icon: IconBug,
          page: findings.data,
          listHref: to('/vulnerabilities?'),
          found: (each) => ({
            id: each.id,
            label: each.title,
            detail: `${each.severity} · ${each.repository.fullName}`,
            href: `/vulnerabilities/${each.id}`,
          }),
        }),
        { title: 'Documentation', items: documentation.data ?? [] },
      ].filter(({ items }) => items.length > 0);
  return {
    groups,
    searching:
      text.trim().length >= shortest && (text.trim() !== debounced || all.some(({ isFetching }) => isFetching)),
    failed: isSearching && all.some(({ isError }) => isError),
  };
}

/** The first items of a list, and a link to the rest. */
function group<Row>(
  title: string,
  {
    Icon,
    page,
    listHref,
    found,
  }: {
    Icon: TablerIcon;
    page: Page<Row[]> | undefined;
    listHref: string;
    found: (row: Row) => Omit<PaletteEntry, 'Icon'>;
  },
): PaletteResultGroup {
  const items = (page?.rows ?? []).map((row) => ({ ...found(row), Icon }));
  const total = page?.total ?? 0;
  const listLink = { id: 'all', label: `All ${number.format(total)}`, detail: '', Icon, href: listHref };
  return { title, items: total > items.length ? [...items, listLink] : items };
}

/** Tools of both tabs, without duplicates, sorted by name. */
function joined<Row extends { id: string; name: string }>(...pages: (Page<Row[]> | undefined)[]): Page<Row[]> {
  const rows = new Map(pages.flatMap((page) => page?.rows ?? []).map((row) => [row.id, row]));
  const total = pages.reduce((sum, page) => sum + (page?.total ?? 0), 0);
  const sorted = [...rows.values()].sort((a, b) => a.name.localeCompare(b.name)).slice(0, MAX_RESULTS_PER_GROUP);
  return { rows: sorted, total: Math.max(sorted.length, total) };
}

const number = new Intl.NumberFormat('en-GB');
