import type { AuditAction } from '@sightline/contract/organization/audit-actions.ts';
import type { Parameter } from '@sightline/contract/timeline/events.ts';
import type { AuditActor } from '#core/audit.ts';
import { formatDay } from '#core/day.ts';
import { newId } from '#core/ids.ts';
import type { NewEvent } from '../../timeline/events/new-event.ts';
import type { ControlWaiver } from './control-waiver.ts';

/** What can happen to leave to break a control. */
export type LeaveAction = Extract<AuditAction, `exception.${string}`>;

const verbs: Record<Exclude<LeaveAction, 'exception.expired'>, string> = {
  'exception.requested': 'requested',
  'exception.approved': 'approved',
  'exception.refused': 'refused',
  'exception.withdrawn': 'withdrew',
  'exception.ended': 'ended',
};

/** What happened to leave, as an event of the timeline; what only the clock did has nobody in front. */
export function leaveEvent(
  doer: AuditActor & { email?: string },
  action: LeaveAction,
  { control, subject, repositoryId, repository, until }: ControlWaiver,
): NewEvent {
  const about: Parameter[] = [
    wordOf(control),
    repository === null ? wordOf(subject) : { kind: 'repository', display: repository, ident: repository },
    wordOf(formatDay(until)),
  ];
  return {
    id: newId(),
    kind: 'exception',
    asOf: new Date().toISOString(),
    actor: 'personId' in doer ? doer.personId : null,
    repositoryId,
    pullRequest: null,
    source: 'sightline',
    words: 'exception',
    detail: [{ label: 'For', parameter: wordOf(subject) }],
    summary:
      action === 'exception.expired'
        ? { phrase: 'The waiver of {0} for {1} expired on {2}', parameters: about }
        : {
            phrase: `{0} ${verbs[action]} a waiver of {1} for {2} until {3}`,
            parameters: [{ kind: 'user', display: doer.email ?? 'Unknown person', ident: doer.email ?? '' }, ...about],
          },
  };
}

const wordOf = (display: string): Parameter => ({ kind: 'text', display, ident: '' });
