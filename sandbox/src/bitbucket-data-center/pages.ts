import type { FastifyInstance, FastifyReply } from 'fastify';
import { fullName, peopleOf } from '../github/host.ts';
import { html, sendPage } from '../github/page.ts';
import { createToken, type DataCenter, dataCenterPath, projectKeyOf, slugOf } from './instance.ts';

export const tokenPath = `${dataCenterPath}/plugins/servlet/access-tokens/manage`;
const mostPeople = 60;

type OfRepository = { Params: { key: string; slug: string; '*': string } };

/** The targets of links, and the page for creating access tokens. */
export const dataCenterPages = (server: FastifyInstance, dataCenter: DataCenter): void => {
  const { host } = dataCenter;
  const pageOf = (one: (typeof host.repositories)[number]): string =>
    `${dataCenterPath}/projects/${projectKeyOf(one.owner)}/repos/${slugOf(one)}/browse`;
  server.get(dataCenterPath, async (_, reply) => {
    const body = html`
<p>A Bitbucket Data Center over the same repositories, with the same people.</p>
<h2>Repositories</h2>
<ul>${host.repositories.map((one) => html`<li><a href="${pageOf(one)}">${fullName(one)}</a></li>`)}</ul>
<h2>Access</h2>
<ul><li><a href="${tokenPath}">HTTP access tokens</a></li></ul>`;
    return sendPage(reply, 'Bitbucket Data Center', body);
  });
  server.get(tokenPath, async (_, reply) => {
    const body = html`
<p>A token acts in the name of the person who made it. Here you choose who that is.</p>
<form method="post" action="${tokenPath}">
<label class="stacked">Person<select name="login">${peopleOf(host)
      .slice(0, mostPeople)
      .map(({ login, name }) => html`<option value="${login}">${name} (${login})</option>`)}</select></label>
<label class="stacked">Repository permissions<select name="permission"><option value="REPO_ADMIN">Repository admin</option><option value="REPO_READ">Repository read</option></select></label>
<button class="main">Create</button>
</form>`;
    return sendPage(reply, 'HTTP access tokens', body);
  });
  server.post<{ Body: { login?: string; permission?: string } }>(tokenPath, async ({ body }, reply) => {
    const user = peopleOf(host).find(({ login }) => login === body.login);
    if (user === undefined) return sendPage(reply, 'Not found', html`<p>No account has this name.</p>`, 404);
    const token = createToken(dataCenter, user, body.permission === 'REPO_READ' ? 'REPO_READ' : 'REPO_ADMIN');
    return sendPage(reply, 'Your new access token', html`<p>It is shown once: <code id="token">${token}</code></p>`);
  });
  // Redirects to the same pages of the sandbox's GitHub.
  const redirect = (
    { key, slug, '*': rest = '' }: OfRepository['Params'],
    isPersonal: boolean,
    reply: FastifyReply,
  ) => {
    const wanted = `${isPersonal ? '~' : ''}${key}`.toLowerCase();
    const found = host.repositories.find(
      (one) => projectKeyOf(one.owner).toLowerCase() === wanted && slugOf(one) === slug,
    );
    if (found === undefined) return sendPage(reply, 'Not found', html`<p>No such repository.</p>`, 404);
    const pull = /^pull-requests\/(\d+)/.exec(rest)?.[1];
    return reply.redirect(`/${fullName(found)}${pull === undefined ? '' : `/pull/${pull}`}`, 302);
  };
  server.get<OfRepository>(`${dataCenterPath}/projects/:key/repos/:slug/*`, async ({ params }, reply) =>
    redirect(params, false, reply),
  );
  server.get<OfRepository>(`${dataCenterPath}/users/:key/repos/:slug/*`, async ({ params }, reply) =>
    redirect(params, true, reply),
  );
};
