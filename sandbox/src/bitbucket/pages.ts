import type { FastifyInstance } from 'fastify';
import type { User } from '../git/users.ts';
import { accountsOf, peopleOf } from '../github/host.ts';
import { html, sendPage } from '../github/page.ts';
import { type Bitbucket, createApiToken, createWorkspaceToken } from './bitbucket.ts';
import { slugOf } from './responses/account.ts';

type RepositoryRoute = { Params: { workspace: string; slug: string; '*': string } };

/** The pages for creating tokens, and the targets of links to repositories, commits and pull requests. */
export const bitbucketPages = (server: FastifyInstance, bitbucket: Bitbucket): void => {
  const { host } = bitbucket;
  const path = '/account/api-tokens';

  server.get('/', async (_, reply) => reply.redirect(`${bitbucket.url}${path}`, 302));
  server.get(path, async (_, reply) => sendPage(reply, 'Bitbucket tokens', tokensPage(bitbucket)));
  server.post<{ Body: { login?: string; workspace?: string } }>(path, async ({ body }, reply) => {
    const user = host.users.byLogin.get((body.login ?? '').toLowerCase());
    const account = accountsOf(host).find(({ login }) => slugOf(login) === body.workspace);
    if (user === undefined && account === undefined) {
      return sendPage(reply, 'Not found', html`<p>No account or workspace has this name.</p>`, 404);
    }
    const token =
      user === undefined
        ? createWorkspaceToken(bitbucket, slugOf(account?.login ?? ''))
        : createApiToken(bitbucket, user);
    const mail = user?.emails[0];
    const page = html`
<p>Copy it now: Bitbucket shows a token once.</p>
${mail === undefined ? undefined : html`<p>Email <code>${mail}</code></p>`}
<p>Token <code>${token}</code></p>
<p><a href="${bitbucket.url}${path}">Back</a></p>`;
    return sendPage(reply, user === undefined ? 'Workspace access token' : 'API token', page);
  });
  server.get<RepositoryRoute>('/:workspace/:slug/*', async ({ params }, reply) => {
    const repository = host.repositories.find(
      ({ owner, name }) => slugOf(owner.login) === params.workspace && slugOf(name) === params.slug,
    );
    if (repository === undefined) return sendPage(reply, 'Not found', html`<p>No such repository.</p>`, 404);
    const githubPath = params['*'].replace(/^pull-requests\//, 'pull/').replace(/^commits\//, 'commit/');
    return reply.redirect(
      `${host.url}/${repository.owner.login}/${repository.name}/${githubPath}`.replace(/\/$/, ''),
      302,
    );
  });
};

const tokensPage = (bitbucket: Bitbucket) => html`
<p>The same people and repositories as on the sandbox's GitHub, in the words of Bitbucket Cloud. A token reaches workspaces,
repositories and pull requests, and may make webhooks.</p>
<form method="post"><fieldset><legend>Access token of a workspace</legend>
<div class="people">${accountsOf(bitbucket.host).map(
  ({ login }) => html`<button name="workspace" value="${slugOf(login)}">${slugOf(login)}</button>`,
)}</div></fieldset></form>
<form method="post"><fieldset><legend>API token of a person</legend>
<div class="people">${peopleOf(bitbucket.host)
  .filter(hasAddress)
  .slice(0, mostPeople)
  .map(
    ({ login, name }) => html`<button name="login" value="${login}">${login}<small>${name}</small></button>`,
  )}</div></fieldset></form>`;

const hasAddress = ({ emails }: User): boolean => emails.length > 0;
const mostPeople = 60;
