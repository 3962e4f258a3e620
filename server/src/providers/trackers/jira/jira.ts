import { z } from 'zod';
import type { Outbound } from '#core/outbound.ts';
import { hmacCheck } from '#core/signatures.ts';
import { HostFailed, HostRefused } from '#providers/code-host.ts';
import type { HostBudget } from '#providers/host-budget.ts';
import {
  headerOf,
  type IssueTracker,
  type TrackerConnection,
  type TrackerConnector,
  type TrackerProject,
  type TrackerTicket,
} from '#providers/tracker.ts';
import { createTrackerTransport, type TrackerTransport } from '../transport.ts';
import {
  categoryOf,
  type HistoryEntry,
  historyPage,
  parsePerson,
  parseTicket,
  projectPage,
  stepsOf,
  ticketFields,
  transitions,
} from './shapes.ts';

/** What Jira Cloud and Jira Data Center do differently. */
export interface JiraKind {
  /** Path of the API: `/rest/api/3`. */
  api: string;
  authorization: (connection: TrackerConnection) => string;
  /** Plain text in the format of descriptions. */
  textOf: (text: string) => unknown;
  /** The query of an account by ID. */
  userQuery: (id: string) => Readonly<Record<string, string>>;
  projects: (call: TrackerTransport) => Promise<TrackerProject[]>;
  /** Tickets by ID, as read from the API; undefined: one request for each. */
  findMany?: (call: TrackerTransport, ids: readonly string[]) => Promise<FoundIssues>;
  history: (call: TrackerTransport, id: string) => Promise<HistoryEntry[]>;
  search: (call: TrackerTransport, jql: string) => Promise<unknown[]>;
}

/** The result of a read of several issues. */
export interface FoundIssues {
  issues: unknown[];
  /** IDs that the API could not return this time. They may exist. */
  unread: string[];
}

const webhookPath = '/rest/webhooks/1.0/webhook';
const events = ['jira:issue_created', 'jira:issue_updated', 'jira:issue_deleted'];

/** Opens Jira with the account of a token. */
export function openJira(
  outbound: Outbound,
  connection: TrackerConnection,
  budget: HostBudget | undefined,
  kind: JiraKind,
): IssueTracker {
  const { baseURL } = connection;
  const { api } = kind;
  const call = createTrackerTransport({
    outbound,
    baseURL,
    budget,
    headers: { authorization: kind.authorization(connection) },
  });
  const ticketOf = (value: unknown): TrackerTicket => parseTicket(baseURL, value);
  const find = async (id: string) => {
    const path = `${api}/issue/${encodeURIComponent(id)}`;
    const found = await call(path, { query: { fields: ticketFields } }).catch(unlessNotFound);
    return found === undefined ? undefined : ticketOf(found);
  };
  return {
    look: async () => ({ account: parsePerson(await call(`${api}/myself`)).name }),
    projects: () => kind.projects(call),
    find,
    async findAll(ids) {
      const { issues, unread } = (await kind.findMany?.(call, ids)) ?? { issues: [], unread: ids };
      const single = (await inSequence(unread, find)).filter((one) => one !== undefined);
      return new Map([...issues.map(ticketOf), ...single].map((ticket) => [ticket.id, ticket]));
    },
    historyOf: async (id) => (await kind.history(call, id)).flatMap(stepsOf),
    async person(id) {
      const found = await call(`${api}/user`, { query: kind.userQuery(id) }).catch(unlessNotFound);
      return found === undefined ? undefined : parsePerson(found);
    },
    async create({ id, isRepeated, project, type, title, text }) {
      const label = labelOf(id);
      if (isRepeated) {
        const [earlier] = await kind.search(call, `project = "${quoted(project)}" AND labels = "${label}"`);
        if (earlier !== undefined) return ticketOf(earlier);
      }
      const fields = {
        project: { key: project },
        ...(type !== null && { issuetype: { name: type } }),
        summary: title,
        description: kind.textOf(text),
        labels: [label],
      };
      const created = createdIssue.parse(await call(`${api}/issue`, { method: 'POST', body: { fields } }));
      const ticket = await find(created.id);
      if (!ticket) throw new HostRefused(404, `The created ticket ${created.key} is not visible to the token.`);
      return ticket;
    },
    move: ({ id, category }, to) => moveIssue(call, `${api}/issue/${encodeURIComponent(id)}/transitions`, category, to),
    async registerWebhook({ url, secret }) {
      const body = { name: 'Sightline', url, events, filters: {}, excludeBody: false, secret };
      const { self } = createdWebhook.parse(await call(webhookPath, { method: 'POST', body }));
      return self.slice(self.lastIndexOf('/') + 1);
    },
    async deleteWebhook(id) {
      await call(`${webhookPath}/${encodeURIComponent(id)}`, { method: 'DELETE' }).catch(unlessNotFound);
    },
  };
}

