import type { FastifyInstance } from 'fastify';
import { fullName, peopleOf } from '../github/host.ts';
import { html, sendPage } from '../github/page.ts';
import { createPassword, type Gerrit, gerritPath } from './instance.ts';

export const tokenPath = `${gerritPath}/settings/`;
const mostPeople = 60;

/** The targets of links, and the page that creates HTTP passwords. */
export const gerritPages = (server: FastifyInstance, gerrit: Gerrit): void => {
  const { host } = gerrit;
  server.get(gerritPath, async (_, reply) => {
    const body = html`
<p>A Gerrit over the same repositories, with the same people. Pull requests are changes.</p>
<h2>Projects</h2>
<ul>${host.repositories.map((one) => html`<li><a href="${gerritPath}/admin/repos/${fullName(one)}">${fullName(one)}</a></li>`)}</ul>
<h2>Access</h2>
<ul><li><a href="${tokenPath}">HTTP credentials</a></li></ul>`;
    return sendPage(reply, 'Gerrit', body);
  });
  server.get(tokenPath, async (_, reply) => {
    const body = html`
<p>A password acts in the name of the person who made it. Here you choose who that is.</p>
<form method="post" action="${tokenPath}">
<label class="stacked">Person<select name="login">${peopleOf(host)
      .slice(0, mostPeople)
      .map(({ login, name }) => html`<option value="${login}">${name} (${login})</option>`)}</select></label>
<button class="main">Generate new password</button>
</form>`;
    return sendPage(reply, 'HTTP credentials', body);
  });
  server.post<{ Body: { login?: string } }>(tokenPath, async ({ body }, reply) => {
    const user = peopleOf(host).find(({ login }) => login === body.login);
    if (user === undefined) return sendPage(reply, 'Not found', html`<p>No account has this name.</p>`, 404);
    const password = createPassword(gerrit, user);
    const shown = html`<p>User name: <code>${user.login}</code></p>
<p>The password is shown once: <code id="token">${password}</code></p>`;
    return sendPage(reply, 'New HTTP password', shown);
  });
  // Redirects to the same pages of the sandbox's GitHub.
  server.get<{ Params: { '*': string } }>(`${gerritPath}/*`, async (request, reply) => {
    const [, project, changed, number, browsed, file] =
      /^(?:admin\/repos\/(.+)|c\/(.+)\/\+\/(\d+)|plugins\/gitiles\/(.+?)\/\+\/(.+))$/.exec(request.params['*']) ?? [];
    const name = project ?? changed ?? browsed;
    const repository = host.repositories.find((one) => name === fullName(one));
    if (repository === undefined) return sendPage(reply, 'Not found', html`<p>No such project.</p>`, 404);
    const page = number === undefined ? '' : `/pull/${number}`;
    return reply.redirect(`/${name}${file === undefined ? page : `/blob/${encodeURI(file)}`}`, 302);
  });
};
