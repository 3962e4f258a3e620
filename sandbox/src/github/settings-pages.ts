import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { type Host, type Installation, peopleOf } from './host.ts';
import { personField, selectionFields, selectionOf } from './install-pages.ts';
import { changeSelection, suspend, uninstall, unsuspend } from './installations.ts';
import { html, sendPage } from './page.ts';

type ById = { Params: { id: string } };
type Form = { Body: { action?: string; login?: string; selection?: string; repository?: string | string[] } };

/** The settings page of an installation: repositories, suspension and removal. */
export const settingsPages = (server: FastifyInstance, host: Host): void => {
  const missing = (reply: FastifyReply) =>
    sendPage(reply, 'Not installed', html`<p>There is no such installation, or it was removed.</p>`, 404);

  server.get<ById>('/settings/installations/:id', async (request, reply) => {
    const installation = host.installations.get(Number(request.params.id));
    return installation === undefined ? missing(reply) : sendPage(reply, 'Sightline', page(host, installation));
  });
  server.post<ById & Form>('/settings/installations/:id', async (request, reply) => {
    const installation = host.installations.get(Number(request.params.id));
    const user = host.users.byLogin.get((request.body.login ?? '').toLowerCase()) ?? installation?.installedBy;
    if (installation === undefined || user === undefined) return missing(reply);
    const { action, selection, repository } = request.body;
    const chosen = selectionOf(selection, repository);
    if (action === 'suspend') suspend(host, installation, user);
    if (action === 'unsuspend') unsuspend(host, installation, user);
    if (action === 'uninstall') uninstall(host, installation, user);
    if (action === 'save' && chosen === undefined) {
      return sendPage(reply, 'Sightline', page(host, installation, 'Choose at least one repository.'), 422);
    }
    if (action === 'save' && chosen !== undefined) changeSelection(host, installation, chosen, user);
    return reply.redirect(action === 'uninstall' ? '/' : `/settings/installations/${installation.id}`, 303);
  });
  const forward = async (request: FastifyRequest<ById>, reply: FastifyReply) =>
    reply.redirect(`/settings/installations/${request.params.id}`, 302);
  server.get<ById>('/organizations/:organization/settings/installations/:id', forward);
};

const page = (host: Host, installation: Installation, problem?: string) => {
  const { account, suspendedAt, installedBy } = installation;
  const repositories = host.repositories.filter(({ owner }) => owner.id === account.id);
  const isSuspended = suspendedAt !== null;
  return html`
<p>Installed on <strong>${account.login}</strong>${installedBy === undefined ? '' : ` by ${installedBy.login}`}.
${isSuspended ? 'It is suspended: it reads nothing and hears of nothing.' : 'It is active.'}</p>
${problem === undefined ? undefined : html`<p role="alert">${problem}</p>`}
<form method="post">
${selectionFields(repositories, installation)}
${personField(peopleOf(host), installedBy?.login)}
<div class="row"><button class="main" name="action" value="save">Save</button>
<button name="action" value="${isSuspended ? 'unsuspend' : 'suspend'}">${isSuspended ? 'Unsuspend' : 'Suspend'}</button>
<button class="danger" name="action" value="uninstall">Uninstall</button></div>
</form>`;
};
