import type { Change } from '@sightline/contract/compliance/changes.ts';
import { Facts } from '#ui/Facts.tsx';
import { TimeAgo } from '#ui/TimeAgo.tsx';
import s from './Changes.module.css';

/** Shows the branch protection that the code host reported at the time of the change. */
export function BranchProtectionFacts({ protection }: { protection: Change['protection'] }) {
  if (!protection) {
    return <p className={s.gap}>Missing evidence: branch protection data unavailable.</p>;
  }
  const { state, capturedAt } = protection;
  if (state === 'none') {
    return (
      <p>
        The branch was not protected, according to the code host <TimeAgo at={capturedAt} />.
      </p>
    );
  }
  return (
    <>
      <Facts
        side
        items={[
          ['Reviews', protection.requiredReviews === null ? unread : `${protection.requiredReviews} required`],
          ['New push', optionText(protection.dismissesStaleReviews, 'dismisses approvals', 'keeps approvals')],
          ['Forced push', optionText(protection.allowsForcePush, 'allowed', 'refused')],
          ['Deletion', optionText(protection.allowsDeletion, 'allowed', 'refused')],
          ['Administrators', optionText(protection.includesAdmins, 'included', 'not included')],
          [
            'Checks',
            protection.requiredChecks === null ? unread : protection.requiredChecks.join(', ') || 'none required',
          ],
        ]}
      />
      <p className={s.note}>
        Read <TimeAgo at={capturedAt} />
        {state === 'forbidden' && '. The connection to the code host may not read all of it.'}
      </p>
    </>
  );
}

const unread = 'Unknown';
const optionText = (value: boolean | null, yes: string, no: string) => (value === null ? unread : value ? yes : no);
