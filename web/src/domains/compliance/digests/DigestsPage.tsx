import { Button } from '@mantine/core';
import { digestStates, listDigests } from '@sightline/contract/compliance/digests.ts';
import { IconPlus } from '@tabler/icons-react';
import { useState } from 'react';
import { docsHref } from '#lib/docs.ts';
import { usePagedList } from '#lib/paged-list.ts';
import { hasPermission, useSession } from '#lib/session.ts';
import { Empty } from '#ui/Empty.tsx';
import { Filters } from '#ui/Filters.tsx';
import { MultiSelect } from '#ui/MultiSelect.tsx';
import { PageHeader } from '#ui/PageHeader.tsx';
import { ListTable } from '../../timeline/views/ListTable.tsx';
import { CreateDigestsDialog } from './CreateDigestsDialog.tsx';
import { digestColumns } from './digestColumns.tsx';
import { digestStateBadges } from './digestLabels.ts';

/** Lists the weekly digests of each repository for review and sign-off. */
export function DigestsPage() {
  const list = usePagedList(listDigests);
  const { query } = list;
  const mayCreate = hasPermission(useSession(), 'create:evidence');
  const [creating, setCreating] = useState(false);
  return (
    <>
      <PageHeader
        title="Commit digests"
        help={{ href: docsHref('evidence', 'commit-digests'), about: 'commit digests' }}
        note="A weekly digest for each repository, including weeks without activity. Reviews are signed and kept."
        actions={
          mayCreate && (
            <Button
              variant="default"
              leftSection={<IconPlus size={15} aria-hidden />}
              onClick={() => setCreating(true)}
            >
              Create digests
            </Button>
          )
        }
      />
      {!list.isEmptyUnfiltered && (
        <Filters>
          <MultiSelect
            name="State"
            options={digestStates.map((value) => ({ value, label: digestStateBadges[value][1] }))}
            values={query.state}
            onChange={(values) => list.setQuery({ state: digestStates.filter((state) => values.includes(state)) })}
            emptyText="No states available"
          />
        </Filters>
      )}
      <ListTable
        views="digests"
        tall
        list={list}
        label="Commit digests"
        noun="commit digests"
        columns={digestColumns}
        rowKey={({ id }) => id}
        rowHref={({ id }) => `/digests/${id}`}
        noMatch="No digests match this state"
        filters={query.state.map((state) => `State: ${digestStateBadges[state][1]}`)}
        empty={
          <Empty kind="nothing-yet" title="No commit digests yet">
            Digests of the past week are created every Monday, one for each enabled repository.
          </Empty>
        }
      />
      {creating && <CreateDigestsDialog onClose={() => setCreating(false)} />}
    </>
  );
}
