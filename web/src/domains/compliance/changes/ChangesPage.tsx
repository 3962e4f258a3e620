import { listChanges } from '@sightline/contract/compliance/changes.ts';
import { docsHref } from '#lib/docs.ts';
import { usePagedList } from '#lib/paged-list.ts';
import { Empty } from '#ui/Empty.tsx';
import { PagedTable } from '#ui/PagedTable.tsx';
import { PageHeader } from '#ui/PageHeader.tsx';
import { sinceText } from '#ui/SinceFilter.tsx';
import { ChangeFilters } from './ChangeFilters.tsx';
import { changeColumns } from './changeColumns.tsx';
import { approvalBadges, mergeMethodLabels } from './changeLabels.ts';

/** Lists merged pull requests and direct pushes in the branches in scope, with author, approver and merger. */
export function ChangesPage() {
  const list = usePagedList(listChanges);
  const { query } = list;
  return (
    <>
      <PageHeader
        title="Changes"
        help={{ href: docsHref('evidence', 'changes'), about: 'changes' }}
        note="Every merge and direct push to default branches and other branches in scope."
      />
      {!list.isEmptyUnfiltered && <ChangeFilters query={query} setQuery={list.setQuery} />}
      <PagedTable
        tall
        list={list}
        label="Changes"
        noun="changes"
        columns={changeColumns}
        rowKey={({ id }) => id}
        rowHref={({ id }) => `/changes/${id}`}
        noMatch="No change matches"
        filters={[
          ...query.mergeMethod.map((method) => `Merge method: ${mergeMethodLabels[method]}`),
          ...query.approval.map((approval) => `Approval: ${approvalBadges[approval][1]}`),
          ...query.only.map((only) => (only === 'agent' ? 'Written by agents' : 'Incomplete record')),
          ...(query.from === undefined ? [] : [sinceText('Merged', query.from)]),
        ]}
        empty={
          <Empty kind="nothing-yet" title="No changes yet">
            Merges into default branches appear here with author, approver and merger, and so do direct pushes.
          </Empty>
        }
      />
    </>
  );
}
