import type { Change } from '@sightline/contract/compliance/changes.ts';
import { Facts } from '#ui/Facts.tsx';
import { TimeAgo } from '#ui/TimeAgo.tsx';
import s from './Changes.module.css';

/** What protected the branch, as the code host told it then. */
export function Protection({ protection }: { protection: Change['protection'] }) {
  if (!protection) {
    return <p className={s.gap}>Gap: nobody told us how the branch was protected then.</p>;
  }
  const { state, capturedAt } = protection;
  if (state === 'none') {
    return (
      <p>
        Nothing protected it, as the code host said <TimeAgo at={capturedAt} />.
      </p>
    );
  }
  return (
    <>
      <Facts
        side
        items={[
          ['Reviews', protection.requiredReviews === null ? unread : `${protection.requiredReviews} required`],
          ['New push', said(protection.dismissesStaleReviews, 'takes approvals back', 'leaves approvals')],
          ['Forced push', said(protection.allowsForcePush, 'allowed', 'refused')],
          ['Deletion', said(protection.allowsDeletion, 'allowed', 'refused')],
          ['Administrators', said(protection.includesAdmins, 'bound too', 'not bound')],
          [
            'Checks',
            protection.requiredChecks === null ? unread : protection.requiredChecks.join(', ') || 'none required',
          ],
        ]}
      />
      <p className={s.note}>
        Read <TimeAgo at={capturedAt} />
        {state === 'forbidden' && '. Some of it may not be read by the connection of the code host.'}
      </p>
    </>
  );
}

const unread = 'Not told';
const said = (value: boolean | null, yes: string, no: string) => (value === null ? unread : value ? yes : no);
