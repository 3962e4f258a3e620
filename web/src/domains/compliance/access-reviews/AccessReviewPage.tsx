import { Button } from '@mantine/core';
import {
  type AccessReviewItem,
  decideAccessReviewItems,
  listAccessReviewItems,
} from '@sightline/contract/compliance/access-review-items.ts';
import type { AccessReview } from '@sightline/contract/compliance/access-reviews.ts';
import { roleIds, roleNames } from '@sightline/contract/core/permissions.ts';
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
import { decisionOptions } from './names.ts';
import { ReviewFrame } from './ReviewFrame.tsx';
import { memberChangeText, reviewItemColumns } from './reviewItemColumns.tsx';

/** Shows the members of one access review with the decisions about their roles. */
export const AccessReviewPage = () => (
  <ReviewFrame tab="members">
    {(review, mayDecide) => <MemberItems review={review} mayDecide={mayDecide} />}
  </ReviewFrame>
);

function MemberItems({ review, mayDecide }: { review: AccessReview; mayDecide: boolean }) {
  const params = { reviewId: review.id };
  const list = usePagedList(listAccessReviewItems, { input: (query) => ({ params, query }) });
  const [isKeeping, setKeeping] = useState(false);
  const close = () => setKeeping(false);
  const decide = useChange(
    ({ lines, decision }: { lines: readonly AccessReviewItem[]; decision: 'kept' | 'changed' }) =>
      call(decideAccessReviewItems, {
        params,
        body: { decision, lines: lines.map(({ accountId, roleId }) => ({ accountId, roleId })) },
      }),
    close,
    { failed: 'The decision was not saved. Try again.' },
  );
  const waiting = (mayDecide ? (list.rows ?? []) : []).filter(
    (line) => line.allowed && line.decision === null && memberChangeText(line) === undefined,
  );
  const { query, setQuery } = list;
  return (
    <>
      {!list.isEmptyUnfiltered && (
        <Filters>
          <SearchBox
            label="Search by name or address"
            value={query.search}
            onChange={(search) => setQuery({ search })}
            width={280}
          />
          <MultiSelect
            name="Decision"
            options={decisionOptions}
            values={query.decision}
            onChange={(values) => setQuery({ decision: values as typeof query.decision })}
            emptyText="No decisions"
          />
          <MultiSelect
            name="Role"
            options={roleIds.map((value) => ({ value, label: roleNames[value] }))}
            values={query.role}
            onChange={(values) => setQuery({ role: values as typeof query.role })}
            emptyText="No roles"
          />
          {waiting.length > 1 && (
            <Button variant="default" onClick={() => setKeeping(true)}>
              Keep {waiting.length} shown
            </Button>
          )}
        </Filters>
      )}
      <ListTable
        views="access-review-items"
        list={list}
        label="Members under review"
        noun="members under review"
        columns={reviewItemColumns(
          mayDecide ? (line, decision) => decide.mutate({ lines: [line], decision }) : undefined,
          decide.isPending,
        )}
        rowKey={({ accountId, roleId }) => `${accountId} ${roleId}`}
        tall
        empty={
          <Empty kind="nothing-yet" title="No members to review">
            The organization had no active members in this quarter.
          </Empty>
        }
        noMatch="No member matches"
      />
      <ConfirmDialog
        opened={isKeeping}
        onClose={close}
        title={`Keep the roles of ${waiting.length} members?`}
        confirm={`Keep ${waiting.length}`}
        pending={decide.isPending}
        onConfirm={() => decide.mutate({ lines: waiting, decision: 'kept' })}
      >
        You confirm that each of these members still needs the access of their role:{' '}
        {waiting.map(({ name }) => name).join(', ')}.
      </ConfirmDialog>
    </>
  );
}
