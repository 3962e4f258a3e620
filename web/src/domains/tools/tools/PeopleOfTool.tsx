import { listToolPeople, toolSourceNames } from '@sightline/contract/tools/tools.ts';
import { IconUsers } from '@tabler/icons-react';
import type { z } from 'zod';
import { usePagedList } from '#lib/paged-list.ts';
import { Empty } from '#ui/Empty.tsx';
import { Filters } from '#ui/Filters.tsx';
import { PagedTable } from '#ui/PagedTable.tsx';
import { Person } from '#ui/Person.tsx';
import { SearchBox } from '#ui/SearchBox.tsx';
import type { Column } from '../../../ui/column.ts';
import { programName } from './programs.ts';
import { lastSeenColumn, sinceColumn } from './seenColumns.tsx';

/** Lists the people with a tool, the source of that information, and the dates. */
export function PeopleOfTool({ id }: { id: string }) {
  const list = usePagedList(listToolPeople, { input: (query) => ({ params: { toolId: id }, query }) });
  return (
    <>
      {!list.isEmptyUnfiltered && (
        <Filters>
          <SearchBox label="Search people" value={list.query.search} onChange={(search) => list.setQuery({ search })} />
        </Filters>
      )}
      <PagedTable
        list={list}
        label="People"
        noun="people"
        columns={columns}
        rowKey={({ person, source, program }) => `${person.id} ${source} ${program}`}
        empty={
          <Empty kind="nothing-yet" title="No people use it" icon={<IconUsers size={19} stroke={1.6} />}>
            Editor and browser extensions report the people who use a tool.
          </Empty>
        }
        noMatch="No people match"
      />
    </>
  );
}

type ToolPerson = z.output<typeof listToolPeople.response>[number];

const columns: readonly Column<ToolPerson>[] = [
  {
    key: 'name',
    header: 'Name',
    sort: 'name',
    place: 'main',
    cell: ({ person }) => <Person name={person.name} picture={person.picture} />,
  },
  {
    key: 'program',
    header: 'Source',
    width: 176,
    place: 'meta',
    cell: ({ program, source }) => (program === '' ? toolSourceNames[source] : programName(program)),
  },
  {
    key: 'version',
    header: 'Version',
    width: 128,
    cell: ({ version }) => version ?? <span className="dim">Unknown</span>,
  },
  sinceColumn,
  lastSeenColumn('Uninstalled'),
];
