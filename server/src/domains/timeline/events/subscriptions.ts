import { subscribeTo } from '#core/topics.ts';
import { memberChanged } from '../../organization/members/topics.ts';
import { appendFacts } from './commands.ts';
import { memberEvent } from './member-events.ts';

export const eventSubscriptions = [
  subscribeTo(memberChanged, 'timeline.append-member-event', ({ services, tx, orgId }, { eventId, actor, change }) =>
    appendFacts(services, tx, orgId, [memberEvent(eventId, actor, change)]),
  ),
];
