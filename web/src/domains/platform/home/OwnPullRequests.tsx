import { listOwnPullRequests, type OwnPullRequest, openStatuses } from '@sightline/contract/sources/pull-requests.ts';
import { useQuery } from '@tanstack/react-query';
import { endpointQuery } from '#lib/api.ts';
import { repositoryHref } from '#lib/repository-href.ts';
import { Link } from '#ui/Link.tsx';
import { Panel } from '#ui/Panel.tsx';
import { StatusDot, type Tone } from '#ui/StatusBadge.tsx';
import { TimeAgo } from '#ui/TimeAgo.tsx';
import s from './HomePanels.module.css';

const shown = { statuses: openStatuses, perPage: 10 };

/** Lists the open pull requests of the member, newest first, with their review. Renders nothing without any. */
export function OwnPullRequests() {
  const { data } = useQuery({ ...endpointQuery(listOwnPullRequests, { query: shown }), meta: { quiet: true } });
  if (!data || data.total === 0) return null;
  return (
    <Panel
      flush
      title="Your open pull requests"
      aside={data.total > data.rows.length && <span className="dim">{`${data.rows.length} of ${data.total}`}</span>}
    >
      <ul className={s.rows}>
        {data.rows.map((pullRequest) => {
          const { id, title, number, repository, createdAt } = pullRequest;
          const [tone, text] = reviewStatusOf(pullRequest);
          return (
            <li key={`${repository.id}/${id}`}>
              <Link className={s.row} href={`${repositoryHref(repository)}?search=${encodeURIComponent(title)}`}>
                <span className={s.title}>
                  <b>{title}</b>
                  <span className={s.meta}>
                    {repository.fullName} #{number}, opened <TimeAgo at={createdAt} />
                  </span>
                </span>
                <StatusDot tone={tone}>{text}</StatusDot>
              </Link>
            </li>
          );
        })}
      </ul>
    </Panel>
  );
}

/** The tone and text of the latest reviews. Approvals of an older state of the branch do not count. */
export function reviewStatusOf({
  draft,
  reviewers,
}: Pick<OwnPullRequest, 'draft' | 'reviewers'>): readonly [Tone, string] {
  if (reviewers.some(({ state }) => state === 'changes_requested')) return ['red', 'Changes requested'];
  if (draft) return ['gray', 'Draft'];
  if (reviewers.some(({ state, afterLastPush }) => state === 'approved' && afterLastPush)) return ['green', 'Approved'];
  return ['yellow', 'Waiting for review'];
}
