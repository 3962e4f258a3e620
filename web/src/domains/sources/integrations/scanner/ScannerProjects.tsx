import type { ScannerName } from '@sightline/contract/core/scan-sources.ts';
import { listScannerProjects } from '@sightline/contract/sources/integrations.ts';
import { scannerForms } from '@sightline/contract/sources/scanner-forms.ts';
import { usePagedList } from '#lib/paged-list.ts';
import { Empty } from '#ui/Empty.tsx';
import { Filters } from '#ui/Filters.tsx';
import { SearchBox } from '#ui/SearchBox.tsx';
import { ListTable } from '../../../timeline/views/ListTable.tsx';
import { projectColumns } from './projectColumns.tsx';
import s from './Scanner.module.css';
import { useRepositoryOptions } from './useRepositoryOptions.ts';

/** Lists the projects of the scanner with their repositories, unmatched ones first. */
export function ScannerProjects({ scanner }: { scanner: ScannerName }) {
  const list = usePagedList(listScannerProjects, { input: (query) => ({ params: { scanner }, query }) });
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
      <ListTable
        views="scanner-projects"
        list={list}
        label="Projects"
        noun="projects"
        columns={projectColumns(scanner, repositories)}
        rowKey={({ id }) => id}
        tall
        empty={
          <Empty kind="nothing-yet" title="No projects">
            The {scannerForms[scanner].apiKey.noun} has access to no project, or the projects are not imported yet. They
            appear after the next sync.
          </Empty>
        }
        noMatch="No project matches"
      />
    </section>
  );
}
