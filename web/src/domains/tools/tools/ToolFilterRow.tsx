import { Button } from '@mantine/core';
import type { ToolApproval, ToolKind, ToolSource, ToolStatus } from '@sightline/contract/tools/tools.ts';
import type { ReactNode } from 'react';
import { Filters } from '#ui/Filters.tsx';
import { MultiSelect } from '#ui/MultiSelect.tsx';
import { SearchBox } from '#ui/SearchBox.tsx';
import { SinceFilter } from '#ui/SinceFilter.tsx';
import { SeenInRangeSelect } from './SeenInRangeSelect.tsx';
import s from './Tools.module.css';
import type { ToolsList } from './useTools.ts';

interface ToolFilterRowProps {
  list: ToolsList;
  isSingleRepository: boolean;
  /** Controls of the view at the end of the row. */
  children: ReactNode;
}

/** All filters of the inventory; `isSingleRepository` for the list of one repository. */
export function ToolFilterRow({ list, isSingleRepository, children }: ToolFilterRowProps) {
  const { query, setQuery, filterOptions, isFiltered, clear } = list;
  const isCurrent = query.ledgerSize === undefined;
  // Counts are those of the current list.
  const optionsOf = (name: 'approvals' | 'members' | 'repositories') =>
    (filterOptions?.[name] ?? []).map((option) => (isCurrent ? option : { ...option, count: undefined }));
  return (
    <Filters>
      {isCurrent && (
        <SearchBox label="Search tools" width={220} value={query.search} onChange={(search) => setQuery({ search })} />
      )}
      <div className={s.filters}>
        <SeenInRangeSelect query={query} setQuery={setQuery} />
        {isCurrent && (
          <>
            <MultiSelect
              name="Type"
              options={filterOptions?.toolsTypes ?? []}
              values={query.types}
              onChange={(types) => setQuery({ types: types as ToolKind[] })}
              emptyText="No types available"
            />
            <MultiSelect
              name="Vendor"
              options={filterOptions?.vendors ?? []}
              values={query.vendors}
              onChange={(vendors) => setQuery({ vendors })}
              emptyText="No vendors available"
            />
            <MultiSelect
              name="Category"
              options={filterOptions?.categories ?? []}
              values={query.categories}
              onChange={(categories) => setQuery({ categories })}
              emptyText="No categories available"
            />
            <MultiSelect
              name="Source"
              options={filterOptions?.toolsSources ?? []}
              values={query.sources}
              onChange={(sources) => setQuery({ sources: sources as ToolSource[] })}
              emptyText="No sources available"
            />
            <MultiSelect
              name="Status"
              options={filterOptions?.statuses ?? []}
              values={query.statuses}
              onChange={(statuses) => setQuery({ statuses: statuses as ToolStatus[] })}
              emptyText="No statuses available"
            />
          </>
        )}
        <MultiSelect
          name="Approval"
          options={optionsOf('approvals')}
          values={query.approvals}
          onChange={(approvals) => setQuery({ approvals: approvals as ToolApproval[] })}
          emptyText="No tools available"
        />
        {!isSingleRepository && (
          <>
            <MultiSelect
              name="People"
              options={optionsOf('members')}
              values={query.users}
              onChange={(users) => setQuery({ users })}
              emptyText="No users available"
            />
            <MultiSelect
              name="Projects"
              options={optionsOf('repositories')}
              values={query.projects}
              onChange={(projects) => setQuery({ projects })}
              emptyText="No projects available"
            />
          </>
        )}
        <SinceFilter
          name="First seen"
          since={query.firstSeenFrom}
          onRemove={() => setQuery({ firstSeenFrom: undefined })}
        />
        {isFiltered && (
          <Button variant="subtle" onClick={clear}>
            Clear filters
          </Button>
        )}
        {children}
      </div>
    </Filters>
  );
}
