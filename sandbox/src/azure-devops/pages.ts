import type { FastifyInstance } from 'fastify';
import { fullName, peopleOf } from '../github/host.ts';
import { html, sendPage } from '../github/page.ts';
import { type AzureDevops, collectionPath, createToken, type TokenScope } from './collection.ts';

const pagesPath = '/azure-devops';
export const tokenPath = `${pagesPath}/tokens`;
const mostPeople = 60;
/** The choices of the page: everything, or what is needed without service hooks, statuses and comments. */
const reading: TokenScope[] = ['code', 'identity', 'security'];

/** The pages of repositories, and the page for creating personal access tokens. */
export const azureDevopsPages = (server: FastifyInstance, azureDevops: AzureDevops): void => {
  const { host } = azureDevops;
  server.get(pagesPath, async (_, reply) => {
    const body = html`
<p>An Azure DevOps over the same repositories, with the same people. Its collection is <code>${host.url}${collectionPath}</code>.</p>
<h2>Repositories</h2>
<ul>${host.repositories.map((one) => html`<li><a href="/${fullName(one)}">${fullName(one)}</a></li>`)}</ul>
<h2>Access</h2>
<ul><li><a href="${tokenPath}">Personal access tokens</a></li></ul>`;
    return sendPage(reply, 'Azure DevOps', body);
  });
  server.get(tokenPath, async (_, reply) => {
    const body = html`
<p>A token acts in the name of the person who made it. Here you choose who that is.</p>
<form method="post" action="${tokenPath}">
<label class="stacked">Person<select name="login">${peopleOf(host)
      .slice(0, mostPeople)
      .map(({ login, name }) => html`<option value="${login}">${name} (${login})</option>`)}</select></label>
<label class="stacked">Scopes<select name="scope"><option value="full">Full access</option><option value="read">Read</option></select></label>
<button class="main">Create</button>
</form>`;
    return sendPage(reply, 'Personal access tokens', body);
  });
  server.post<{ Body: { login?: string; scope?: string } }>(tokenPath, async ({ body }, reply) => {
    const user = peopleOf(host).find(({ login }) => login === body.login);
    if (user === undefined) return sendPage(reply, 'Not found', html`<p>No account has this name.</p>`, 404);
    const token = createToken(azureDevops, user, body.scope === 'read' ? reading : ['full']);
    return sendPage(reply, 'Your new token', html`<p>It is shown once: <code id="token">${token}</code></p>`);
  });
  // Redirects to the same pages of the sandbox's GitHub.
  const redirect = `${collectionPath}/:project/_git/:repo`;
  for (const path of [redirect, `${redirect}/*`]) {
    server.get<{ Params: { project: string; repo: string; '*'?: string } }>(path, async ({ params }, reply) => {
      const name = `${params.project}/${params.repo}`;
      if (!host.repositories.some((one) => fullName(one) === name))
        return sendPage(reply, 'Not found', html`<p>No such repository.</p>`, 404);
      const rest = params['*'] === undefined ? '' : `/${params['*'].replace(/^pullrequest\//, 'pull/')}`;
      return reply.redirect(`/${name}${rest}`, 302);
    });
  }
};
