import { listDirectoryUsers } from '@sightline/contract/organization/directory.ts';
import { IconUsersGroup } from '@tabler/icons-react';
import { usePagedList } from '#lib/paged-list.ts';
import { Empty } from '#ui/Empty.tsx';
import { Filters } from '#ui/Filters.tsx';
import { SearchBox } from '#ui/SearchBox.tsx';
import { ListTable } from '../../../timeline/views/ListTable.tsx';
import s from './Directory.module.css';
import { userColumns } from './userColumns.tsx';

/** Lists the users of the directory with their access, those with a difference first. */
export function DirectoryUsers() {
  const list = usePagedList(listDirectoryUsers);
  return (
    <section aria-labelledby="directory-users">
      <h2 className={s.heading} id="directory-users">
        Users
      </h2>
      <p className={s.hint}>Users of the directory, with the access that each has here.</p>
      {!list.isEmptyUnfiltered && (
        <Filters>
          <SearchBox label="Search users" value={list.query.search} onChange={(search) => list.setQuery({ search })} />
        </Filters>
      )}
      <ListTable
        views="directory-users"
        list={list}
        label="Users of the directory"
        noun="users"
        tall
        columns={userColumns}
        rowKey={({ id }) => id}
        empty={
          <Empty kind="nothing-yet" title="No users yet" icon={<IconUsersGroup size={19} stroke={1.6} />}>
            Users appear as soon as the directory sends them.
          </Empty>
        }
        noMatch="No user matches"
      />
    </section>
  );
}
