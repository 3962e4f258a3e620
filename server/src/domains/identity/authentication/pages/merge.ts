import { renderPage } from '#core/pages/frame.ts';
import { html } from '#core/pages/html.ts';
import { formAlert, formField, postForm } from './form.ts';

/** Shown after both accounts were signed in to: explains the merge and requests a confirmation. */
export const mergePage = (page: {
  uid: string;
  csrf: string;
  /** The target of the cancel link. */
  back: string;
  keeps: string;
  goes: string;
  /** Names of the organizations that move. */
  organizations: readonly string[];
  askCode: boolean;
  error?: string | undefined;
}): string =>
  renderPage({
    title: 'Link two accounts',
    body: html`<h1>Link two accounts</h1>
<p class="lead"><b>${page.goes}</b> becomes part of <b>${page.keeps}</b>. This cannot be undone.</p>
<ul class="points">
<li>Its logins and its memberships move to <b>${page.keeps}</b>${page.organizations.length > 0 && html`: ${page.organizations.join(', ')}`}.</li>
<li>Where you are a member with both, the role of <b>${page.keeps}</b> stays.</li>
<li>Its password, its sessions and its second factors end. Sign-in as <b>${page.goes}</b> is no longer possible.</li>
</ul>
${formAlert(page.error)}
${postForm(
  `/oidc/interaction/${page.uid}/merge`,
  page.csrf,
  html`${
    page.askCode &&
    formField({
      name: 'code',
      label: `Code of the second factor of ${page.goes}`,
      type: 'text',
      autocomplete: 'one-time-code',
      hint: 'From the authenticator app, or a recovery code.',
      autofocus: true,
    })
  }`,
  'Link the accounts',
)}`,
    below: html`<p class="other"><a href="${page.back}">Cancel</a></p>`,
  });
