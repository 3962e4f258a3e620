import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import type { FastifyInstance } from 'fastify';
import type { Host } from '../github/host.ts';
import { type Html, html, sendPage } from '../github/page.ts';

type Workflow = {
  id: string;
  /** The channel or chat that its cards are posted in. */
  name: string;
  state: 'on' | 'off' | 'deleted';
  cards: unknown[];
};

/** The workflows "Send webhook alerts" of Microsoft Teams. */
export type TeamsWorkflows = { host: Host; secret: string; workflows: Workflow[]; save: () => void };

export const teamsPath = '/teams';

/** `file`: stores the workflows across restarts. `secret`: signs their URLs. */
export const createWorkflows = (host: Host, secret: string, file: string | undefined): TeamsWorkflows => {
  const workflows: Workflow[] =
    file !== undefined && existsSync(file)
      ? JSON.parse(readFileSync(file, 'utf8'))
      : ['Security', 'Platform', 'Ada Lovelace'].map((name) => ({
          id: createHash('sha256').update(name).digest('hex').slice(0, 32),
          name,
          state: 'on',
          cards: [],
        }));
  const save = (): void => {
    if (file === undefined) return;
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, JSON.stringify(workflows), { mode: 0o600 });
  };
  return { host, secret, workflows, save };
};

const signatureOf = ({ secret }: TeamsWorkflows, id: string): string =>
  createHash('sha256').update(`${secret} workflow ${id}`).digest('base64url');

/** The URL of a workflow, in the format of Power Automate. It contains the right to post. */
export const workflowUrlOf = (teams: TeamsWorkflows, { id }: { id: string }): string =>
  `${teams.host.url}${teamsPath}/workflows/${id}/triggers/manual/paths/invoke?api-version=2016-06-01&sp=%2Ftriggers%2Fmanual%2Frun&sv=1.0&sig=${signatureOf(teams, id)}`;

type Invocation = {
  Params: { id: string };
  Querystring: { sig?: string };
  Body: { type?: string; attachments?: { contentType?: string; content?: unknown }[] } | undefined;
};

/** The trigger of workflows, and the page with their URLs and cards. */
export const teamsRoutes = (server: FastifyInstance, teams: TeamsWorkflows): void => {
  server.post<Invocation>(`${teamsPath}/workflows/:id/triggers/manual/paths/invoke`, async (request, reply) => {
    const { params, query, body } = request;
    const workflow = teams.workflows.find(({ id }) => id === params.id);
    if (workflow === undefined || workflow.state === 'deleted') {
      return reply.code(404).send({ error: { code: 'WorkflowNotFound', message: 'The workflow could not be found.' } });
    }
    if (query.sig !== signatureOf(teams, params.id)) {
      return reply
        .code(401)
        .send({ error: { code: 'DirectApiAuthorizationRequired', message: 'The signature is invalid.' } });
    }
    if (workflow.state === 'off') {
      return reply
        .code(400)
        .send({ error: { code: 'WorkflowTriggerIsNotEnabled', message: 'The workflow is disabled.' } });
    }
    const [first] = body?.attachments ?? [];
    if (
      body?.type !== 'message' ||
      first?.contentType !== 'application/vnd.microsoft.card.adaptive' ||
      !isCard(first.content)
    ) {
      return reply
        .code(400)
        .send({ error: { code: 'InvalidRequestContent', message: 'The body is not a message with a card.' } });
    }
    workflow.cards.push(first.content);
    teams.save();
    return reply.code(202).send();
  });
  server.get(teamsPath, async (_, reply) => sendPage(reply, 'Workflows', page(teams)));
};

const isCard = (content: unknown): boolean =>
  typeof content === 'object' &&
  content !== null &&
  'type' in content &&
  content.type === 'AdaptiveCard' &&
  'version' in content;

const page = (teams: TeamsWorkflows): Html => html`
<p>This stands for the workflows of Microsoft Teams that post a card when a webhook request is received.</p>
${teams.workflows.map(
  (workflow) => html`
<h2>${workflow.name}</h2>
<div class="panel">
<label class="stacked">Workflow URL<input readonly value="${workflowUrlOf(teams, workflow)}"></label>
<p class="dim">${workflow.cards.length} cards, ${workflow.state}</p>
${workflow.cards.slice(-20).map((card) => html`<p>${textsOf(card).join(' ')}</p>`)}
</div>`,
)}`;

const textsOf = (value: unknown): string[] => {
  if (Array.isArray(value)) return value.flatMap(textsOf);
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, inner]) =>
    key === 'text' && typeof inner === 'string' ? [inner] : textsOf(inner),
  );
};

/** Endpoints that Teams does not have, below /_sandbox/teams. */
export const teamsControl = (server: FastifyInstance, teams: TeamsWorkflows): void => {
  server.get('/teams', async () =>
    teams.workflows.map((workflow) => ({ ...workflow, url: workflowUrlOf(teams, workflow) })),
  );
  server.put<{ Body: { id: string; state: Workflow['state'] } }>('/teams/state', async ({ body }) => {
    for (const workflow of teams.workflows) if (workflow.id === body.id) workflow.state = body.state;
    teams.save();
    return { state: body.state };
  });
};
