import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { User } from '../git/users.ts';
import { accountsOf, type Host, type Installation, peopleOf } from './host.ts';
import type { GithubAccount, HostedRepository } from './hosted-repository.ts';
import { install, type Selection } from './installations.ts';
import { issueCode, withQuery } from './oauth.ts';
import { type Html, html, sendPage } from './page.ts';

type InstallQuery = { state?: string; target_id?: string };
type Form = InstallQuery & {
  account?: string;
  selection?: string;
  repository?: string | string[];
  login?: string;
  action?: string;
};

/** The page where a user installs the app, at the URLs of GitHub and of an Enterprise Server. */
export const installPages = (server: FastifyInstance, host: Host): void => {
  const show = async (request: FastifyRequest, reply: FastifyReply) => {
    const { slug } = request.params as { slug: string };
    if (slug !== host.app.slug) return sendPage(reply, 'Not found', html`<p>No app is called ${slug}.</p>`, 404);
    return sendPage(reply, 'Install Sightline', page(host, request.query as InstallQuery));
  };
  const confirm = async (request: FastifyRequest, reply: FastifyReply) => {
    const form = request.body as Form;
    const account = accountsOf(host).find(({ id }) => String(id) === form.account);
    const user = host.users.byLogin.get((form.login ?? '').toLowerCase());
    const chosen = selectionOf(form.selection, form.repository);
    if (account === undefined || user === undefined || chosen === undefined) {
      return sendPage(
        reply,
        'Install Sightline',
        page(host, form, 'Choose who you are and at least one repository.'),
        422,
      );
    }
    const { setupUrl = host.app.callbackUrl } = host.app;
    if (form.action === 'request' && setupUrl !== undefined) {
      return reply.redirect(withQuery(setupUrl, { setup_action: 'request', state: form.state }), 303);
    }
    const isUpdate = installedOn(host, account) !== undefined;
    const { id } = install(host, account, chosen, user);
    if (setupUrl === undefined) return reply.redirect(`/settings/installations/${id}`, 303);
    const setup = { installation_id: String(id), setup_action: isUpdate ? 'update' : 'install' };
    // With "Request user authorization during installation", GitHub adds a code for the installing user.
    return reply.redirect(withQuery(setupUrl, { code: issueCode(host, user), ...setup, state: form.state }), 303);
  };
  for (const prefix of ['/apps/:slug', '/github-apps/:slug']) {
    for (const path of ['/installations/new', '/installations/new/permissions', '/installations/select_target']) {
      server.get(`${prefix}${path}`, show);
      server.post(`${prefix}${path}`, confirm);
    }
  }
};

/** The selection in a form; undefined if "only some" has no repositories. */
export const selectionOf = (
  selection: string | undefined,
  repository: string | string[] | undefined,
): Selection | undefined => {
  if (selection !== 'selected') return 'all';
  const ids = [repository ?? []].flat().map(Number).filter(Number.isSafeInteger);
  return ids.length === 0 ? undefined : ids;
};

/** Radio buttons and checkboxes for the repositories of an installation. */
export const selectionFields = (repositories: HostedRepository[], known: Installation | undefined): Html => html`
<fieldset><legend>Repositories</legend>
<label><input type="radio" name="selection" value="all" ${checked(known?.selection !== 'selected')}>All repositories, also those added later</label>
<label><input type="radio" name="selection" value="selected" ${checked(known?.selection === 'selected')}>Only these:</label>
<div class="nested">${repositories.map(
  ({ id, name }) =>
    html`<label><input type="checkbox" name="repository" value="${id}" ${checked(known?.selected.has(id))}>${name}</label>`,
)}</div></fieldset>`;

export const personField = (people: User[], chosen?: string): Html => html`
<label class="stacked">You are<select name="login">${people.map(
  ({ login, name }) =>
    html`<option value="${login}" ${{ html: login === chosen ? 'selected' : '' }}>${login} (${name})</option>`,
)}</select></label>`;

const installedOn = (host: Host, account: GithubAccount): Installation | undefined =>
  [...host.installations.values()].find((installation) => installation.account.id === account.id);

const checked = (is: boolean | undefined): Html => ({ html: is ? 'checked' : '' });

const page = (host: Host, query: InstallQuery, problem?: string): Html => {
  const people = peopleOf(host);
  const accounts = accountsOf(host).filter(({ id }) => !query.target_id || String(id) === query.target_id);
  return html`
<p>Sightline asks to read code, pull requests, actions, members and security alerts. It cannot write.</p>
${problem === undefined ? undefined : html`<p role="alert">${problem}</p>`}
${accounts.map((account) => {
  const known = installedOn(host, account);
  const repositories = host.repositories.filter(({ owner }) => owner.id === account.id);
  return html`<form method="post" aria-labelledby="account-${account.id}">
<h2 id="account-${account.id}" style="margin-top:0">${account.login}</h2>
<input type="hidden" name="account" value="${account.id}"><input type="hidden" name="state" value="${query.state ?? ''}">
${selectionFields(repositories, known)}
${personField(people, known?.installedBy?.login)}
<div class="row"><button class="main" name="action" value="install">${known === undefined ? 'Install' : 'Save'}</button>
${known === undefined ? html`<button name="action" value="request">Only ask the owner to install it</button>` : undefined}</div>
</form>`;
})}`;
};
