import { type TrackerName, trackerTitles } from '@sightline/contract/sources/trackers.ts';
import { countText } from '../integrations/count-text.ts';
import type { IntegrationCard, IntegrationState } from '../integrations/manifest.ts';
import { maybeTrackerHealth, type TicketCounts, type TrackerHealth } from './queries.ts';

/** The card of an issue tracker. */
export const trackerCard = (name: TrackerName): IntegrationCard => ({
  name,
  title: trackerTitles[name],
  category: 'issue-trackers',
  description: 'Tickets that changes reference, and tickets for vulnerabilities and failing controls.',
  look: async ({ services, tx, actor }) => {
    const { sandboxPage } = services.config.trackers;
    const health = await maybeTrackerHealth(tx, actor.orgId, name);
    const isOwner = actor.reach('manage:integrations') !== undefined;
    const sandboxLinks = isOwner && sandboxPage ? [{ label: 'Get a token of the sandbox', href: sandboxPage }] : [];
    const lastSyncAt = health?.lastSyncAt?.toISOString() ?? null;
    if (!health || health.status === 'inactive') return { status: 'inactive', lastSyncAt, links: sandboxLinks };
    return { ...connectedState(health), links: health.status === 'error' ? sandboxLinks : [] };
  },
});

function connectedState(health: TrackerHealth): IntegrationState {
  const { status, projects, problem, checkedAt, lastSyncAt, tickets, limitedUntil, isHookRegistered } = health;
  return {
    status,
    detail: `${countText(projects, 'project', 'projects')}, ${countText(tickets.known, 'ticket', 'tickets')}`,
    checkedAt: checkedAt?.toISOString() ?? null,
    lastSyncAt: lastSyncAt?.toISOString() ?? null,
    problem,
    missing: [
      ...(projects === 0 ? ['The token can read no project.'] : []),
      ...(lastSyncAt !== null && !isHookRegistered
        ? ['The token may not register webhooks. Changes are read every five minutes.']
        : []),
      ...missingTickets(tickets),
    ],
    notes: [
      ...(limitedUntil !== null && limitedUntil > new Date()
        ? [`Rate limited until ${limitedUntil.toISOString().slice(11, 16)} UTC. Reading continues then.`]
        : []),
      ...(tickets.pending > 0 ? [`${countText(tickets.pending, 'ticket is', 'tickets are')} being created.`] : []),
      ...(tickets.moved > 0
        ? [`${countText(tickets.moved, 'ticket has', 'tickets have')} a new key after a move.`]
        : []),
    ],
  };
}

const missingTickets = ({ deleted, failed }: TicketCounts): string[] => [
  ...(deleted > 0
    ? [`${countText(deleted, 'referenced ticket was', 'referenced tickets were')} deleted or hidden from the token.`]
    : []),
  ...(failed > 0 ? [`${countText(failed, 'ticket', 'tickets')} could not be created. Each shows the reason.`] : []),
];
