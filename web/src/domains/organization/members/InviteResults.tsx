import { CloseButton } from '@mantine/core';
import type { InviteResult } from '@sightline/contract/organization/invitations.ts';
import { IconAlertCircle, IconCircleCheck } from '@tabler/icons-react';
import s from './Invite.module.css';
import { skipText } from './skipText.ts';

/** Shows the result for each address. */
export const InviteResults = ({ results, onClose }: { results: InviteResult; onClose: () => void }) => (
  <section className={s.results} aria-label="Invitation results">
    <div className={s.resultsHead}>
      <b>{headline(results)}</b>
      <CloseButton size="sm" aria-label="Dismiss" onClick={onClose} />
    </div>
    <ul>
      {results.skipped.map((skipped) => (
        <li key={`skipped ${skipped.email}`} data-skipped>
          <IconAlertCircle size={14} aria-hidden />
          <span className="truncate">{skipped.email}</span>
          <span className={s.why}>{skipText(skipped)}</span>
        </li>
      ))}
      {results.invited.map(({ email }) => (
        <li key={email}>
          <IconCircleCheck size={14} aria-hidden />
          <span className="truncate">{email}</span>
          <span className={s.why}>Invited</span>
        </li>
      ))}
    </ul>
  </section>
);

function headline({ invited, skipped }: InviteResult): string {
  const sent = invited.length === 1 ? '1 invitation sent' : `${invited.length} invitations sent`;
  return skipped.length === 0 ? sent : `${sent}, ${skipped.length} not`;
}
