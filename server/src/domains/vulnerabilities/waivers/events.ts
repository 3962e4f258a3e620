import type { Parameter } from '@sightline/contract/timeline/events.ts';
import type { AuditActor } from '#core/audit.ts';
import { formatDay } from '#core/day.ts';
import { newId } from '#core/ids.ts';
import type { Services } from '#core/services.ts';
import type { Tx } from '#database/database.ts';
import { appendFacts } from '../../timeline/events/commands.ts';
import type { NewEvent } from '../../timeline/events/new-event.ts';
import type { Waiver, WaiverAction } from './waiver.ts';

const verbs: Record<Exclude<WaiverAction, 'expired'>, string> = {
  requested: 'requested',
  approved: 'approved',
  refused: 'denied',
  withdrawn: 'withdrew',
  ended: 'revoked',
};

/** Appends the timeline event of a change of a waiver. Returns its ID, or none if the timeline has it already. */
export async function appendWaiverEvent(
  services: Services,
  tx: Tx,
  orgId: string,
  { actor, action, waiver }: { actor: AuditActor & { email?: string }; action: WaiverAction; waiver: Waiver },
): Promise<string[]> {
  const { added } = await appendFacts(services, tx, orgId, [waiverEvent(actor, action, waiver)]);
  return [...added];
}

function waiverEvent(actor: AuditActor & { email?: string }, action: WaiverAction, waiver: Waiver): NewEvent {
  const { item, parameters, detail, repositoryId } = itemOf(waiver);
  const person: Parameter = { kind: 'user', display: actor.email ?? 'Unknown person', ident: actor.email ?? '' };
  return {
    id: newId(),
    kind: 'exception',
    asOf: new Date().toISOString(),
    actor: 'personId' in actor ? actor.personId : null,
    repositoryId,
    pullRequest: null,
    source: 'sightline',
    words: 'exception',
    detail,
    summary:
      action === 'expired'
        ? { phrase: `The waiver ${item(0)} expired on {2}`, parameters }
        : { phrase: `{0} ${verbs[action]} a waiver ${item(1)} until {3}`, parameters: [person, ...parameters] },
  };
}

/** The waived item as part of a sentence whose parameters for it start at an index, and the end of the waiver. */
function itemOf(waiver: Waiver) {
  const until = textOf(formatDay(waiver.until));
  if (waiver.kind === 'finding') {
    const { id, title, repository, repositoryId } = waiver.target;
    return {
      item: (first: number) => `for {${first}} in {${first + 1}}`,
      parameters: [{ ...textOf(title), data: { findingId: id } }, repositoryOf(repository), until],
      detail: [],
      repositoryId,
    };
  }
  const { control, subject, repository, repositoryId } = waiver;
  return {
    item: (first: number) => `of {${first}} for {${first + 1}}`,
    parameters: [textOf(control), repository === null ? textOf(subject) : repositoryOf(repository), until],
    detail: [{ label: 'For', parameter: textOf(subject) }],
    repositoryId,
  };
}

const textOf = (display: string): Parameter => ({ kind: 'text', display, ident: '' });
const repositoryOf = (name: string): Parameter => ({ kind: 'repository', display: name, ident: name });

/** Returns the fields of a notification about a waiver. */
export function notificationFieldsOf(waiver: Waiver) {
  const terms = { until: waiver.until.toISOString(), requestedBy: waiver.requestedBy };
  if (waiver.kind === 'finding') {
    const { id, title, repository, repositoryId } = waiver.target;
    return { ...terms, finding: { id, title }, repository: { id: repositoryId, name: repository } };
  }
  const { id, control, subject, repositoryId, repository } = waiver;
  return {
    ...terms,
    waiver: { id, control, subject },
    repository: repositoryId === null || repository === null ? null : { id: repositoryId, name: repository },
  };
}
