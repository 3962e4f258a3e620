import type { FastifyInstance } from 'fastify';
import { fullName, peopleOf } from '../github/host.ts';
import type { HostedRepository } from '../github/hosted-repository.ts';
import { html, sendPage } from '../github/page.ts';
import { createToken, type GitlabInstance, type GitlabScope, instancePath, pathOf } from './instance.ts';

/** The targets of web_url, and the page for creating access tokens. */
export const gitlabPages = (server: FastifyInstance, instance: GitlabInstance): void => {
  const { host } = instance;
  const tokenPage = `${instancePath}/-/user_settings/personal_access_tokens`;
  server.get(instancePath, async (_, reply) => {
    const body = html`
<p>A GitLab over the same repositories, with the same people.</p>
<h2>Projects</h2>
<ul>${host.repositories.map((one) => html`<li><a href="${instancePath}/${pathOf(one)}">${pathOf(one)}</a></li>`)}</ul>
<h2>Access</h2>
<ul><li><a href="${tokenPage}">Access tokens</a></li></ul>`;
    return sendPage(reply, 'GitLab', body);
  });
  server.get(tokenPage, async (_, reply) => {
    const body = html`
<p>A token acts in the name of the person who made it. Here you choose who that is.</p>
<form method="post" action="${tokenPage}">
<label class="stacked">Person<select name="login">${peopleOf(host)
      .slice(0, mostPeople)
      .map(({ login, name }) => html`<option value="${login}">${name} (${login})</option>`)}</select></label>
<label class="stacked">Scope<select name="scope"><option value="api">api</option><option value="read_api">read_api</option></select></label>
<button class="main">Create a token</button>
</form>`;
    return sendPage(reply, 'Access tokens', body);
  });
  server.post<{ Body: { login?: string; scope?: string } }>(tokenPage, async ({ body }, reply) => {
    const user = peopleOf(host).find(({ login }) => login === body.login);
    if (user === undefined) return sendPage(reply, 'Not found', html`<p>No account has this name.</p>`, 404);
    const scope: GitlabScope = body.scope === 'read_api' ? 'read_api' : 'api';
    const token = createToken(instance, user, [scope]);
    return sendPage(reply, 'Your new access token', html`<p>It is shown once: <code id="token">${token}</code></p>`);
  });
  // Redirects to the same pages of the sandbox's GitHub.
  server.get<{ Params: { '*': string } }>(`${instancePath}/*`, async (request, reply) => {
    const requestedPath = request.params['*'];
    const repository = host.repositories.find(
      (one) => requestedPath === pathOf(one) || requestedPath.startsWith(`${pathOf(one)}/`),
    );
    if (repository === undefined) return sendPage(reply, 'Not found', html`<p>No such project.</p>`, 404);
    return reply.redirect(`/${fullName(repository)}${githubSuffix(repository, requestedPath)}`, 302);
  });
};

const mostPeople = 60;

const githubSuffix = (repository: HostedRepository, requestedPath: string): string => {
  const [, kind, id] =
    /^\/-\/(merge_requests|commit)\/(\w+)/.exec(requestedPath.slice(pathOf(repository).length)) ?? [];
  return kind === undefined ? '' : `/${kind === 'commit' ? 'commit' : 'pull'}/${id}`;
};
