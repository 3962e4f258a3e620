import { listChanges } from '@sightline/contract/compliance/changes.ts';
import { useAsOf } from '#lib/as-of.ts';
import { docsHref } from '#lib/docs.ts';
import { usePagedList } from '#lib/paged-list.ts';
import { AsOfBanner } from '#ui/AsOfBanner.tsx';
import { AsOfButton } from '#ui/AsOfButton.tsx';
import { Empty } from '#ui/Empty.tsx';
import { PageHeader } from '#ui/PageHeader.tsx';
import { sinceText } from '#ui/SinceFilter.tsx';
import { ListTable } from '../../timeline/views/ListTable.tsx';
import { ChangeFilters } from './ChangeFilters.tsx';
import { changeColumns } from './changeColumns.tsx';
import { approvalBadges, mergeMethodLabels } from './changeLabels.ts';

/** Lists merged pull requests and direct pushes in the branches in scope, with author, approver and merger. */
export function ChangesPage() {
  const list = usePagedList(listChanges);
  const { query } = list;
  const asOf = useAsOf(query.ledgerSize, (ledgerSize) => list.setQuery({ search: '', ledgerSize }));
  return (
    <>
      <PageHeader
        title="Changes"
        help={{ href: docsHref('evidence', 'changes'), about: 'changes' }}
        actions={<AsOfButton asOf={asOf} />}
        note="Every merge and direct push to default branches and other branches in scope."
      />
      <AsOfBanner asOf={asOf}>
        Titles, and names of people and repositories, are those of today. Commits can be searched, titles cannot.
      </AsOfBanner>
      {!list.isEmptyUnfiltered && <ChangeFilters query={query} setQuery={list.setQuery} />}
      <ListTable
        views="changes"
        tall
        list={list}
        label="Changes"
        noun="changes"
        columns={changeColumns}
        rowKey={({ id }) => id}
        rowHref={({ id, version }) => `/changes/${id}${query.ledgerSize === undefined ? '' : `?version=${version}`}`}
        noMatch="No change matches"
        filters={[
          ...query.mergeMethod.map((method) => `Merge method: ${mergeMethodLabels[method]}`),
          ...query.approval.map((approval) => `Approval: ${approvalBadges[approval][1]}`),
          ...query.only.map((only) => (only === 'agent' ? 'Written by agents' : 'Incomplete record')),
          ...(query.from === undefined ? [] : [sinceText('Merged', query.from)]),
        ]}
        empty={
          query.ledgerSize === undefined ? (
            <Empty kind="nothing-yet" title="No changes yet">
              Merges into default branches appear here with author, approver and merger, and so do direct pushes.
            </Empty>
          ) : (
            <Empty kind="nothing-yet" title="No changes recorded">
              The ledger had recorded no change at this size.
            </Empty>
          )
        }
      />
    </>
  );
}
