import type { DigestDetail } from '@sightline/contract/compliance/digests.ts';
import { Panel } from '#ui/Panel.tsx';
import { PersonName } from '#ui/PersonName.tsx';
import { TimeAgo } from '#ui/TimeAgo.tsx';
import s from './Digests.module.css';

/** Lists the reviewers with their comments, and the review that completed the digest. */
export function DigestReviews({ reviews }: Pick<DigestDetail, 'reviews'>) {
  if (reviews.length === 0) return null;
  return (
    <Panel flush title="Reviews">
      <ol className={s.list}>
        {reviews.map(({ id, by, decision, note, at, completes }) => (
          <li key={id}>
            <p>
              <b>
                <PersonName person={{ id: by.accountId, name: by.name ?? 'Former member' }} />
              </b>{' '}
              {completes ? 'signed it off' : 'reviewed part of it'} <TimeAgo at={at} />
              {decision === 'follow_up' && ', marked for follow-up'}
            </p>
            {note !== '' && <p className={s.note}>{note}</p>}
          </li>
        ))}
      </ol>
    </Panel>
  );
}
