import { randomUUID } from 'node:crypto';
import type { FastifyInstance } from 'fastify';
import { type Html, html, type PostedForm, sendPage } from '../github/page.ts';
import { refuse } from '../github/refusal.ts';
import type { Directory } from './directory.ts';
import type { Dialect, DirectoryGroup, DirectoryUser } from './resources.ts';

export const directoryPath = '/directory';

/** The page that shows and edits users and groups, and sends them to Sightline. */
export const directoryPages = (server: FastifyInstance, directory: Directory): void => {
  const { state } = directory;
  server.get(directoryPath, async (_, reply) => sendPage(reply, 'Directory', page(directory)));
  const post = (path: string, change: (body: Record<string, string | undefined>) => void) =>
    server.post<PostedForm>(`${directoryPath}/${path}`, async ({ body }, reply) => {
      change(body ?? {});
      directory.save();
      // Directories send a change by themselves.
      if (state.target !== undefined) await directory.synchronize().catch(() => undefined);
      return reply.redirect(directoryPath, 303);
    });
  const userOf = (id: string | undefined): DirectoryUser => find(state.users, id);
  const groupOf = (id: string | undefined): DirectoryGroup => find(state.groups, id);
  post('target', ({ url = '', token = '', dialect }) => {
    if (!/^https?:\/\//.test(url) || token.trim() === '') throw refuse(422, 'Address and token are needed.');
    state.target = { url: url.trim().replace(/\/$/, ''), token: token.trim(), dialect: dialectOf(dialect) };
  });
  post('users', ({ givenName = '', familyName = '', email = '' }) => {
    if (!email.includes('@')) throw refuse(422, 'An address is needed.');
    state.users.push({ id: randomUUID(), givenName, familyName, email: email.trim().toLowerCase(), active: true });
  });
  post('users/active', ({ id }) => {
    const user = userOf(id);
    user.active = !user.active;
  });
  post('users/delete', ({ id }) => {
    const user = userOf(id);
    state.deleted.users.push(user.email);
    state.users.splice(state.users.indexOf(user), 1);
    for (const group of state.groups) group.members = group.members.filter((member) => member !== user.id);
  });
  post('groups', ({ name = '' }) => {
    if (name.trim() === '') throw refuse(422, 'A name is needed.');
    state.groups.push({ id: randomUUID(), name: name.trim(), members: [] });
  });
  post('groups/member', ({ id, user }) => {
    const group = groupOf(id);
    const { id: member } = userOf(user);
    group.members = group.members.includes(member)
      ? group.members.filter((one) => one !== member)
      : [...group.members, member];
  });
  post('groups/delete', ({ id }) => {
    const group = groupOf(id);
    state.deleted.groups.push(group.name);
    state.groups.splice(state.groups.indexOf(group), 1);
  });
  post('synchronize', () => {});
};

const dialectOf = (text: string | undefined): Dialect => (text === 'okta' ? 'okta' : 'entra');

const find = <Item extends { id: string }>(items: readonly Item[], id: string | undefined): Item => {
  const found = items.find((item) => item.id === id);
  if (found === undefined) throw refuse(404, 'Not found.');
  return found;
};

const page = ({ state, last }: Directory): Html => html`
<p>This stands for a directory such as Microsoft Entra ID or Okta. It sends each change to Sightline over SCIM 2.0.</p>
<h2>To connect it</h2>
<form class="panel" method="post" action="${directoryPath}/target">
<label class="stacked">Address<input name="url" required value="${state.target?.url ?? ''}"></label>
<label class="stacked">Token<input name="token" required autocomplete="off" value="${state.target?.token ?? ''}"></label>
<label class="stacked">Requests like<select name="dialect">
${(['entra', 'okta'] as const).map(
  (dialect) => html`<option value="${dialect}"${state.target?.dialect === dialect ? { html: ' selected' } : ''}>
${dialect === 'entra' ? 'Microsoft Entra ID' : 'Okta'}</option>`,
)}</select></label>
<p class="dim">Sightline shows address and token when a directory is connected: Integrations, Directories. Its organization needs the
verified domain of the addresses: sightline org verify-domain ORGANIZATION sandbox.example</p>
<button>Save and synchronize</button>
</form>
${lastSync(last)}
<h2>Users</h2>
${state.users.map(userPanel)}
<form class="panel row" method="post" action="${directoryPath}/users">
<input name="givenName" aria-label="Given name" placeholder="Given name" required>
<input name="familyName" aria-label="Family name" placeholder="Family name" required>
<input name="email" aria-label="Address" placeholder="name@sandbox.example" required>
<button>Add a user</button></form>
<h2>Groups</h2>
${state.groups.map((group) => groupPanel(group, state.users))}
<form class="panel row" method="post" action="${directoryPath}/groups">
<input name="name" aria-label="Name of the group" placeholder="Name" required><button>Add a group</button></form>`;

const lastSync = (last: Directory['last']): Html =>
  last === undefined
    ? html``
    : html`<div class="panel"><strong>Last synchronization</strong>
<p class="dim">${last.changes} changes, ${Object.values(last.requests).reduce((sum, one) => sum + one, 0)} requests</p>
${last.failures.slice(0, 10).map(({ request, status, detail }) => html`<p>${request}: ${status} ${detail}</p>`)}
<form class="plain" method="post" action="${directoryPath}/synchronize"><button>Synchronize now</button></form></div>`;

const userPanel = ({ id, givenName, familyName, email, active }: DirectoryUser): Html => html`
<div class="panel row"><span><strong>${givenName} ${familyName}</strong> <span class="dim">${email}${active ? '' : ', inactive'}</span></span>
<form class="plain" method="post" action="${directoryPath}/users/active"><input type="hidden" name="id" value="${id}">
<button>${active ? 'Deactivate' : 'Activate'} ${givenName}</button></form>
<form class="plain" method="post" action="${directoryPath}/users/delete"><input type="hidden" name="id" value="${id}">
<button class="danger">Delete ${givenName}</button></form></div>`;

const groupPanel = (group: DirectoryGroup, users: readonly DirectoryUser[]): Html => html`
<div class="panel"><strong>${group.name}</strong>
<div class="row">${users.map(
  (user) => html`<form class="plain" method="post" action="${directoryPath}/groups/member">
<input type="hidden" name="id" value="${group.id}"><input type="hidden" name="user" value="${user.id}">
<button>${group.members.includes(user.id) ? 'Remove' : 'Add'} ${user.givenName}</button></form>`,
)}</div>
<form class="plain" method="post" action="${directoryPath}/groups/delete"><input type="hidden" name="id" value="${group.id}">
<button class="danger">Delete the group ${group.name}</button></form></div>`;
