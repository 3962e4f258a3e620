import { subscribeTo } from '#core/topics.ts';
import { ticketCreated, ticketStatusChanged } from '../../sources/trackers/topics.ts';
import { applyTicket } from './tickets.ts';

export const remediationSubscriptions = [
  subscribeTo(
    ticketCreated,
    'compliance.link-ticket',
    async ({ services, tx, orgId }, { subjects: { kind, ids }, url, tracker }) => {
      if (kind === 'remediation') await applyTicket(services, tx, orgId, { ids, tracker, change: { ticketUrl: url } });
    },
  ),
  subscribeTo(
    ticketStatusChanged,
    'compliance.state-remediation',
    async ({ services, tx, orgId }, { subjects: { kind, ids }, to, tracker }) => {
      if (kind !== 'remediation') return;
      await applyTicket(services, tx, orgId, { ids, tracker, change: { isRemediated: to === 'done' } });
    },
  ),
];
