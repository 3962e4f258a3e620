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
} from '#providers/tracker.ts';
import { createTrackerTransport } from '../transport.ts';
import {
  categoryOf,
  type HistoryNode,
  history,
  issueFields,
  pageInfo,
  parsePerson,
  parseTicket,
  stepsOf,
} from './shapes.ts';

type Ask = (query: string, variables?: object, isRepeatable?: boolean) => Promise<Record<string, unknown>>;

const graphqlError = z.object({
  message: z.string(),
  extensions: z.object({ code: z.string().optional(), type: z.string().optional() }).optional(),
});
const answer = z.object({
  data: z.record(z.string(), z.unknown()).nullish(),
  errors: z.array(graphqlError).optional(),
});

const RATE_LIMIT_WAIT_MS = 60_000;
const MAX_IDS = 50;

/** Linear reports rate limits as GraphQL errors with status 400. */
const limitedUntil = (status: number, body: string): Date | undefined =>
  status === 400 && body.includes('"RATELIMITED"') ? new Date(Date.now() + RATE_LIMIT_WAIT_MS) : undefined;

function createAsk(outbound: Outbound, { baseURL, token }: TrackerConnection, budget: HostBudget | undefined): Ask {
  // Keys of users are sent as they are, OAuth tokens as Bearer.
  const authorization = token.startsWith('lin_oauth_') ? `Bearer ${token}` : token;
  const call = createTrackerTransport({
    outbound,
    baseURL,
    budget,
    headers: { authorization },
    limitedUntil,
    rateLimitPrefix: 'x-none-',
  });
  return async (query, variables = {}, isRepeatable = true) => {
    const { data, errors = [] } = answer.parse(
      await call('/graphql', { method: 'POST', body: { query, variables }, isRepeatable }),
    );
    const [error] = errors;
    if (error) throw new HostRefused(statusOf(error), `Linear: ${error.message}`.slice(0, 300));
    return data ?? {};
  };
}

const statusOf = ({ message, extensions }: z.infer<typeof graphqlError>): number => {
  const { code } = extensions ?? {};
  if (code === 'AUTHENTICATION_ERROR') return 401;
  if (code === 'FORBIDDEN') return 403;
  return /not found/i.test(message) ? 404 : 400;
};

/** Reads a list with cursors. Throws HostFailed for a page that only repeats known items. */
async function readAll<Node extends { id: string }>(
  read: (after: string | null) => Promise<{ nodes: readonly Node[]; pageInfo: z.infer<typeof pageInfo> }>,
): Promise<Node[]> {
  const found = new Map<string, Node>();
  let after: string | null = null;
  for (;;) {
    const before = found.size;
    const page = await read(after);
    for (const node of page.nodes) found.set(node.id, node);
    if (!page.pageInfo.hasNextPage) return [...found.values()];
    if (found.size === before) throw new HostFailed('Linear returned the same page twice.');
    after = page.pageInfo.endCursor;
  }
}

const teams = z.object({
  teams: z.object({ nodes: z.array(z.object({ id: z.string(), key: z.string(), name: z.string() })), pageInfo }),
});

const listTeams = (ask: Ask) =>
  readAll(
    async (after) =>
      teams.parse(
        await ask(
          'query($after: String) { teams(first: 100, after: $after) { nodes { id key name } pageInfo { hasNextPage endCursor } } }',
          { after },
        ),
      ).teams,
  );

const issuesAnswer = z.object({ issues: z.object({ nodes: z.array(z.unknown()) }) });
const historyAnswer = z.object({ issue: z.object({ history }) });
const statesAnswer = z.object({
  issue: z.object({
    team: z.object({
      states: z.object({ nodes: z.array(z.object({ id: z.string(), type: z.string(), position: z.number() })) }),
    }),
  }),
});

