import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import {
  addTicket,
  changeTicket,
  findTicket,
  pageSize,
  siteEmail,
  statuses,
  type Ticket,
  type TicketChange,
  type TicketStatus,
  type TrackerSite,
  tokenOf,
  userOf,
} from './site.ts';

type IssueRoute = { Params: { id: string } };
type Paged = { Querystring: { startAt?: string; maxResults?: string; expand?: string; fields?: string } };
type IssueBody = {
  Body: {
    fields?: {
      project?: { key?: string };
      issuetype?: { name?: string };
      summary?: string;
      description?: unknown;
      labels?: string[];
    };
  };
};

const types = ['Task', 'Bug'];

/** The part of the REST API of Jira that reads and changes issues: v3 of Jira Cloud, v2 of Jira Data Center. */
export const jiraRoutes = (server: FastifyInstance, site: TrackerSite): void => {
  const isCloud = site.kind === 'jira-cloud';
  const api = isCloud ? '/rest/api/3' : '/rest/api/2';
  const { state } = site;
  server.addHook('preHandler', async (request, reply) => {
    if (isSignedIn(site, request)) return;
    return reply
      .code(401)
      .header('www-authenticate', 'OAuth realm="sandbox"')
      .send({ errorMessages: ['Client must be authenticated to access this resource.'], errors: {} });
  });
  server.get(`${api}/myself`, async () => userJson(site, state.users[0]?.id ?? null));
  server.get<{ Querystring: { accountId?: string; key?: string } }>(`${api}/user`, async ({ query }, reply) => {
    const found = userJson(site, query.accountId ?? query.key ?? null);
    return found ?? notFound(reply, 'The user does not exist.');
  });
  const projectsJson = () =>
    state.projects.map((project) => ({
      ...project,
      self: `${site.url()}${api}/project/${project.id}`,
      issueTypes: [...types, 'Sub-task'].map((name, id) => ({ id: String(id), name, subtask: name === 'Sub-task' })),
    }));
  if (isCloud) {
    server.get<Paged>(`${api}/project/search`, async ({ query }) =>
      pageOf(site, projectsJson(), Number(query.startAt ?? 0)),
    );
    server.post<{ Body: { issueIdsOrKeys?: string[] } }>(`${api}/issue/bulkfetch`, async ({ body }) => ({
      issues: (body.issueIdsOrKeys ?? []).flatMap((id) => {
        const ticket = findTicket(site, id);
        return ticket ? [issueJson(site, ticket)] : [];
      }),
      issueErrors: [],
    }));
    server.get<IssueRoute & Paged>(`${api}/issue/:id/changelog`, async ({ params, query }, reply) => {
      const ticket = findTicket(site, params.id);
      if (ticket === undefined) return noIssue(reply);
      return pageOf(
        site,
        ticket.history.map((change) => historyJson(site, change)),
        Number(query.startAt ?? 0),
      );
    });
    server.get<{ Querystring: { jql?: string } }>(`${api}/search/jql`, async ({ query }) => ({
      issues: searched(site, query.jql).map((ticket) => issueJson(site, ticket)),
      isLast: true,
    }));
  } else {
    server.get(`${api}/project`, async () => projectsJson());
    server.get<{ Querystring: { jql?: string } }>(`${api}/search`, async ({ query }) => {
      const issues = searched(site, query.jql).map((ticket) => issueJson(site, ticket));
      return { startAt: 0, maxResults: 50, total: issues.length, issues };
    });
  }
  server.get<IssueRoute & Paged>(`${api}/issue/:id`, async ({ params, query }, reply) => {
    const ticket = findTicket(site, params.id);
    if (ticket === undefined) return noIssue(reply);
    const histories = ticket.history.map((change) => historyJson(site, change));
    const changelog = { startAt: 0, maxResults: histories.length, total: histories.length, histories };
    return { ...issueJson(site, ticket), ...(query.expand === 'changelog' && { changelog }) };
  });
  server.post<IssueBody>(`${api}/issue`, async ({ body: { fields = {} } }, reply) => {
    const problems = problemsOf(site, fields);
    if (Object.keys(problems).length > 0) return reply.code(400).send({ errorMessages: [], errors: problems });
    const ticket = addTicket(state, {
      project: fields.project?.key ?? '',
      title: fields.summary ?? '',
      type: fields.issuetype?.name ?? 'Task',
      text: textIn(fields.description),
      labels: fields.labels ?? [],
    });
    site.save();
    site.notify('created', ticket);
    return reply.code(201).send({ id: ticket.id, key: ticket.key, self: `${site.url()}${api}/issue/${ticket.id}` });
  });
  server.get<IssueRoute>(`${api}/issue/:id/transitions`, async ({ params }, reply) => {
    const ticket = findTicket(site, params.id);
    if (ticket === undefined) return noIssue(reply);
    return { transitions: stepsOf(site).map((status) => ({ ...transitionOf(status), to: statusJson(status) })) };
  });
  server.post<IssueRoute & { Body: { transition?: { id?: string } } }>(
    `${api}/issue/:id/transitions`,
    async ({ params, body }, reply) => {
      const ticket = findTicket(site, params.id);
      const status = stepsOf(site).find((one) => transitionOf(one).id === body.transition?.id);
      if (ticket === undefined) return noIssue(reply);
      if (status === undefined) return reply.code(400).send({ errorMessages: ['Invalid transition.'], errors: {} });
      changeTicket(site, ticket, { status });
      return reply.code(204).send();
    },
  );
  hookRoutes(server, site);
};

