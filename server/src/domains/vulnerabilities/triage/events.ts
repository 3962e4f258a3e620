import type { AuditActor } from '#core/audit.ts';
import { formatDay } from '#core/day.ts';
import { newId } from '#core/ids.ts';
import type { NewEvent } from '../../timeline/events/new-event.ts';
import type { DecisionKind, TriageDecision } from './decision.ts';

const verbs: Partial<Record<DecisionKind, string>> = {
  exception_requested: 'requested',
  exception_approved: 'approved',
  exception_refused: 'refused',
  exception_withdrawn: 'withdrew',
};

/** Creates timeline events of waiver decisions; other decisions have none. */
export const createWaiverEvents = (doer: AuditActor, email: string | undefined, decisions: readonly TriageDecision[]) =>
  decisions.flatMap((decision) => {
    const event = exceptionEvent(doer, email, decision);
    return event ? [{ exceptionId: decision.exceptionId, event }] : [];
  });

function exceptionEvent(
  doer: AuditActor,
  email: string | undefined,
  { target, kind, until }: TriageDecision,
): NewEvent | undefined {
  const verb = verbs[kind];
  const isExpired = kind === 'exception_expired';
  if ((verb === undefined && !isExpired) || until === undefined) return undefined;
  const parameters = [
    { kind: 'text', display: target.title, ident: '', data: { findingId: target.id } },
    { kind: 'repository', display: target.repository, ident: target.repository },
    { kind: 'text', display: formatDay(until), ident: '' },
  ] as const;
  const display = email === undefined ? 'Unknown person' : email;
  return {
    id: newId(),
    kind: 'exception',
    asOf: new Date().toISOString(),
    actor: 'personId' in doer ? doer.personId : null,
    repositoryId: target.repositoryId,
    pullRequest: null,
    source: 'sightline',
    detail: [],
    summary: isExpired
      ? { phrase: 'The waiver for {0} in {1} expired on {2}', parameters: [...parameters] }
      : {
          phrase: `{0} ${verb} a waiver for {1} in {2} until {3}`,
          parameters: [{ kind: 'user', display, ident: email ?? '' }, ...parameters],
        },
    words: 'exception',
  };
}
