import { listCheckmarxProjects } from '@sightline/contract/sources/integrations.ts';
import { usePagedList } from '#lib/paged-list.ts';
import { Empty } from '#ui/Empty.tsx';
import { Filters } from '#ui/Filters.tsx';
import { PagedTable } from '#ui/PagedTable.tsx';
import { SearchBox } from '#ui/SearchBox.tsx';
import { projectColumns } from './projectColumns.tsx';
import s from './Scanner.module.css';
import { useRepositoryOptions } from './useRepositoryOptions.ts';

/** Lists the projects of the scanner with their repositories, unmatched ones first. */
export function ScannerProjects() {
  const list = usePagedList(listCheckmarxProjects);
  const repositories = useRepositoryOptions();
  return (
    <section aria-labelledby="scanner-projects">
      <h2 className={s.heading} id="scanner-projects">
        Projects
      </h2>
      <p className={s.hint}>
        Findings of a project belong to its repository. Projects are matched by URL or name. Select a repository for
        projects that were not matched.
      </p>
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
        columns={projectColumns(repositories)}
        rowKey={({ id }) => id}
        tall
        empty={
          <Empty kind="nothing-yet" title="No projects">
            The key has access to no project of this tenant, or the projects are not imported yet. They appear after the
            next sync.
          </Empty>
        }
        noMatch="No project matches"
      />
    </section>
  );
}