function openLinear(outbound: Outbound, connection: TrackerConnection, budget?: HostBudget): IssueTracker {
  const ask = createAsk(outbound, connection, budget);
  const find = async (id: string) => {
    const { issue } = await ask(`query($id: String!) { issue(id: $id) { ${issueFields} } }`, { id }).catch(
      noneIfAbsent,
    );
    return issue ? parseTicket(issue) : undefined;
  };
  return {
    look: async () => ({ account: parsePerson((await ask('{ viewer { id name email } }')).viewer).name }),
    projects: async () => (await listTeams(ask)).map(({ key, name }): TrackerProject => ({ key, name, types: [] })),
    find,
    async findAll(ids) {
      const found = new Map<string, ReturnType<typeof parseTicket>>();
      for (let from = 0; from < ids.length; from += MAX_IDS) {
        const { issues } = issuesAnswer.parse(
          await ask(
            `query($ids: [ID!]) { issues(first: ${MAX_IDS}, includeArchived: true, filter: { id: { in: $ids } }) { nodes { ${issueFields} } } }`,
            { ids: ids.slice(from, from + MAX_IDS) },
          ),
        );
        for (const node of issues.nodes) {
          const ticket = parseTicket(node);
          found.set(ticket.id, ticket);
        }
      }
      return found;
    },
    historyOf: (id) => readSteps(ask, id),
    async person(id) {
      const { user } = await ask('query($id: String!) { user(id: $id) { id name email } }', { id }).catch(noneIfAbsent);
      return user ? parsePerson(user) : undefined;
    },
    async create({ id, isRepeated, project, title, text }) {
      // The ID of the request is the ID of the issue.
      const earlier = isRepeated ? await find(id) : undefined;
      if (earlier) return earlier;
      const team = (await listTeams(ask)).find(({ key }) => key === project);
      if (!team) throw new HostRefused(404, `The token does not see the team ${project}.`);
      const { issueCreate } = await ask(
        `mutation($input: IssueCreateInput!) { issueCreate(input: $input) { success issue { ${issueFields} } } }`,
        { input: { id, teamId: team.id, title, description: text } },
        false,
      );
      return parseTicket((issueCreate as { issue?: unknown } | undefined)?.issue);
    },
    move: ({ id, category }, to) => moveIssue(ask, id, category, to),
    async registerWebhook({ url, secret }) {
      const { webhookCreate } = await ask(
        'mutation($input: WebhookCreateInput!) { webhookCreate(input: $input) { success webhook { id } } }',
        { input: { url, secret, label: 'Sightline', allPublicTeams: true, resourceTypes: ['Issue'] } },
        false,
      );
      return createdWebhook.parse(webhookCreate).webhook.id;
    },
    async deleteWebhook(id) {
      await ask('mutation($id: String!) { webhookDelete(id: $id) { success } }', { id }).catch(noneIfAbsent);
    },
  };
}

const createdWebhook = z.object({ webhook: z.object({ id: z.string() }) });

async function readSteps(ask: Ask, id: string) {
  const fields = 'id createdAt fromState { name } fromAssignee { id } toAssignee { id }';
  const nodes = await readAll<HistoryNode>(async (after) => {
    const query = `query($id: String!, $after: String) { issue(id: $id) { history(first: 100, after: $after) { nodes { ${fields} } pageInfo { hasNextPage endCursor } } } }`;
    return historyAnswer.parse(await ask(query, { id, after })).issue.history;
  });
  return nodes.flatMap(stepsOf);
}

async function moveIssue(ask: Ask, id: string, category: string, to: 'open' | 'done'): Promise<void> {
  if ((category === 'done') === (to === 'done')) return;
  const { issue } = statesAnswer.parse(
    await ask('query($id: String!) { issue(id: $id) { team { states { nodes { id type position } } } } }', { id }),
  );
  // Done means completed, not canceled; open again is the first open state of the team.
  const [state] = issue.team.states.nodes
    .filter(({ type }) => (to === 'done' ? type === 'completed' : categoryOf(type) === 'todo' && type !== 'triage'))
    .toSorted(
      (one, other) =>
        Number(other.type === 'unstarted') - Number(one.type === 'unstarted') || one.position - other.position,
    );
  if (!state) throw new HostRefused(409, 'The team has no such status.');
  await ask('mutation($id: String!, $input: IssueUpdateInput!) { issueUpdate(id: $id, input: $input) { success } }', {
    id,
    input: { stateId: state.id },
  });
}

const noneIfAbsent = (error: unknown): Record<string, undefined> => {
  if (error instanceof HostRefused && error.status === 404) return {};
  throw error;
};

const delivery = z.object({
  action: z.string().max(50).catch(''),
  type: z.string().max(50).catch(''),
  data: z
    .object({ id: z.string().max(100) })
    .optional()
    .catch(undefined),
});

export const connector: TrackerConnector = {
  name: 'linear',
  needsURL: false,
  needsEmail: false,
  defaultURL: 'https://api.linear.app',
  open: openLinear,
  webhook: {
    signatureOf(headers, secret) {
      const digest = headerOf(headers, 'linear-signature');
      return /^[0-9a-f]{64}$/i.test(digest) ? hmacCheck(secret, [Buffer.from(digest, 'hex')]) : undefined;
    },
    deliveryOf: (headers) => headerOf(headers, 'linear-delivery') || undefined,
    parse(body) {
      const { action, type, data } = delivery.parse(body);
      return { event: `${type}.${action}`, ids: type === 'Issue' && data ? [data.id] : [] };
    },
  },
};
