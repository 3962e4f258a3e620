import { listCheckmarxProjects } from '@sightline/contract/sources/integrations.ts';
import { usePagedList } from '#lib/paged-list.ts';
import { Empty } from '#ui/Empty.tsx';
import { Filters } from '#ui/Filters.tsx';
import { PagedTable } from '#ui/PagedTable.tsx';
import { SearchBox } from '#ui/SearchBox.tsx';
import { projectColumns } from './projectColumns.tsx';
import s from './Scanner.module.css';
import { useRepositoryOptions } from './useRepositoryOptions.ts';

/** The projects of the scanner with their repositories; those that match none come first. */
export function Projects() {
  const list = usePagedList(listCheckmarxProjects);
  const repositories = useRepositoryOptions();
  return (
    <section aria-labelledby="scanner-projects">
      <h2 className={s.heading} id="scanner-projects">
        Projects
      </h2>
      <p className={s.hint}>
        What a project finds belongs to its repository. Projects are matched by their address or name; choose a
        repository where that was not possible.
      </p>
      {!list.bare && (
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
        columns={projectColumns(repositories)}
        rowKey={({ id }) => id}
        tall
        empty={
          <Empty kind="nothing-yet" title="No projects yet">
            The key sees no project of this tenant, or they have not been read yet. They appear here with the next sync.
          </Empty>
        }
        noMatch="No project matches"
      />
    </section>
  );
}
