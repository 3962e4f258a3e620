import { Button } from '@mantine/core';
import { type Erasure, erasureStates, listErasures } from '@sightline/contract/organization/erasure.ts';
import { IconEraser } from '@tabler/icons-react';
import { useState } from 'react';
import { usePagedList } from '#lib/paged-list.ts';
import { isOwner, useSession } from '#lib/session.ts';
import { Empty } from '#ui/Empty.tsx';
import { Filters } from '#ui/Filters.tsx';
import { Link } from '#ui/Link.tsx';
import { MultiSelect } from '#ui/MultiSelect.tsx';
import { Panel } from '#ui/Panel.tsx';
import { SearchBox } from '#ui/SearchBox.tsx';
import { ListTable } from '../../timeline/views/ListTable.tsx';
import { DecideDeletionDialog, type ErasureDecision } from './DecideDeletionDialog.tsx';
import { erasureColumns, erasureStateLabels } from './erasureColumns.tsx';

/** Lists requests for data deletion. An owner other than the requester must decide each. */
export function ErasuresPage() {
  const session = useSession();
  if (isOwner(session)) return <Erasures ownAccountId={session?.accountId} />;
  return (
    <Panel flush>
      <Empty kind="not-allowed" title="Only Account Owners have access">
        To see recorded data about you and to request its deletion, open{' '}
        <Link className="link" href="/me/personal-data">
          Your data
        </Link>
        .
      </Empty>
    </Panel>
  );
}

function Erasures({ ownAccountId }: { ownAccountId: string | undefined }) {
  const list = usePagedList(listErasures);
  const [deciding, setDeciding] = useState<{ erasure: Erasure; decision: ErasureDecision }>();
  const { state } = list.query;
  return (
    <>
      {!list.isEmptyUnfiltered && !list.failure && (
        <Filters>
          <SearchBox
            label="Search deletions"
            value={list.query.search}
            onChange={(search) => list.setQuery({ search })}
          />
          <MultiSelect
            name="State"
            options={erasureStates.map((each) => ({ value: each, label: erasureStateLabels[each][1] }))}
            values={state}
            onChange={(chosen) => list.setQuery({ state: chosen as Erasure['state'][] })}
            emptyText="No states available"
          />
        </Filters>
      )}
      <ListTable
        views="data-deletions"
        list={list}
        label="Data deletions"
        noun="data deletions"
        tall
        columns={erasureColumns({ ownAccountId, onDecide: (erasure, decision) => setDeciding({ erasure, decision }) })}
        rowKey={({ id }) => id}
        empty={
          <Empty
            kind="nothing-yet"
            title="No deletion requests"
            icon={<IconEraser size={19} stroke={1.6} />}
            action={
              <Button component={Link} href="/organization/members" variant="default">
                See members
              </Button>
            }
          >
            Members request deletion under Your data, and Account Owners decide here. You can also delete the data of a
            person in the menu of their row under Members.
          </Empty>
        }
        noMatch="No deletions match"
        filters={state.map((each) => `State: ${erasureStateLabels[each][1]}`)}
      />
      {deciding && <DecideDeletionDialog {...deciding} onClose={() => setDeciding(undefined)} />}
    </>
  );
}
