import { Tooltip } from '@mantine/core';
import type { PullRequest } from '@sightline/contract/sources/pull-requests.ts';
import { More } from '#ui/More.tsx';
import { Face } from '#ui/Person.tsx';
import s from './PullRequests.module.css';
import { reviewStateTexts } from './reviews.ts';

const shown = 3;

/** Shows reviewers as avatars. The decision is in the tooltip and the accessible name. */
export function ReviewerAvatars({ reviewers }: { reviewers: PullRequest['reviewers'] }) {
  if (reviewers.length === 0) return <span className="dim">None</span>;
  return (
    <span className={s.reviewers}>
      <ul className={s.faces}>
        {reviewers.slice(0, shown).map((reviewer) => (
          <li key={reviewer.login}>
            <Tooltip label={decisionOf(reviewer)}>
              <span className={s.face}>
                <Face name={reviewer.name} picture={reviewer.picture ?? undefined} size={24} />
                <span className="vh">{decisionOf(reviewer)}</span>
              </span>
            </Tooltip>
          </li>
        ))}
      </ul>
      <More count={reviewers.length - shown} title="Reviewers">
        {reviewers.slice(shown).map((reviewer) => (
          <li key={reviewer.login}>
            <Face name={reviewer.name} picture={reviewer.picture ?? undefined} size={20} />
            {decisionOf(reviewer)}
          </li>
        ))}
      </More>
    </span>
  );
}

const decisionOf = ({ name, state, afterLastPush }: PullRequest['reviewers'][number]) =>
  `${name}: ${reviewStateTexts[state]}${state === 'approved' && !afterLastPush ? ', before the last push' : ''}`;
