import { Button } from '@mantine/core';
import {
  type AccessReviewHostItem,
  decideAccessReviewHostItems,
  listAccessReviewHostItems,
} from '@sightline/contract/compliance/access-review-items.ts';
import type { AccessReview } from '@sightline/contract/compliance/access-reviews.ts';
import {
  holderKindNames,
  holderKinds,
  hostPermissionNames,
  hostPermissions,
} from '@sightline/contract/sources/host-access.ts';
import { useState } from 'react';
import { call } from '#lib/api.ts';
import { useChange } from '#lib/change.ts';
import { usePagedList } from '#lib/paged-list.ts';
import { ConfirmDialog } from '#ui/ConfirmDialog.tsx';
import { Empty } from '#ui/Empty.tsx';
import { Filters } from '#ui/Filters.tsx';
import { MultiSelect } from '#ui/MultiSelect.tsx';
import { SearchBox } from '#ui/SearchBox.tsx';
import { ListTable } from '../../timeline/views/ListTable.tsx';
import { hostItemColumns } from './hostItemColumns.tsx';
import { decisionOptions } from './names.ts';
import { ReviewFrame } from './ReviewFrame.tsx';

/** Shows the access on code hosts of one access review with the decisions about it. */
export const AccessReviewHostPage = () => (
  <ReviewFrame tab="code-hosts">
    {(review, mayDecide) => <HostItems review={review} mayDecide={mayDecide} />}
  </ReviewFrame>
);

// Teams are reviewed by their members.
const reviewedKinds = holderKinds.filter((kind) => kind !== 'team');

function HostItems({ review, mayDecide }: { review: AccessReview; mayDecide: boolean }) {
  const params = { reviewId: review.id };
  const list = usePagedList(listAccessReviewHostItems, { input: (query) => ({ params, query }) });
  const { query, setQuery } = list;
  const [isKeeping, setKeeping] = useState(false);
  const close = () => setKeeping(false);
  const decide = useChange(
    ({ items, decision }: { items: readonly AccessReviewHostItem[]; decision: 'kept' | 'changed' }) =>
      call(decideAccessReviewHostItems, { params, body: { decision, items: items.map(({ id }) => id) } }),
    close,
    { failed: 'The decision was not saved. Try again.' },
  );
  const waiting = (mayDecide ? (list.rows ?? []) : []).filter(
    ({ allowed, decision, inForce }) => allowed && decision === null && inForce > 0,
  );
  return (
    <>
      {!list.isEmptyUnfiltered && (
        <Filters>
          <SearchBox label="Search by name" value={query.search} onChange={(search) => setQuery({ search })} />
          <MultiSelect
            name="Decision"
            options={decisionOptions}
            values={query.decision}
            onChange={(values) => setQuery({ decision: values as typeof query.decision })}
            emptyText="No decisions"
          />
          <MultiSelect
            name="Kind"
            options={reviewedKinds.map((value) => ({ value, label: holderKindNames[value] }))}
            values={query.kind}
            onChange={(values) => setQuery({ kind: reviewedKinds.filter((kind) => values.includes(kind)) })}
            emptyText="No kinds"
          />
          <MultiSelect
            name="Permission"
            options={hostPermissions.map((value) => ({ value, label: hostPermissionNames[value] }))}
            values={query.permission}
            onChange={(values) => setQuery({ permission: hostPermissions.filter((one) => values.includes(one)) })}
            emptyText="No permissions"
          />
          {waiting.length > 1 && (
            <Button variant="default" onClick={() => setKeeping(true)}>
              Keep {waiting.length} shown
            </Button>
          )}
        </Filters>
      )}
      <ListTable
        views="access-review-host-items"
        list={list}
        label="Access under review"
        noun="permissions under review"
        columns={hostItemColumns(
          mayDecide ? (item, decision) => decide.mutate({ items: [item], decision }) : undefined,
          decide.isPending,
        )}
        rowKey={({ id }) => id}
        tall
        empty={
          <Empty kind="nothing-yet" title="No access to review">
            No access to an enabled repository was recorded in this quarter.
          </Empty>
        }
        noMatch="No access matches"
      />
      <ConfirmDialog
        opened={isKeeping}
        onClose={close}
        title={`Keep ${waiting.length} permissions?`}
        confirm={`Keep ${waiting.length}`}
        pending={decide.isPending}
        onConfirm={() => decide.mutate({ items: waiting, decision: 'kept' })}
      >
        You confirm that each of these accounts, deploy keys and apps still needs its permission:{' '}
        {waiting.map(({ holder }) => holder.name).join(', ')}.
      </ConfirmDialog>
    </>
  );
}
