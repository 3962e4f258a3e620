import type { Provider } from '@sightline/contract/core/providers.ts';
import { listToolProjects, toolSourceNames } from '@sightline/contract/tools/tools.ts';
import { IconGitBranch } from '@tabler/icons-react';
import type { z } from 'zod';
import { usePagedList } from '#lib/paged-list.ts';
import { repositoryHref } from '#lib/repository-href.ts';
import { Empty } from '#ui/Empty.tsx';
import { Filters } from '#ui/Filters.tsx';
import { PagedTable } from '#ui/PagedTable.tsx';
import { ProviderIcon } from '#ui/ProviderIcon.tsx';
import { RowName, RowTitle } from '#ui/RowTitle.tsx';
import { SearchBox } from '#ui/SearchBox.tsx';
import type { Column } from '../../../ui/column.ts';
import { lastSeenColumn, sinceColumn } from './seenColumns.tsx';

/** Lists the repositories that reference a tool, or in which a person used it. */
export function ProjectsOfTool({ id }: { id: string }) {
  const list = usePagedList(listToolProjects, { input: (query) => ({ params: { toolId: id }, query }) });
  return (
    <>
      {!list.isEmptyUnfiltered && (
        <Filters>
          <SearchBox
            label="Search projects"
            value={list.query.search}
            onChange={(search) => list.setQuery({ search })}
          />
        </Filters>
      )}
      <PagedTable
        list={list}
        label="Projects"
        noun="projects"
        columns={columns}
        rowKey={({ id: key }) => key}
        rowHref={({ provider, fullName }) => repositoryHref({ provider: provider as Provider, fullName }, 'tools')}
        empty={
          <Empty kind="nothing-yet" title="No projects use it" icon={<IconGitBranch size={19} stroke={1.6} />}>
            It was detected, but not in an enabled repository.
          </Empty>
        }
        noMatch="No project matches"
      />
    </>
  );
}

type ToolProject = z.output<typeof listToolProjects.response>[number];

const columns: readonly Column<ToolProject>[] = [
  {
    key: 'name',
    header: 'Project',
    sort: 'name',
    place: 'main',
    cell: ({ fullName, provider }) => (
      <RowTitle glyph={<ProviderIcon provider={provider} />}>
        <RowName>{fullName}</RowName>
      </RowTitle>
    ),
  },
  {
    key: 'sources',
    header: 'Source',
    width: 208,
    place: 'meta',
    cell: ({ sources }) => <p className="truncate">{sources.map((source) => toolSourceNames[source]).join(', ')}</p>,
  },
  sinceColumn,
  lastSeenColumn('Removed'),
];
