import { listContributors } from '@sightline/contract/sources/contributors.ts';
import { IconUsers } from '@tabler/icons-react';
import { usePagedList } from '#lib/paged-list.ts';
import { isOwner, useSession } from '#lib/session.ts';
import { Empty } from '#ui/Empty.tsx';
import { Filters } from '#ui/Filters.tsx';
import { SearchBox } from '#ui/SearchBox.tsx';
import { ListTable } from '../../timeline/views/ListTable.tsx';
import { type RepositoryAddress, useRepositoryAddress } from './address.ts';
import { ContributorMerges } from './ContributorMerges.tsx';
import { contributorColumns } from './contributorColumns.tsx';

export function ContributorsPage() {
  const address = useRepositoryAddress();
  return address && <Contributors address={address} />;
}

function Contributors({ address: { provider, repoPath } }: { address: RepositoryAddress }) {
  const session = useSession();
  const list = usePagedList(listContributors, { input: (query) => ({ params: { provider, repoPath }, query }) });
  return (
    <>
      {!list.isEmptyUnfiltered && (
        <Filters>
          <SearchBox
            label="Search contributors"
            value={list.query.search}
            onChange={(search) => list.setQuery({ search })}
          />
        </Filters>
      )}
      {isOwner(session) && <ContributorMerges provider={provider} repoPath={repoPath} />}
      <ListTable
        views="contributors"
        list={list}
        label="Contributors"
        noun="contributors"
        columns={contributorColumns}
        rowKey={({ id }) => id}
        tall
        empty={
          <Empty kind="nothing-yet" title="No contributors detected" icon={<IconUsers size={19} stroke={1.6} />}>
            People who commit to this repository appear here.
          </Empty>
        }
        noMatch="No contributor matches"
      />
    </>
  );
}
