import type { FastifyInstance } from 'fastify';
import { type Html, html, type PostedForm, sendPage } from '../github/page.ts';
import { projectNamed } from './control.ts';
import { scanAgain, scansOf } from './scans.ts';
import { currentKey, type Project, renewKey, type Scan, type Tenant, tenantName } from './tenant.ts';

export const checkmarxPath = '/checkmarx';

/** The page that shows the tenant and a key, starts scans and injects faults. */
export const checkmarxPages = (server: FastifyInstance, tenant: Tenant): void => {
  server.get(checkmarxPath, async (_, reply) => sendPage(reply, 'Checkmarx One', await page(tenant)));
  server.post<PostedForm>(`${checkmarxPath}/scan`, async ({ body = {} }, reply) => {
    const project = projectNamed(tenant, body.project);
    await scanAgain(tenant, project, { add: Number(body.add ?? 0), remove: Number(body.remove ?? 0) });
    return reply.redirect(checkmarxPath, 303);
  });
  server.post<PostedForm>(`${checkmarxPath}/key`, async (_, reply) => {
    renewKey(tenant);
    return reply.redirect(checkmarxPath, 303);
  });
  server.post<PostedForm>(`${checkmarxPath}/rights`, async ({ body = {} }, reply) => {
    tenant.kept.mayRead = body.mayRead === 'true';
    tenant.save();
    return reply.redirect(checkmarxPath, 303);
  });
};

const page = async (tenant: Tenant): Promise<Html> => {
  const listed = await Promise.all(
    tenant.projects.map(async (project) => ({ project, scans: await scansOf(tenant, project) })),
  );
  const { mayRead, webhooks } = tenant.kept;
  return html`
<p>This stands for Checkmarx One. Its projects are the repositories of the sandbox; what it finds there is made up, in files that exist.</p>
<h2>To connect it</h2>
<div class="panel">
<label class="stacked">Tenant name<input readonly value="${tenantName}"></label>
<label class="stacked">API key<input readonly value="${currentKey(tenant)}"></label>
<p class="dim">The key names this host, so the base URL can stay empty. ${webhooks.length} webhooks are registered.</p>
</div>
<h2>Projects</h2>
${listed.map(({ project, scans }) => projectPanel(project, scans))}
<h2>What can go wrong</h2>
<div class="panel row">
<form class="plain" method="post" action="${checkmarxPath}/key"><button class="danger">Let the key expire</button></form>
<form class="plain" method="post" action="${checkmarxPath}/rights"><input type="hidden" name="mayRead" value="${String(!mayRead)}">
<button class="danger">${mayRead ? 'Take its rights away' : 'Give its rights back'}</button></form>
</div>`;
};

const projectPanel = (project: Project, [latest]: Scan[]): Html => html`
<div class="panel">
<strong>${project.name}</strong>
<p class="dim">${latest === undefined ? 'No scan yet' : `${latest.seeds.length} results, scanned ${latest.createdAt}`}</p>
<div class="row">
${scanForm(project, 1, 1, 'Scan: one more and one fewer')}
${scanForm(project, 1, 0, 'One more')}
${scanForm(project, 0, 1, 'One fewer')}
</div>
</div>`;

const scanForm = (project: Project, add: number, remove: number, label: string): Html => html`
<form class="plain" method="post" action="${checkmarxPath}/scan">
<input type="hidden" name="project" value="${project.id}"><input type="hidden" name="add" value="${add}">
<input type="hidden" name="remove" value="${remove}"><button>${label}</button></form>`;
