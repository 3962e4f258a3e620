import type { FastifyInstance } from 'fastify';
import { type Html, html, type PostedForm, sendPage } from '../github/page.ts';
import {
  addTicket,
  changeTicket,
  deleteTicket,
  findTicket,
  moveTicket,
  renewToken,
  siteEmail,
  statuses,
  type Ticket,
  type TicketStatus,
  type TrackerKind,
  type TrackerSite,
  tokenOf,
} from './site.ts';

const path = '/trackers';
const titles: Record<TrackerKind, string> = {
  'jira-cloud': 'Jira Cloud',
  'jira-data-center': 'Jira Data Center',
  linear: 'Linear',
};

/** The page that shows how to connect each tracker, and changes its tickets. */
export const trackerPages = (server: FastifyInstance, trackers: ReadonlyMap<TrackerKind, TrackerSite>): void => {
  server.get(path, async (_, reply) => sendPage(reply, 'Issue trackers', page(trackers)));
  server.post<PostedForm>(path, async ({ body = {} }, reply) => {
    const site = trackers.get(body.site as TrackerKind);
    if (site) act(site, body);
    return reply.redirect(path, 303);
  });
};

function act(site: TrackerSite, body: Record<string, string | undefined>): void {
  const ticket = findTicket(site, body.key ?? '');
  const status = statuses.find((one) => one === body.status);
  if (body.action === 'revoke') renewToken(site);
  if (body.action === 'create') {
    site.notify('created', addTicket(site.state, { project: body.project ?? 'PAY', title: body.title || 'A ticket' }));
    site.save();
  }
  if (!ticket) return;
  if (body.action === 'status' && status) changeTicket(site, ticket, { status });
  if (body.action === 'move') moveTicket(site, ticket, body.project ?? 'OPS');
  if (body.action === 'delete') deleteTicket(site, ticket);
}

const page = (trackers: ReadonlyMap<TrackerKind, TrackerSite>): Html => html`
<p>These stand for Jira and Linear. Their tickets are kept here, and can be changed.</p>
${[...trackers.values()].map(sitePanel)}`;

const sitePanel = (site: TrackerSite): Html => html`
<h2>${titles[site.kind]}</h2>
<div class="panel">
${site.kind === 'linear' ? undefined : html`<label class="stacked">URL<input readonly value="${site.url()}"></label>`}
${site.kind === 'jira-cloud' ? html`<label class="stacked">Email<input readonly value="${siteEmail}"></label>` : undefined}
<label class="stacked">Token<input readonly value="${tokenOf(site)}"></label>
<div class="row">${form(site, { action: 'revoke' }, 'Revoke the token')}</div>
<p class="dim">${site.state.webhooks.length} webhooks are registered.</p>
</div>
${site.state.tickets.map((ticket) => ticketPanel(site, ticket))}
<div class="panel row"><form class="plain row" method="post" action="${path}">
<input type="hidden" name="site" value="${site.kind}"><input type="hidden" name="action" value="create">
<label>Project <select name="project">${site.state.projects.map(({ key }) => html`<option>${key}</option>`)}</select></label>
<label>Title <input name="title"></label><button>Create</button></form></div>`;

const ticketPanel = (site: TrackerSite, { key, title, status, project }: Ticket): Html => html`
<div class="panel">
<strong>${key}</strong> ${title} <span class="dim">${status}</span>
<div class="row">
${statuses.filter((one) => one !== status).map((one: TicketStatus) => form(site, { action: 'status', key, status: one }, one))}
${form(site, { action: 'move', key, project: project === 'OPS' ? 'PAY' : 'OPS' }, 'Move')}
${form(site, { action: 'delete', key }, 'Delete')}
</div>
</div>`;

const form = ({ kind }: TrackerSite, fields: Record<string, string>, label: string): Html => html`
<form class="plain" method="post" action="${path}"><input type="hidden" name="site" value="${kind}">
${Object.entries(fields).map(([name, value]) => html`<input type="hidden" name="${name}" value="${value}">`)}
<button>${label}</button></form>`;