const hookRoutes = (server: FastifyInstance, site: TrackerSite): void => {
  const { state } = site;
  const path = '/rest/webhooks/1.0/webhook';
  server.post<{ Body: { url?: string; secret?: string } }>(path, async ({ body }, reply) => {
    if (!state.mayHook) return reply.code(403).send({ errorMessages: ['Only administrators can do this.'] });
    const id = String(state.webhooks.reduce((last, hook) => Math.max(last, Number(hook.id)), 0) + 1);
    state.webhooks.push({ id, url: body.url ?? '', secret: body.secret ?? '' });
    site.save();
    return reply
      .code(201)
      .send({ name: 'Sightline', url: body.url, enabled: true, self: `${site.url()}${path}/${id}` });
  });
  server.delete<IssueRoute>(`${path}/:id`, async ({ params }, reply) => {
    const at = state.webhooks.findIndex(({ id }) => id === params.id);
    if (at < 0) return notFound(reply, 'The webhook does not exist.');
    state.webhooks.splice(at, 1);
    site.save();
    return reply.code(204).send();
  });
};

const isSignedIn = (site: TrackerSite, { headers }: FastifyRequest): boolean => {
  const token = tokenOf(site);
  if (site.kind === 'jira-data-center') return headers.authorization === `Bearer ${token}`;
  return headers.authorization === `Basic ${Buffer.from(`${siteEmail}:${token}`).toString('base64')}`;
};

const notFound = (reply: FastifyReply, message: string) =>
  reply.code(404).send({ errorMessages: [message], errors: {} });
const noIssue = (reply: FastifyReply) =>
  notFound(reply, 'Issue does not exist or you do not have permission to see it.');

const pageOf = <Item>(site: TrackerSite, items: readonly Item[], startAt: number) => {
  const isRepeated = startAt > 0 && site.repeats > 0;
  if (isRepeated) site.repeats -= 1;
  const from = isRepeated ? 0 : startAt;
  const values = items.slice(from, from + pageSize);
  return {
    startAt: from,
    maxResults: pageSize,
    total: items.length,
    isLast: from + values.length >= items.length,
    values,
  };
};

const categories = { 'To Do': 'new', 'In Progress': 'indeterminate', Done: 'done' } as const;

const statusJson = (status: TicketStatus) => ({
  id: String(statuses.indexOf(status) + 1),
  name: status,
  statusCategory: { id: statuses.indexOf(status) + 2, key: categories[status], name: status },
});

const stepsOf = ({ state }: TrackerSite): TicketStatus[] =>
  statuses.filter((status) => state.mayClose || status !== 'Done');
const transitionOf = (status: TicketStatus) => ({ id: String(11 + statuses.indexOf(status)), name: status });

const userJson = (site: TrackerSite, id: string | null) => {
  const user = userOf(site, id);
  if (user === undefined) return null;
  const { name: displayName, email: emailAddress } = user;
  return site.kind === 'jira-cloud'
    ? { accountId: user.id, accountType: 'atlassian', displayName, emailAddress, active: true }
    : { key: user.id, name: user.id, displayName, emailAddress, active: true };
};

const issueJson = (site: TrackerSite, ticket: Ticket) => ({
  id: ticket.id,
  key: ticket.key,
  self: `${site.url()}/rest/api/2/issue/${ticket.id}`,
  fields: {
    summary: ticket.title,
    status: statusJson(ticket.status),
    issuetype: { id: String(types.indexOf(ticket.type)), name: ticket.type, subtask: false },
    assignee: userJson(site, ticket.assignee),
    // Jira writes the offset without a colon.
    created: ticket.createdAt.replace('Z', '+0000'),
    labels: ticket.labels,
  },
});

const historyJson = (site: TrackerSite, { id, at, field, from, to }: TicketChange) => ({
  id,
  created: at.replace('Z', '+0000'),
  items: [
    field === 'status'
      ? { field, from: String(statuses.indexOf(from as TicketStatus) + 1), fromString: from, toString: to }
      : { field, from, fromString: userOf(site, from)?.name ?? null, to, toString: userOf(site, to)?.name ?? null },
  ],
});

const problemsOf = ({ state }: TrackerSite, fields: NonNullable<IssueBody['Body']['fields']>) => ({
  ...(!state.projects.some(({ key }) => key === fields.project?.key) && { project: 'valid project is required' }),
  ...(!types.includes(fields.issuetype?.name ?? '') && { issuetype: 'Specify a valid issue type' }),
  ...(!fields.summary && { summary: 'You must specify a summary of the issue.' }),
});

/** Only the search for a label in a project. */
const searched = ({ state }: TrackerSite, jql = ''): Ticket[] => {
  const [, project, label] = /^project = "([^"]+)" AND labels = "([^"]+)"$/.exec(jql) ?? [];
  return state.tickets.filter((ticket) => ticket.project === project && ticket.labels.includes(label ?? ''));
};

/** The text of a document in the Atlassian Document Format, or plain text. */
const textIn = (value: unknown): string => {
  if (typeof value === 'string') return value;
  if (value === null || typeof value !== 'object') return '';
  const { text, content } = value as { text?: string; content?: unknown[] };
  return [text ?? '', ...(content ?? []).map(textIn)].filter((one) => one !== '').join('\n');
};
