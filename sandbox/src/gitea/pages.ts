import type { FastifyInstance } from 'fastify';
import { fullName, peopleOf } from '../github/host.ts';
import { html, sendPage } from '../github/page.ts';
import { createToken, type Gitea, type GiteaScope, giteaPath } from './instance.ts';

export const tokenPath = `${giteaPath}/user/settings/applications`;
const mostPeople = 60;
/** The choices of the page: everything, or what is needed without webhooks, statuses and comments. */
const reading: GiteaScope[] = ['read:repository', 'read:organization', 'read:user', 'read:issue'];

/** The targets of html_url, and the page for creating access tokens. */
export const giteaPages = (server: FastifyInstance, gitea: Gitea): void => {
  const { host } = gitea;
  server.get(giteaPath, async (_, reply) => {
    const body = html`
<p>A Forgejo or Gitea over the same repositories, with the same people.</p>
<h2>Repositories</h2>
<ul>${host.repositories.map((one) => html`<li><a href="${giteaPath}/${fullName(one)}">${fullName(one)}</a></li>`)}</ul>
<h2>Access</h2>
<ul><li><a href="${tokenPath}">Access tokens</a></li></ul>`;
    return sendPage(reply, 'Forgejo / Gitea', body);
  });
  server.get(tokenPath, async (_, reply) => {
    const body = html`
<p>A token acts in the name of the person who made it. Here you choose who that is.</p>
<form method="post" action="${tokenPath}">
<label class="stacked">Person<select name="login">${peopleOf(host)
      .slice(0, mostPeople)
      .map(({ login, name }) => html`<option value="${login}">${name} (${login})</option>`)}</select></label>
<label class="stacked">Permissions<select name="scope"><option value="all">Read and write</option><option value="read">Read</option></select></label>
<button class="main">Generate token</button>
</form>`;
    return sendPage(reply, 'Access tokens', body);
  });
  server.post<{ Body: { login?: string; scope?: string } }>(tokenPath, async ({ body }, reply) => {
    const user = peopleOf(host).find(({ login }) => login === body.login);
    if (user === undefined) return sendPage(reply, 'Not found', html`<p>No account has this name.</p>`, 404);
    const token = createToken(gitea, user, body.scope === 'read' ? reading : ['all']);
    return sendPage(reply, 'Your new access token', html`<p>It is shown once: <code id="token">${token}</code></p>`);
  });
  // Redirects to the same pages of the sandbox's GitHub.
  server.get<{ Params: { '*': string } }>(`${giteaPath}/*`, async (request, reply) => {
    const requested = request.params['*'];
    const repository = host.repositories.find(
      (one) => requested === fullName(one) || requested.startsWith(`${fullName(one)}/`),
    );
    if (repository === undefined) return sendPage(reply, 'Not found', html`<p>No such repository.</p>`, 404);
    return reply.redirect(`/${requested.replace('/pulls/', '/pull/')}`, 302);
  });
};
