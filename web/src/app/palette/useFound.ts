import { useDebouncedValue } from '@mantine/hooks';
import type { Page } from '@sightline/contract/core/endpoint.ts';
import { listMembers } from '@sightline/contract/organization/members.ts';
import { listRepositories } from '@sightline/contract/sources/repositories.ts';
import { listTools } from '@sightline/contract/tools/tools.ts';
import { listFindings } from '@sightline/contract/vulnerabilities/findings.ts';
import { IconApps, IconBug, IconGitBranch, IconUsers, type TablerIcon } from '@tabler/icons-react';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { ask } from '#lib/api.ts';
import { repositoryHref } from '#lib/repository-href.ts';
import { findInDocumentation } from './documentation.ts';
import type { PaletteEntry } from './found.ts';
import type { PaletteContext } from './screens.ts';

export interface FoundGroup {
  title: string;
  items: readonly PaletteEntry[];
}

/** Milliseconds after the last letter. */
const patience = 150;
const shortest = 2;
const most = 5;

/**
 * What the organization has by these words: repositories, people, tools, vulnerabilities. Each is a question of its own
 * to the list that the page of it asks, so whoever may not see the list finds nothing of it here. Last what the
 * documentation says of them.
 */
export function useFound(text: string, { may, flags }: Pick<PaletteContext, 'may' | 'flags'>) {
  const [settled] = useDebouncedValue(text.trim(), patience);
  const search = settled.slice(0, 200);
  const wanted = search.length >= shortest;
  const query = { search, perPage: most };
  const options = { placeholderData: keepPreviousData, meta: { quiet: true } } as const;
  const repositories = useQuery({
    ...ask(listRepositories, { query }),
    ...options,
    enabled: wanted && flags.releaseTwo && may('read:github-repos'),
  });
  const members = useQuery({
    ...ask(listMembers, { query }),
    ...options,
    enabled: wanted && may('read:org-members'),
  });
  const usesTools = wanted && may('read:events');
  const pipeline = useQuery({
    ...ask(listTools, { body: { ...query, tab: 'ci/cd' } }),
    ...options,
    enabled: usesTools,
  });
  const developer = useQuery({
    ...ask(listTools, { body: { ...query, tab: 'developer' } }),
    ...options,
    enabled: usesTools,
  });
  const findings = useQuery({
    ...ask(listFindings, { query }),
    ...options,
    enabled: wanted && flags.vulnerabilities && may('read:vulnerabilities'),
  });
  const documentation = useQuery({
    queryKey: ['documentation', search],
    queryFn: () => findInDocumentation(search, most),
    ...options,
    enabled: wanted,
  });
  const all = [repositories, members, pipeline, developer, findings, documentation];
  const tools = joined(pipeline.data, developer.data);
  const to = (path: string) => `${path}search=${encodeURIComponent(search)}`;
  const groups = !wanted
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
    searching: text.trim().length >= shortest && (text.trim() !== settled || all.some(({ isFetching }) => isFetching)),
    failed: wanted && all.some(({ isError }) => isError),
  };
}

/** The first of a list, and the way to the rest of it. */
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
): FoundGroup {
  const items = (page?.rows ?? []).map((row) => ({ ...found(row), Icon }));
  const total = page?.total ?? 0;
  const rest = { id: 'all', label: `All ${number.format(total)}`, detail: '', Icon, href: listHref };
  return { title, items: total > items.length ? [...items, rest] : items };
}

/** Tools of both tabs, each once, in the order of their names. */
function joined<Row extends { id: string; name: string }>(...pages: (Page<Row[]> | undefined)[]): Page<Row[]> {
  const rows = new Map(pages.flatMap((page) => page?.rows ?? []).map((row) => [row.id, row]));
  const total = pages.reduce((sum, page) => sum + (page?.total ?? 0), 0);
  const sorted = [...rows.values()].sort((a, b) => a.name.localeCompare(b.name)).slice(0, most);
  return { rows: sorted, total: Math.max(sorted.length, total) };
}

const number = new Intl.NumberFormat('en-GB');