/** The label that finds the ticket of a request again. Jira accepts no ID of the caller. */
const labelOf = (id: string): string => `sightline-${id}`;

const quoted = (text: string): string => text.replaceAll(/["\\]/g, '\\$&');

const createdIssue = z.object({ id: z.string(), key: z.string() });
const createdWebhook = z.object({ self: z.string() });

async function moveIssue(
  call: TrackerTransport,
  path: string,
  category: TrackerTicket['category'],
  to: 'open' | 'done',
): Promise<void> {
  if ((category === 'done') === (to === 'done')) return;
  const offered = transitions.parse(await call(path)).transitions;
  const step = offered.find(
    ({ to: { statusCategory } }) => (categoryOf(statusCategory) === 'done') === (to === 'done'),
  );
  if (!step)
    throw new HostRefused(
      409,
      `The workflow of the ticket has no step to ${to === 'done' ? 'a done' : 'an open'} status.`,
    );
  await call(path, { method: 'POST', body: { transition: { id: step.id } } });
}

const unlessNotFound = (error: unknown): undefined => {
  if (error instanceof HostRefused && error.status === 404) return undefined;
  throw error;
};

async function inSequence<Item, Result>(
  items: readonly Item[],
  work: (item: Item) => Promise<Result>,
): Promise<Result[]> {
  const results: Result[] = [];
  for (const item of items) results.push(await work(item));
  return results;
}

/** Reads pages until the last one. Throws HostFailed for a page that only repeats known items. */
async function readJiraPages<Item extends { id: string }>(
  read: (startAt: number) => Promise<{ values: readonly Item[]; isLast: boolean }>,
): Promise<Item[]> {
  const found = new Map<string, Item>();
  for (let isLast = false; !isLast; ) {
    const before = found.size;
    const page = await read(before);
    for (const item of page.values) found.set(item.id, item);
    isLast = page.isLast;
    if (!isLast && found.size === before) throw new HostFailed('Jira returned the same page twice.');
  }
  return [...found.values()];
}

export const readProjects = async (read: (startAt: number) => Promise<unknown>): Promise<TrackerProject[]> =>
  (await readJiraPages(async (startAt) => projectPage.parse(await read(startAt)))).map(
    ({ key, name, issueTypes = [] }) => ({
      key,
      name,
      types: issueTypes.filter(({ subtask }) => !subtask).map(({ name: type }) => type),
    }),
  );

/** Changes of a ticket, page by page. Throws HostFailed for an incomplete history. */
export const readHistory = (read: (startAt: number) => Promise<unknown>): Promise<HistoryEntry[]> =>
  readJiraPages(async (startAt) => {
    const page = historyPage.parse(await read(startAt));
    return { values: page.values, isLast: startAt + page.values.length >= page.total };
  });

const delivery = z.object({
  webhookEvent: z.string().max(100).catch(''),
  issue: z
    .object({ id: z.union([z.string(), z.number()]).transform(String) })
    .optional()
    .catch(undefined),
});

/** Jira signs the raw body in the format of WebSub: `sha256=` and hexadecimal digits. */
export const jiraWebhook: TrackerConnector['webhook'] = {
  signatureOf(headers, secret) {
    const [, digest] = /^sha256=([0-9a-f]{64})$/i.exec(headerOf(headers, 'x-hub-signature')) ?? [];
    return digest === undefined ? undefined : hmacCheck(secret, [Buffer.from(digest, 'hex')]);
  },
  deliveryOf: (headers) => headerOf(headers, 'x-atlassian-webhook-identifier') || undefined,
  parse(body) {
    const { webhookEvent, issue } = delivery.parse(body);
    return { event: webhookEvent, ids: issue ? [issue.id] : [] };
  },
};
