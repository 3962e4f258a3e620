import { createHmac, randomBytes, randomUUID } from 'node:crypto';
import { createStoredState } from '../stored-state.ts';
import { createWebhookQueue, type WebhookMessage, type WebhookQueue } from '../webhook-queue.ts';

export type TrackerKind = 'jira-cloud' | 'jira-data-center' | 'linear';
export const trackerKinds: readonly TrackerKind[] = ['jira-cloud', 'jira-data-center', 'linear'];

export type TicketStatus = 'To Do' | 'In Progress' | 'Done';
export const statuses: readonly TicketStatus[] = ['To Do', 'In Progress', 'Done'];

export type TrackerUser = { id: string; name: string; email: string };

/** A change of a ticket; `from` and `to` of an assignee are IDs of users. */
export type TicketChange = {
  id: string;
  at: string;
  field: 'status' | 'assignee';
  from: string | null;
  to: string | null;
};

export type Ticket = {
  id: string;
  project: string;
  key: string;
  /** Keys before moves. */
  formerKeys: string[];
  type: string;
  title: string;
  text: string;
  labels: string[];
  status: TicketStatus;
  assignee: string | null;
  createdAt: string;
  history: TicketChange[];
};

export type TrackerWebhook = { id: string; url: string; secret: string };

type SiteState = {
  token: number;
  mayHook: boolean;
  /** Whether tickets can be closed: a workflow may lack the step. */
  mayClose: boolean;
  projects: { id: string; key: string; name: string }[];
  users: TrackerUser[];
  tickets: Ticket[];
  webhooks: TrackerWebhook[];
  /** ID of the next ticket, which no deleted one had. */
  nextId: number;
  /** The last number of each project. */
  numbers: Record<string, number>;
};

/** A simulated issue tracker with one account. */
export type TrackerSite = {
  kind: TrackerKind;
  /** Address of the site; the sandbox knows it after its start. */
  url: () => string;
  state: SiteState;
  save: () => void;
  /** The number of next lists that repeat their first page. */
  repeats: number;
  deliveries: WebhookQueue;
  /** Sends a webhook to every registered address. */
  notify: (event: 'created' | 'updated' | 'deleted', ticket: Ticket) => void;
  secret: string;
};

export const siteEmail = 'ada@sandbox.example';

/** Lists of the site have at most this many items in a page. */
export const pageSize = 2;

/** `file`: stores the state across restarts. `secret`: derives tokens. */
export const createSite = (
  kind: TrackerKind,
  url: () => string,
  { secret, file }: { secret: string; file: string | undefined },
): TrackerSite => {
  const { kept: state, save } = createStoredState(file, freshState());
  const site: TrackerSite = {
    kind,
    url,
    state,
    repeats: 0,
    deliveries: createWebhookQueue(),
    secret,
    save,
    notify: (event, ticket) => {
      for (const webhook of state.webhooks) void site.deliveries.send(messageOf(site, webhook, event, ticket));
    },
  };
  return site;
};

const freshState = (): SiteState => {
  const state: SiteState = {
    token: 1,
    mayHook: true,
    mayClose: true,
    projects: [
      { id: '10001', key: 'PAY', name: 'Payments' },
      { id: '10002', key: 'OPS', name: 'Operations' },
      { id: '10003', key: 'SEC', name: 'Security' },
    ],
    users: [
      { id: 'u-ada', name: 'Ada Byron', email: siteEmail },
      { id: 'u-bob', name: 'Bob Noyce', email: 'bob@sandbox.example' },
    ],
    tickets: [],
    webhooks: [],
    numbers: {},
    nextId: 20_000,
  };
  // Before the merges of the sandbox.
  const old = new Date(Date.now() - 500 * 24 * 60 * 60 * 1000).toISOString();
  for (const [project, title] of [
    ['PAY', 'Change the limits'],
    ['PAY', 'Round amounts half up'],
    ['OPS', 'Rotate the certificates'],
  ] as const)
    addTicket(state, { project, title, createdAt: old });
  return state;
};

