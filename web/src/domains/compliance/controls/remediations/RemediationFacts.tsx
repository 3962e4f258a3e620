import type { Remediation, RemediationRetest } from '@sightline/contract/compliance/remediation-schemas.ts';
import { DueTime } from '#ui/DueTime.tsx';
import { formatDay } from '#ui/days.ts';
import { ExternalLink } from '#ui/ExternalLink.tsx';
import { linkedTicketText } from '#ui/linked-ticket.ts';
import { PersonName } from '#ui/PersonName.tsx';
import { StatusDot, type Tone } from '#ui/StatusBadge.tsx';
import { verdictBadges } from '#ui/verdicts.ts';
import s from '../control/Control.module.css';

const states: Record<Remediation['state'], readonly [Tone, string]> = {
  open: ['orange', 'Open'],
  remediated: ['blue', 'Remediated'],
  retested: ['green', 'Retested'],
};

/** State, owner, due date, ticket and retests of a failed item. */
export function RemediationFacts({ remediation }: { remediation: Remediation }) {
  return (
    <span className={s.facts}>
      <RemediationStateText remediation={remediation} />
      <RemediationOwner owner={remediation.owner} />
      <RemediationDue remediation={remediation} />
      {remediation.ticketUrl !== null && <RemediationTicket url={remediation.ticketUrl} />}
      {remediation.ticket && <span>{linkedTicketText(remediation.ticket)}</span>}
      <Retests retests={remediation.retests} />
    </span>
  );
}

export function RemediationStateText({ remediation }: { remediation: Remediation }) {
  const { state, remediatedAt } = remediation;
  const [tone, label] = states[state];
  return (
    <StatusDot tone={tone}>
      {label}
      {state === 'remediated' && remediatedAt !== null && ` on ${formatDay(remediatedAt)}`}
    </StatusDot>
  );
}

export const RemediationOwner = ({ owner }: Pick<Remediation, 'owner'>) =>
  owner === null ? (
    <span className="dim">No owner</span>
  ) : (
    <span className={s.owner}>
      <PersonName person={owner} size={18} />
      {!owner.isActive && <span className={s.inactive}>no longer active</span>}
    </span>
  );

/** The time remaining or the days overdue of an open failure, and the date of others. Due at the end of the day in UTC. */
export const RemediationDue = ({ remediation: { state, dueOn } }: { remediation: Remediation }) =>
  dueOn === null ? null : state === 'open' ? (
    <DueTime at={`${dueOn}T23:59:59.999Z`} />
  ) : (
    <span className="dim">Due {formatDay(dueOn)}</span>
  );

/** A link named by the end of its path, such as `SEC-7`. */
export function RemediationTicket({ url }: { url: string }) {
  const { host, pathname } = new URL(url);
  const name = pathname.split('/').findLast((part) => part !== '') ?? host;
  return (
    <span className={s.ticket} title={url}>
      <ExternalLink href={url}>{name}</ExternalLink>
    </span>
  );
}

/** Each test after the failure, oldest first. */
export const Retests = ({ retests }: { retests: readonly RemediationRetest[] }) =>
  retests.length === 0 ? null : (
    <ul className={s.retests} aria-label="Retests">
      {retests.map(({ id, at, result, by, notes }) => (
        <li key={id} title={notes === '' ? undefined : notes}>
          <StatusDot tone={verdictBadges[result][0]}>
            Retest on {formatDay(at)}: {verdictBadges[result][1]}
          </StatusDot>
          <span className="dim">
            {by ? (
              <>
                {' '}
                by <PersonName person={by} />
              </>
            ) : (
              ' by an evaluation'
            )}
          </span>
        </li>
      ))}
    </ul>
  );
