import { mcpTools } from '@sightline/contract/platform/mcp.ts';
import { renderPage } from '#core/pages/frame.ts';
import { html } from '#core/pages/html.ts';

export interface ConsentPage {
  uid: string;
  csrf: string;
  email: string;
  /** The name of the client; that of one that registered itself is not verified. */
  client: string;
  isBuiltIn: boolean;
  /** The host that receives the code. */
  returnsTo: string;
  organizations: readonly { id: string; name: string }[];
  selected: string | undefined;
}

/** Asks a person to connect an MCP client to one of their organizations. */
export const consentPage = (page: ConsentPage): string =>
  renderPage({
    title: `Connect ${page.client}`,
    body: html`<h1>Connect ${page.client}</h1>
<p class="lead">You are signed in as <b>${page.email}</b>. <b>${page.client}</b> asks to read what you may read in Sightline. It can change nothing.</p>
${!page.isBuiltIn && html`<p class="error" role="note">This program registered itself. Its name is not verified.</p>`}
${page.organizations.length === 0 ? noOrganization(page) : consentForm(page)}`,
    below: html`<p class="other">You return to ${page.returnsTo}. You can disconnect it in your account at any time.</p>
<p class="other">Not you? <a href="/logout">Sign in with another account</a></p>`,
  });

const pathOf = (uid: string) => `/oidc/interaction/${uid}/consent`;

const noOrganization = ({
  uid,
  csrf,
}: ConsentPage) => html`<p class="lead">You are a member of no active organization.</p>
<form method="post" action="${pathOf(uid)}">
<input type="hidden" name="csrf" value="${csrf}">
<button class="button" name="decision" value="cancel">Cancel</button>
</form>`;

const consentForm = ({ uid, csrf, organizations, selected = organizations[0]?.id }: ConsentPage) => html`
<form method="post" action="${pathOf(uid)}">
<input type="hidden" name="csrf" value="${csrf}">
<fieldset class="choices">
<legend>Organization</legend>
${organizations.map(
  ({ id, name }) =>
    html`<label><input type="radio" name="organization" value="${id}" required${id === selected && html` checked`}> ${name}</label>`,
)}
</fieldset>
<p class="hint">It can use these tools, each call of which is recorded in the audit log:</p>
<ul class="tools">${Object.entries(mcpTools).map(([name, title]) => html`<li>${title} <code>${name}</code></li>`)}</ul>
<button class="button primary" name="decision" value="connect">Connect</button>
<button class="button" name="decision" value="cancel" formnovalidate>Cancel</button>
</form>`;
