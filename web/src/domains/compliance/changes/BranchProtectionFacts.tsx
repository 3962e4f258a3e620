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
          ['Bypass', optionText(protection.includesAdmins, 'not possible', 'possible for administrators or others')],
          [
            'Checks',
            protection.requiredChecks === null
              ? unread
              : protection.requiredChecks.map((name) => checkText(name, protection.requiredApps)).join(', ') ||
                'none required',
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
function checkText(name: string, apps: readonly { name: string; app: string }[] | null): string {
  const app = apps?.find((one) => one.name === name)?.app;
  return app === undefined ? name : `${name} (app ${app})`;
}
const optionText = (value: boolean | null, yes: string, no: string) => (value === null ? unread : value ? yes : no);
