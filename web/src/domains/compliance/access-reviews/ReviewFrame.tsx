import { Button } from '@mantine/core';
import { type AccessReview, getAccessReview, signAccessReview } from '@sightline/contract/compliance/access-reviews.ts';
import { useQuery } from '@tanstack/react-query';
import { useParams } from '@tanstack/react-router';
import { type ReactNode, useState } from 'react';
import { call, endpointQuery } from '#lib/api.ts';
import { useChange } from '#lib/change.ts';
import { hasPermission, useSession } from '#lib/session.ts';
import { useNow } from '#ui/Clock.tsx';
import { Failure } from '#ui/Failure.tsx';
import { LinkTabs } from '#ui/LinkTabs.tsx';
import { PageHeader } from '#ui/PageHeader.tsx';
import { Panel } from '#ui/Panel.tsx';
import { Progress } from '#ui/Progress.tsx';
import { StatusBadge } from '#ui/StatusBadge.tsx';
import { absoluteTime } from '#ui/time.ts';
import { toast } from '#ui/toast.ts';
import s from './AccessReviews.module.css';
import { accessReviewStatusOf, quarterName, reviewHref, reviewsPath } from './names.ts';
import { SignDialog } from './SignDialog.tsx';

const back = { label: 'Access reviews', href: reviewsPath };

interface ReviewFrameProps {
  tab: 'members' | 'code-hosts';
  /** The items of the tab. */
  children: (review: AccessReview, mayDecide: boolean) => ReactNode;
}

/** Shows one access review: its state, its signature, and the items of one tab. */
export function ReviewFrame({ tab, children }: ReviewFrameProps) {
  const { reviewId } = useParams({ strict: false }) as { reviewId: string };
  const { data, error, refetch } = useQuery({
    ...endpointQuery(getAccessReview, { params: { reviewId } }),
    meta: { quiet: true },
  });
  if (data) return <Loaded review={data} tab={tab} items={children} />;
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

function Loaded({
  review,
  tab,
  items,
}: {
  review: AccessReview;
  tab: ReviewFrameProps['tab'];
  items: ReviewFrameProps['children'];
}) {
  const mayDecide = hasPermission(useSession(), 'create:evidence') && review.state !== 'signed';
  const [isSigning, setSigning] = useState(false);
  const close = () => setSigning(false);
  const sign = useChange(
    () =>
      call(signAccessReview, {
        params: { reviewId: review.id },
        body: { lines: review.lines, decided: review.decided },
      }),
    () => {
      close();
      toast.success(`The access review of ${quarterName(review.quarter)} is signed.`);
    },
    { failed: 'The access review was not signed. Try again.' },
  );
  const [tone, standing] = accessReviewStatusOf(review, useNow());
  const home = reviewHref(review);
  const hosts = `${home}/code-hosts`;
  return (
    <>
      <PageHeader
        title={`Access review of ${quarterName(review.quarter)}`}
        back={back}
        after={<StatusBadge tone={tone}>{standing}</StatusBadge>}
        note={noteOf(review)}
        actions={
          mayDecide && (
            <Button disabled={review.state !== 'decided'} onClick={() => setSigning(true)}>
              Sign
            </Button>
          )
        }
      />
      <div className={s.progress}>
        <Progress label="Items decided" done={review.decided} total={review.lines} />
      </div>
      <LinkTabs
        label="Access review"
        current={tab === 'members' ? home : hosts}
        tabs={[
          { label: 'Members', href: home },
          { label: 'Code hosts', href: hosts },
        ]}
      />
      {items(review, mayDecide)}
      <SignDialog review={review} opened={isSigning} onClose={close} sign={sign} />
    </>
  );
}

function noteOf({ signed, dueAt, state, openedAt, openedBy }: AccessReview): string {
  const opened = openedBy ? ` Started on request by ${openedBy.name}, ${absoluteTime(Date.parse(openedAt))}.` : '';
  if (state === 'signed' && signed)
    return `Signed ${absoluteTime(Date.parse(signed.at))} by ${signed.by.name}.${opened}`;
  return `Decide on every member and all access on code hosts, and sign the review by ${absoluteTime(Date.parse(dueAt))}. Members cannot decide about themselves.${opened}`;
}
