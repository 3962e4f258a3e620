import { Button } from '@mantine/core';
import {
  type AccessReview,
  listAccessReviews,
  openAccessReview,
  REVIEW_LEAD_DAYS,
  reviewStates,
} from '@sightline/contract/compliance/access-reviews.ts';
import { IconUserCheck } from '@tabler/icons-react';
import { useState } from 'react';
import { call } from '#lib/api.ts';
import { useChange } from '#lib/change.ts';
import { usePagedList } from '#lib/paged-list.ts';
import { hasPermission, useSession } from '#lib/session.ts';
import { useNow } from '#ui/Clock.tsx';
import { ConfirmDialog } from '#ui/ConfirmDialog.tsx';
import { Empty } from '#ui/Empty.tsx';
import { Filters } from '#ui/Filters.tsx';
import { Link, useNavigate } from '#ui/Link.tsx';
import { MultiSelect } from '#ui/MultiSelect.tsx';
import { PageHeader } from '#ui/PageHeader.tsx';
import { PersonName } from '#ui/PersonName.tsx';
import { Progress } from '#ui/Progress.tsx';
import { RowName, RowTitle } from '#ui/RowTitle.tsx';
import { StatusBadge } from '#ui/StatusBadge.tsx';
import { TimeAgo } from '#ui/TimeAgo.tsx';
import type { Column } from '../../../ui/column.ts';
import { ListTable } from '../../timeline/views/ListTable.tsx';
import { accessReviewStatusOf, quarterName, reviewHref, reviewStateLabels } from './names.ts';

/** Lists the access reviews, one per quarter. */
export function AccessReviewsPage() {
  const list = usePagedList(listAccessReviews);
  const { query, setQuery } = list;
  const now = useNow();
  const mayOpen = hasPermission(useSession(), 'create:evidence');
  const [starting, setStarting] = useState(false);
  const navigate = useNavigate();
  const start = useChange(
    () => call(openAccessReview, {}),
    (review) => navigate(reviewHref(review)),
  );
  const close = () => setStarting(false);
  return (
    <>
      <PageHeader
        title="Access reviews"
        back={{ label: 'Evidence', href: '/evidence' }}
        note="Each quarter a reviewer confirms or changes the role of every other member and all access on code hosts, and signs. Control ACC-02 evaluates it."
        actions={
          <>
            <Button variant="default" component={Link} href="/evidence/host-access">
              Access on code hosts
            </Button>
            {mayOpen && (
              <Button variant="default" onClick={() => setStarting(true)}>
                Start review
              </Button>
            )}
          </>
        }
      />
      {!list.isEmptyUnfiltered && (
        <Filters>
          <MultiSelect
            name="State"
            options={reviewStates.map((state) => ({ value: state, label: reviewStateLabels[state] }))}
            values={query.state}
            onChange={(states) => setQuery({ state: reviewStates.filter((state) => states.includes(state)) })}
            emptyText="No states"
          />
        </Filters>
      )}
      <ListTable
        views="access-reviews"
        list={list}
        label="Access reviews"
        noun="access reviews"
        columns={columns(now)}
        rowKey={({ id }) => id}
        rowHref={reviewHref}
        filters={query.state.map((state) => `State: ${reviewStateLabels[state]}`)}
        empty={
          <Empty kind="nothing-yet" title="No access reviews">
            A review starts automatically {REVIEW_LEAD_DAYS} days before a quarter ends and lists every active member
            and all access on code hosts. Members who may sign are notified.
          </Empty>
        }
        noMatch="No access review matches"
      />
      <ConfirmDialog
        opened={starting}
        onClose={close}
        title="Start the access review of this quarter now?"
        confirm="Start review"
        pending={start.isPending}
        onConfirm={() => start.mutate(undefined, { onSettled: close })}
      >
        The review lists every active member and all access on code hosts. What is added or changes before the quarter
        ends is added to the review and needs another signature. If the review of this quarter is open, what is missing
        in it is added.
      </ConfirmDialog>
    </>
  );
}

const columns = (now: number): Column<AccessReview>[] => [
  {
    key: 'quarter',
    header: 'Quarter',
    sort: 'quarter',
    firstDirection: 'desc',
    place: 'main',
    cell: ({ quarter }) => (
      <RowTitle glyph={<IconUserCheck size={16} stroke={1.8} aria-hidden />}>
        <RowName>{quarterName(quarter)}</RowName>
      </RowTitle>
    ),
  },
  {
    key: 'state',
    header: 'State',
    width: 150,
    place: 'side',
    cell: (review) => {
      const [tone, words] = accessReviewStatusOf(review, now);
      return <StatusBadge tone={tone}>{words}</StatusBadge>;
    },
  },
  {
    key: 'decided',
    header: 'Decided',
    width: 200,
    place: 'meta',
    cell: ({ lines, decided }) => <Progress label="Items decided" done={decided} total={lines} />,
  },
  {
    key: 'signed',
    header: 'Signed',
    width: 240,
    place: 'metaEnd',
    cell: ({ signed }) =>
      signed === null ? (
        <span className="dim">Not signed</span>
      ) : (
        <span className="truncate">
          <TimeAgo at={signed.at} /> by <PersonName person={signed.by} />
        </span>
      ),
  },
];
