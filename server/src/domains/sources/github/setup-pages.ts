import { renderPage } from '#core/pages/frame.ts';
import { html } from '#core/pages/html.ts';

interface Start {
  code: string;
  organization: string;
  /** The invalid field with its message. */
  wrong: { field: 'code' | 'organization'; text: string } | undefined;
}

/** The first page of the setup: the operator enters the setup code of the command line. */
export function setupStartPage({ code, organization, wrong }: Start): string {
  const field = (name: 'code' | 'organization', label: string, value: string, hint: string) => {
    const text = wrong?.field === name ? wrong.text : undefined;
    return html`<div class="field">
<span class="pair"><label for="${name}">${label}</label></span>
<input id="${name}" name="${name}" type="text" autocomplete="off" value="${value}" maxlength="100" aria-describedby="${name}-hint${text !== undefined && ` ${name}-error`}"${text !== undefined && html` aria-invalid="true"`}>
<p class="hint" id="${name}-hint">${hint}</p>
${text !== undefined && html`<p class="wrong" id="${name}-error">${text}</p>`}
</div>`;
  };
  return renderPage({
    title: 'Set up the GitHub app',
    body: html`<h1>Set up the GitHub app</h1>
<p class="lead">Sightline reads GitHub through an app of your own. GitHub makes it in two clicks, with every permission and address filled in.</p>
<form method="post" action="${setupPath}" novalidate>
${field('code', 'Setup code', code, 'On the machine that runs Sightline: npm run sightline -- github-app')}
${field('organization', 'GitHub organization', organization, 'The owner of the app. Default: your own account.')}
<button class="button primary">Continue</button>
</form>`,
    below: html`<p class="other"><a href="/integrations">Back to integrations</a></p>`,
  });
}

/** The last page of the setup: its button sends the app manifest to GitHub. */
export const createAppPage = (target: string, manifest: object): string =>
  renderPage({
    title: 'Continue on GitHub',
    body: html`<h1>Continue on GitHub</h1>
<p class="lead">GitHub shows the app’s name, which you may change, and asks you to create it. After that it sends you back here.</p>
<ul class="points">
<li>It may only read: repositories, pull requests, issues and alerts of scanners.</li>
<li>It is installed nowhere yet. An Account Owner does that next, for the repositories they choose.</li>
</ul>
<form method="post" action="${target}">
<input type="hidden" name="manifest" value="${JSON.stringify(manifest)}">
<button class="button primary">Create the app on GitHub</button>
</form>`,
    below: html`<p class="other"><a href="${setupPath}">Start again</a></p>`,
  });

export const setupPath = '/_/setup/github-app';
