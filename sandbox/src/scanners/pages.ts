import type { FastifyInstance } from 'fastify';
import { type Html, html, type PostedForm, sendPage } from '../github/page.ts';
import {
  type Account,
  accountName,
  baseUrlOf,
  branchesOf,
  currentToken,
  revokeToken,
  type ScannedProject,
  scanAgain,
} from './account.ts';
import { projectNamed } from './control.ts';

/** The page of a simulated scanner: what to enter, new scans, and what can go wrong. `title`: its name. */
export const scannerPages = (
  server: FastifyInstance,
  account: Account,
  { title, accountLabel }: { title: string; accountLabel: string | undefined },
): void => {
  const path = `/${account.scanner}`;
  server.get(path, async (_, reply) => sendPage(reply, title, await pageOf(account, title, accountLabel)));
  server.post<PostedForm>(`${path}/scan`, async ({ body = {} }, reply) => {
    const { project, add = 0, remove = 0, dismiss = 0 } = body;
    const change = { add: Number(add), remove: Number(remove), dismiss: Number(dismiss) };
    await scanAgain(account, projectNamed(account, project), change);
    return reply.redirect(path, 303);
  });
  server.post<PostedForm>(`${path}/revoke`, async (_, reply) => {
    revokeToken(account);
    return reply.redirect(path, 303);
  });
  server.post<PostedForm>(`${path}/behavior`, async ({ body = {} }, reply) => {
    if (body.mayRead !== undefined) account.kept.mayRead = body.mayRead === 'true';
    if (body.repeatsPages !== undefined) account.kept.repeatsPages = body.repeatsPages === 'true';
    account.save();
    return reply.redirect(path, 303);
  });
};

const pageOf = async (account: Account, title: string, accountLabel: string | undefined): Promise<Html> => {
  const { mayRead, repeatsPages } = account.kept;
  const listed: Html[] = [];
  for (const project of account.projects) listed.push(await projectPanel(account, project));
  return html`
<p>This stands for ${title}. Its projects are the repositories of the sandbox; what it finds there is made up, in files that exist.</p>
<h2>To connect it</h2>
<div class="panel">
<label class="stacked">URL<input readonly value="${baseUrlOf(account)}"></label>
${accountLabel === undefined ? undefined : html`<label class="stacked">${accountLabel}<input readonly value="${accountName}"></label>`}
<label class="stacked">Token<input readonly value="${currentToken(account)}"></label>
</div>
<h2>Projects</h2>
${listed}
<h2>What can go wrong</h2>
<div class="panel row">
<form class="plain" method="post" action="/${account.scanner}/revoke"><button class="danger">Revoke the token</button></form>
${behaviorForm(account, 'mayRead', !mayRead, mayRead ? 'Take its rights away' : 'Give its rights back')}
${behaviorForm(account, 'repeatsPages', !repeatsPages, repeatsPages ? 'Stop repeating pages' : 'Repeat each first page')}
</div>`;
};

const behaviorForm = ({ scanner }: Account, name: string, value: boolean, label: string): Html => html`
<form class="plain" method="post" action="/${scanner}/behavior"><input type="hidden" name="${name}" value="${String(value)}">
<button class="danger">${label}</button></form>`;

const projectPanel = async (account: Account, project: ScannedProject): Promise<Html> => {
  const branches = await branchesOf(account, project);
  return html`
<div class="panel">
<strong>${project.name}</strong>
${branches.map(({ branch, findings, scannedAt }) => html`<p class="dim">${branch}: ${findings.length} findings, scanned ${scannedAt}</p>`)}
<div class="row">
${scanForm(account, project, { add: 1, remove: 1, dismiss: 0 }, 'Scan: one more and one fewer')}
${scanForm(account, project, { add: 1, remove: 0, dismiss: 0 }, 'One more')}
${scanForm(account, project, { add: 0, remove: 1, dismiss: 0 }, 'One fewer')}
${scanForm(account, project, { add: 0, remove: 0, dismiss: 1 }, 'Dismiss one')}
</div>
</div>`;
};

const scanForm = (
  { scanner }: Account,
  { id }: ScannedProject,
  change: { add: number; remove: number; dismiss: number },
  label: string,
): Html => html`
<form class="plain" method="post" action="/${scanner}/scan">
<input type="hidden" name="project" value="${id}"><input type="hidden" name="add" value="${change.add}">
<input type="hidden" name="remove" value="${change.remove}"><input type="hidden" name="dismiss" value="${change.dismiss}">
<button>${label}</button></form>`;
