import type { FastifyInstance } from 'fastify';
import { notFound } from '../github/refusal.ts';
import {
  addTicket,
  changeTicket,
  deleteTicket,
  findTicket,
  moveTicket,
  renewToken,
  siteEmail,
  statuses,
  type TicketStatus,
  type TrackerKind,
  type TrackerSite,
  tokenOf,
  trackerKinds,
} from './site.ts';

type Trackers = ReadonlyMap<TrackerKind, TrackerSite>;
type SiteBody = { site: TrackerKind };
type TicketBody = SiteBody & {
  /** An existing ticket, or the key of a new one. */
  key?: string;
  project?: string;
  title?: string;
  status?: TicketStatus;
  assignee?: { name: string; email: string } | null;
  createdAt?: string;
  /** Time of the change. */
  at?: string;
};

/** Endpoints that trackers do not have, below /_sandbox/trackers: credentials, tickets and failures. */
export const trackerControl = (server: FastifyInstance, trackers: Trackers): void => {
  const siteOf = ({ site }: SiteBody): TrackerSite => {
    const found = trackers.get(site);
    if (found === undefined) throw notFound();
    return found;
  };
  server.get('/trackers', async () =>
    Object.fromEntries(
      [...trackers].map(([kind, site]) => [
        kind,
        {
          url: site.url(),
          email: siteEmail,
          token: tokenOf(site),
          tickets: site.state.tickets,
          webhooks: site.state.webhooks,
          deliveries: site.deliveries.log,
        },
      ]),
    ),
  );
  server.post<{ Body: TicketBody }>('/trackers/ticket', { schema: { body: ticketSchema } }, async ({ body }, reply) => {
    const site = siteOf(body);
    const { key, project = key?.split('-')[0] ?? 'PAY', title = 'A ticket', status, createdAt, at } = body;
    const found = key === undefined ? undefined : findTicket(site, key);
    const ticket =
      found ??
      addTicket(site.state, {
        project,
        title,
        ...(key !== undefined && { key }),
        ...(createdAt !== undefined && { createdAt }),
      });
    const assignee = body.assignee && identifyUser(site, body.assignee);
    changeTicket(site, ticket, { ...(status && { status }), ...(assignee !== undefined && { assignee }) }, at);
    await site.deliveries.settled();
    return reply.code(201).send(ticket);
  });
  server.post<{ Body: SiteBody & { key: string; project: string } }>('/trackers/move', async ({ body }) => {
    const site = siteOf(body);
    const ticket = findTicket(site, body.key);
    if (ticket === undefined) throw notFound();
    moveTicket(site, ticket, body.project);
    await site.deliveries.settled();
    return ticket;
  });
  server.post<{ Body: SiteBody & { key: string } }>('/trackers/delete', async ({ body }) => {
    const site = siteOf(body);
    const ticket = findTicket(site, body.key);
    if (ticket === undefined) throw notFound();
    deleteTicket(site, ticket);
    await site.deliveries.settled();
    return { deleted: ticket.key };
  });
  server.post<{ Body: SiteBody & { revoke?: boolean; mayHook?: boolean; mayClose?: boolean; repeats?: number } }>(
    '/trackers/site',
    async ({ body }) => {
      const site = siteOf(body);
      if (body.revoke) renewToken(site);
      const { mayHook = site.state.mayHook, mayClose = site.state.mayClose } = body;
      Object.assign(site.state, { mayHook, mayClose });
      site.repeats = body.repeats ?? site.repeats;
      site.save();
      return { token: tokenOf(site), mayHook, mayClose, repeats: site.repeats };
    },
  );
};

/** The ID of the user with an address, who is added if unknown. */
const identifyUser = ({ state }: TrackerSite, { name, email }: { name: string; email: string }): string => {
  const known = state.users.find((user) => user.email === email);
  if (known) return known.id;
  const id = `u-${state.users.length + 1}`;
  state.users.push({ id, name, email });
  return id;
};

const text = { type: 'string', minLength: 1, maxLength: 300 } as const;
const ticketSchema = {
  type: 'object',
  additionalProperties: false,
  required: ['site'],
  properties: {
    site: { type: 'string', enum: [...trackerKinds] },
    key: text,
    project: text,
    title: text,
    status: { type: 'string', enum: [...statuses] },
    assignee: { type: ['object', 'null'], properties: { name: text, email: text } },
    createdAt: text,
    at: text,
  },
} as const;
