import { randomUUID } from 'node:crypto';
import type { FastifyInstance } from 'fastify';
import {
  addTicket,
  changeTicket,
  findTicket,
  pageSize,
  type Ticket,
  type TicketChange,
  type TicketStatus,
  type TrackerSite,
  tokenOf,
  userOf,
} from './site.ts';

type Variables = {
  id?: string;
  ids?: string[];
  after?: string | null;
  input?: Record<string, unknown>;
};
type GraphqlRequest = { Body: { query?: string; variables?: Variables } };

/**
 * The supported operations of Linear's GraphQL API: the viewer, teams, issues with history, users, and creating and
 * moving issues and webhooks. Values are variables.
 */
export const linearRoutes = (server: FastifyInstance, site: TrackerSite): void => {
  server.post<GraphqlRequest>('/graphql', async ({ headers, body }, reply) => {
    const { query = '', variables = {} } = body;
    if (headers.authorization !== tokenOf(site))
      return reply.code(401).send(failure('Authentication required, not authenticated', 'AUTHENTICATION_ERROR'));
    const operation = operations.find(([name]) => new RegExp(`\\b${name}\\b`).test(query));
    if (operation === undefined)
      return reply.code(400).send(failure('The sandbox does not support this operation.', 'GRAPHQL_VALIDATION_FAILED'));
    const data = operation[1](site, variables, query);
    return 'errors' in data ? data : { data };
  });
};

const failure = (message: string, code: string) => ({ errors: [{ message, extensions: { code, type: code } }] });
type Answer = Record<string, unknown>;

const operations: readonly (readonly [string, (site: TrackerSite, variables: Variables, query: string) => Answer])[] = [
  ['issueCreate', (site, { input = {} }) => createIssue(site, input)],
  ['issueUpdate', (site, variables) => updateIssue(site, variables)],
  ['webhookCreate', (site, { input = {} }) => createWebhook(site, input)],
  ['webhookDelete', (site, { id }) => deleteWebhook(site, id)],
  ['viewer', (site) => ({ viewer: site.state.users[0] })],
  ['user', (site, { id }) => ({ user: userOf(site, id ?? null) ?? null })],
  [
    'teams',
    (site, { after }) => ({
      teams: pageOf(
        site,
        site.state.projects.map(({ id, key, name }) => ({ id, key, name })),
        after,
      ),
    }),
  ],
  [
    'issues',
    (site, { ids = [] }) => ({
      issues: {
        nodes: ids.flatMap((id) => {
          const ticket = findTicket(site, id);
          return ticket ? [issueObject(site, ticket)] : [];
        }),
      },
    }),
  ],
  ['issue', (site, variables, query) => readIssue(site, variables, query)],
];

const readIssue = (site: TrackerSite, { id = '', after }: Variables, query: string): Answer => {
  const ticket = findTicket(site, id);
  if (ticket === undefined) return failure('Entity not found: Issue', 'INPUT_ERROR');
  if (/\bhistory\b/.test(query))
    return {
      issue: {
        history: pageOf(
          site,
          ticket.history.map((change) => historyObject(change)),
          after,
        ),
      },
    };
  return { issue: { ...issueObject(site, ticket), team: { states: { nodes: states(site) } } } };
};

const createIssue = (site: TrackerSite, input: Record<string, unknown>): Answer => {
  const team = site.state.projects.find(({ id }) => id === input.teamId);
  if (team === undefined || typeof input.title !== 'string') return failure('Argument Validation Error', 'INPUT_ERROR');
  if (findTicket(site, String(input.id))) return failure('Entity with this id already exists', 'INPUT_ERROR');
  const ticket = addTicket(site.state, {
    project: team.key,
    title: input.title,
    text: String(input.description ?? ''),
    id: String(input.id ?? randomUUID()),
  });
  site.save();
  site.notify('created', ticket);
  return { issueCreate: { success: true, issue: issueObject(site, ticket) } };
};

const updateIssue = (site: TrackerSite, { id = '', input = {} }: Variables): Answer => {
  const ticket = findTicket(site, id);
  const status = statusNames.find((name) => stateIds[name] === input.stateId);
  if (ticket === undefined || status === undefined) return failure('Entity not found: Issue', 'INPUT_ERROR');
  changeTicket(site, ticket, { status });
  return { issueUpdate: { success: true } };
};

const createWebhook = (site: TrackerSite, { url, secret }: Record<string, unknown>): Answer => {
  if (!site.state.mayHook) return failure('Admin permission required', 'FORBIDDEN');
  const webhook = { id: randomUUID(), url: String(url), secret: String(secret) };
  site.state.webhooks.push(webhook);
  site.save();
  return { webhookCreate: { success: true, webhook: { id: webhook.id } } };
};

const deleteWebhook = (site: TrackerSite, id: string | undefined): Answer => {
  const at = site.state.webhooks.findIndex((webhook) => webhook.id === id);
  if (at < 0) return failure('Entity not found: Webhook', 'INPUT_ERROR');
  site.state.webhooks.splice(at, 1);
  site.save();
  return { webhookDelete: { success: true } };
};

const statusNames: readonly TicketStatus[] = ['To Do', 'In Progress', 'Done'];
const stateIds: Record<TicketStatus, string> = { 'To Do': 'st-1', 'In Progress': 'st-2', Done: 'st-3' };
const stateTypes: Record<TicketStatus, string> = { 'To Do': 'unstarted', 'In Progress': 'started', Done: 'completed' };

const states = ({ state }: TrackerSite) =>
  statusNames
    .filter((name) => state.mayClose || name !== 'Done')
    .map((name, position) => ({ id: stateIds[name], name, type: stateTypes[name], position }));

const issueObject = (site: TrackerSite, ticket: Ticket) => ({
  id: ticket.id,
  identifier: ticket.key,
  title: ticket.title,
  url: `${site.url()}/issue/${ticket.key}`,
  createdAt: ticket.createdAt,
  trashed: null,
  state: { name: ticket.status, type: stateTypes[ticket.status] },
  assignee: userOf(site, ticket.assignee) ?? null,
});

const historyObject = ({ id, at, field, from, to }: TicketChange) => {
  const named = (value: string | null) => (value === null ? null : { name: value });
  const identified = (value: string | null) => (value === null ? null : { id: value });
  return {
    id,
    createdAt: at,
    fromState: field === 'status' ? named(from) : null,
    toState: field === 'status' ? named(to) : null,
    fromAssignee: field === 'assignee' ? identified(from) : null,
    toAssignee: field === 'assignee' ? identified(to) : null,
  };
};

const pageOf = <Node extends { id: string }>(
  site: TrackerSite,
  nodes: readonly Node[],
  after: string | null | undefined,
) => {
  const isRepeated = Boolean(after) && site.repeats > 0;
  if (isRepeated) site.repeats -= 1;
  const from = isRepeated ? 0 : nodes.findIndex(({ id }) => id === after) + 1;
  const page = nodes.slice(from, from + pageSize);
  return {
    nodes: page,
    pageInfo: { hasNextPage: from + page.length < nodes.length, endCursor: page.at(-1)?.id ?? null },
  };
};
