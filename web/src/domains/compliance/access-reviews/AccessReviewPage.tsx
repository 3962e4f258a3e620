import { Button } from '@mantine/core';
import {
  type AccessReview,
  type AccessReviewItem,
  decideAccessReviewItems,
  getAccessReview,
  listAccessReviewItems,
  signAccessReview,
} from '@sightline/contract/compliance/access-reviews.ts';
import { roleIds, roleNames } from '@sightline/contract/core/permissions.ts';
import { useQuery } from '@tanstack/react-query';
import { useParams } from '@tanstack/react-router';
import { useState } from 'react';
import { call, endpointQuery } from '#lib/api.ts';
import { useChange } from '#lib/change.ts';
import { usePagedList } from '#lib/paged-list.ts';
import { hasPermission, useSession } from '#lib/session.ts';
import { useNow } from '#ui/Clock.tsx';
import { ConfirmDialog } from '#ui/ConfirmDialog.tsx';
import { Empty } from '#ui/Empty.tsx';
import { Failure } from '#ui/Failure.tsx';
import { Filters } from '#ui/Filters.tsx';
import { MultiSelect } from '#ui/MultiSelect.tsx';
import { PagedTable } from '#ui/PagedTable.tsx';
import { PageHeader } from '#ui/PageHeader.tsx';
import { Panel } from '#ui/Panel.tsx';
import { Progress } from '#ui/Progress.tsx';
import { SearchBox } from '#ui/SearchBox.tsx';
import { StatusBadge } from '#ui/StatusBadge.tsx';
import { absoluteTime } from '#ui/time.ts';
import { toast } from '#ui/toast.ts';
import s from './AccessReviews.module.css';
import { accessReviewStatusOf, quarterName, reviewsPath } from './names.ts';
import { memberChangeText, reviewItemColumns } from './reviewItemColumns.tsx';
import { SignDialog } from './SignDialog.tsx';

const back = { label: 'Access reviews', href: reviewsPath };

/** Shows one access review: its members, the decisions, and the signature. */
export function AccessReviewPage() {
  const { reviewId } = useParams({ strict: false }) as { reviewId: string };
  const { data, error, refetch } = useQuery({
    ...endpointQuery(getAccessReview, { params: { reviewId } }),
    meta: { quiet: true },
  });
  if (data) return <Loaded review={data} />;
  return (
    <>
      <PageHeader title="Access review" back={back} />
      {error ? (
        <Panel>
          <Failure title="The access review could not be loaded" error={error} onRetry={() => void refetch()} />
        </Panel>
      ) : (
        <p className="dim" role="status" aria-busy>
          Loading
        </p>
      )}
    </>
  );
}

function Loaded({ review }: { review: AccessReview }) {
  const params = { reviewId: review.id };
  const list = usePagedList(listAccessReviewItems, { input: (query) => ({ params, query }) });
  const mayDecide = hasPermission(useSession(), 'create:evidence') && review.state !== 'signed';
  const [dialog, setDialog] = useState<'keep' | 'sign'>();
  const close = () => setDialog(undefined);
  const decide = useChange(
    ({ lines, decision }: { lines: readonly AccessReviewItem[]; decision: 'kept' | 'changed' }) =>
      call(decideAccessReviewItems, {
        params,
        body: { decision, lines: lines.map(({ accountId, roleId }) => ({ accountId, roleId })) },
      }),
    close,
    { failed: 'The decision was not saved. Try again.' },
  );
  const sign = useChange(
    () => call(signAccessReview, { params, body: { lines: review.lines, decided: review.decided } }),
    () => {
      close();
      toast.success(`The access review of ${quarterName(review.quarter)} is signed.`);
    },
    { failed: 'The access review was not signed. Try again.' },
  );
  const [tone, standing] = accessReviewStatusOf(review, useNow());
  const waiting = (list.rows ?? []).filter(
    (line) => line.allowed && line.decision === null && memberChangeText(line) === undefined,
  );
  const { query, setQuery } = list;
  return (
    <>
      <PageHeader
        title={`Access review of ${quarterName(review.quarter)}`}
        back={back}
        after={<StatusBadge tone={tone}>{standing}</StatusBadge>}
        note={noteOf(review)}
        actions={
          mayDecide && (
            <>
              {waiting.length > 1 && (
                <Button variant="default" onClick={() => setDialog('keep')}>
                  Keep {waiting.length} shown
                </Button>
              )}
              <Button disabled={review.state !== 'decided'} onClick={() => setDialog('sign')}>
                Sign
              </Button>
            </>
          )
        }
      />
      <div className={s.progress}>
        <Progress label="Members decided" done={review.decided} total={review.lines} />
      </div>
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
            options={decisions}
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
        </Filters>
      )}
      <PagedTable
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
        opened={dialog === 'keep'}
        onClose={close}
        title={`Keep the roles of ${waiting.length} members?`}
        confirm={`Keep ${waiting.length}`}
        pending={decide.isPending}
        onConfirm={() => decide.mutate({ lines: waiting, decision: 'kept' })}
      >
        You confirm that each of these members still needs the access of their role:{' '}
        {waiting.map(({ name }) => name).join(', ')}.
      </ConfirmDialog>
      <SignDialog review={review} opened={dialog === 'sign'} onClose={close} sign={sign} />
    </>
  );
}

const decisions = [
  { value: 'none', label: 'Pending' },
  { value: 'kept', label: 'Kept' },
  { value: 'changed', label: 'Changed' },
] as const;

function noteOf({ signed, dueAt, state, openedAt, openedBy }: AccessReview): string {
  const opened = openedBy ? ` Started on request by ${openedBy.name}, ${absoluteTime(Date.parse(openedAt))}.` : '';
  if (state === 'signed' && signed)
    return `Signed ${absoluteTime(Date.parse(signed.at))} by ${signed.by.name}.${opened}`;
  return `Decide on every member and sign the review by ${absoluteTime(Date.parse(dueAt))}. Members cannot decide about themselves.${opened}`;
}