/** Adds a ticket with the next number of its project. Throws for an unknown project. */
export const addTicket = (
  state: SiteState,
  given: { project: string; title: string } & Partial<
    Pick<Ticket, 'id' | 'key' | 'type' | 'text' | 'labels' | 'createdAt' | 'status' | 'assignee'>
  >,
): Ticket => {
  if (!state.projects.some(({ key }) => key === given.project)) throw new RangeError('Unknown project');
  const wanted = given.key === undefined ? undefined : Number(given.key.split('-')[1]);
  const number = wanted ?? (state.numbers[given.project] ?? 0) + 1;
  state.numbers[given.project] = Math.max(number, state.numbers[given.project] ?? 0);
  state.nextId += 1;
  const ticket: Ticket = {
    type: 'Task',
    text: '',
    labels: [],
    status: 'To Do',
    assignee: null,
    createdAt: new Date().toISOString(),
    history: [],
    formerKeys: [],
    id: String(state.nextId),
    ...given,
    key: `${given.project}-${number}`,
  };
  state.tickets.push(ticket);
  return ticket;
};

/** Finds a ticket by ID, key or former key. */
export const findTicket = ({ state }: TrackerSite, given: string): Ticket | undefined =>
  state.tickets.find(({ id, key }) => id === given || key === given) ??
  state.tickets.find(({ formerKeys }) => formerKeys.includes(given));

export const userOf = ({ state }: TrackerSite, id: string | null): TrackerUser | undefined =>
  state.users.find((user) => user.id === id);

/** Changes status or assignee with an entry in the history, and notifies. `at`: of a change in the past. */
export const changeTicket = (
  site: TrackerSite,
  ticket: Ticket,
  change: { status?: TicketStatus; assignee?: string | null },
  at = new Date().toISOString(),
): void => {
  const entry = (field: TicketChange['field'], from: string | null, to: string | null): void => {
    if (from !== to) ticket.history.push({ id: randomUUID(), at, field, from, to });
  };
  if (change.status !== undefined) {
    entry('status', ticket.status, change.status);
    ticket.status = change.status;
  }
  if (change.assignee !== undefined) {
    entry('assignee', ticket.assignee, change.assignee);
    ticket.assignee = change.assignee;
  }
  site.save();
  site.notify('updated', ticket);
};

/** Moves a ticket to another project, where it gets another key. */
export const moveTicket = (site: TrackerSite, ticket: Ticket, project: string): void => {
  const { state } = site;
  const number = (state.numbers[project] ?? 0) + 1;
  state.numbers[project] = number;
  ticket.formerKeys.push(ticket.key);
  Object.assign(ticket, { project, key: `${project}-${number}` });
  site.save();
  site.notify('updated', ticket);
};

export const deleteTicket = (site: TrackerSite, ticket: Ticket): void => {
  site.state.tickets.splice(site.state.tickets.indexOf(ticket), 1);
  site.save();
  site.notify('deleted', ticket);
};

/** The only valid token. */
export const tokenOf = ({ kind, state, secret }: TrackerSite): string => {
  const digest = createHmac('sha256', secret).update(`${kind} ${state.token}`).digest('hex').slice(0, 40);
  return kind === 'linear' ? `lin_api_${digest}` : digest;
};

/** Revokes the token and creates another. */
export const renewToken = (site: TrackerSite): void => {
  site.state.token += 1;
  site.save();
};

const messageOf = (
  { kind, url }: TrackerSite,
  { url: address, secret }: TrackerWebhook,
  event: 'created' | 'updated' | 'deleted',
  ticket: Ticket,
): WebhookMessage => {
  const isLinear = kind === 'linear';
  const name = isLinear ? { created: 'create', updated: 'update', deleted: 'remove' }[event] : `jira:issue_${event}`;
  const body = JSON.stringify(
    isLinear
      ? {
          action: name,
          type: 'Issue',
          createdAt: new Date().toISOString(),
          data: { id: ticket.id, identifier: ticket.key, title: ticket.title },
          url: `${url()}/issue/${ticket.key}`,
          webhookTimestamp: Date.now(),
          webhookId: randomUUID(),
        }
      : {
          timestamp: Date.now(),
          webhookEvent: name,
          issue: { id: ticket.id, key: ticket.key, self: `${url()}/rest/api/2/issue/${ticket.id}` },
        },
  );
  const digest = createHmac('sha256', secret).update(body).digest('hex');
  const headers: Record<string, string> = isLinear
    ? { 'linear-signature': digest, 'linear-delivery': randomUUID(), 'linear-event': 'Issue' }
    : {
        'x-hub-signature': `sha256=${digest}`,
        'x-atlassian-webhook-identifier': randomBytes(16).toString('hex'),
        'x-atlassian-webhook-flow': 'Primary',
      };
  return { url: address, event: name, headers: { 'content-type': 'application/json', ...headers }, body };
};
