import type { PullRequest } from '@sightline/contract/sources/pull-requests.ts';
import { Face } from '#ui/Person.tsx';
import { RowTitle } from '#ui/RowTitle.tsx';
import { Tag } from '#ui/Tag.tsx';
import { TimeAgo } from '#ui/TimeAgo.tsx';
import { pullRequestRelativeDays } from '#ui/time.ts';
import type { Column } from '../../../ui/column.ts';
import { ExploreEvents } from './ExploreEvents.tsx';
import s from './PullRequests.module.css';
import { ReviewerAvatars } from './ReviewerAvatars.tsx';
import { ReviewState } from './ReviewState.tsx';

export const pullRequestColumns: readonly Column<PullRequest>[] = [
  {
    key: 'title',
    header: 'Pull request',
    place: 'main',
    cell: (pullRequest) => <Title pullRequest={pullRequest} />,
  },
  {
    key: 'review',
    header: 'Review',
    width: 184,
    place: 'meta',
    cell: (pullRequest) => <ReviewState pullRequest={pullRequest} />,
  },
  {
    key: 'reviewers',
    header: 'Reviewers',
    width: 112,
    cell: ({ reviewers }) => <ReviewerAvatars reviewers={reviewers} />,
  },
  {
    key: 'created',
    header: 'Created',
    sort: 'date',
    firstDirection: 'desc',
    width: 140,
    place: 'metaEnd',
    cell: ({ createdAt }) => (
      <span className="dim">
        <TimeAgo at={createdAt} within={pullRequestRelativeDays} />
      </span>
    ),
  },
  {
    key: 'events',
    header: 'Events',
    width: 144,
    place: 'menu',
    cell: ({ number, exploreContext }) => (
      <ExploreEvents href={`/explore?context=${exploreContext.contextId}`} of={`#${number}`} />
    ),
  },
];

function Title({
  pullRequest: { number, title, url, draft, author, additions, deletions },
}: {
  pullRequest: PullRequest;
}) {
  const { name, avatarUrl, isAgent } = author;
  return (
    <RowTitle
      glyph={<Face name={name} picture={avatarUrl ?? undefined} size={28} />}
      meta={
        <>
          <span className="num">#{number}</span> by {name}
          {isAgent && <Tag>Agent</Tag>}
          {additions !== null && deletions !== null && (
            <span className={s.lines}>
              <span className={s.plus}>+{additions}</span> <span className={s.minus}>−{deletions}</span>
              <span className="vh"> lines</span>
            </span>
          )}
        </>
      }
    >
      <a className={`truncate ${s.title}`} href={url} target="_blank" rel="noreferrer" title={title}>
        {title}
        <span className="vh">, opens a new tab</span>
      </a>
      {draft && <Tag>Draft</Tag>}
    </RowTitle>
  );
}
