import { subscribeTo } from '#core/topics.ts';
import { ticketCreated } from '../../sources/trackers/topics.ts';
import { linkTicket } from './edits.ts';

export const triageSubscriptions = [
  subscribeTo(
    ticketCreated,
    'vulnerabilities.link-ticket',
    async ({ services, tx, orgId }, { subjects: { kind, ids }, url, tracker }) => {
      if (kind === 'finding') await linkTicket(services, tx, orgId, { ids, url, tracker });
    },
  ),
];
