import type { FastifyInstance, FastifyReply } from 'fastify';
import { refuse } from './refusal.ts';

/** Text that is already HTML. */
export type Html = { html: string };

/** A request with the fields of a form. */
export type PostedForm = { Body: Record<string, string | undefined> | undefined };

type HtmlPart = string | number | Html | undefined | HtmlPart[];

/** Builds HTML; values are escaped unless they are Html. */
export const html = (strings: TemplateStringsArray, ...parts: HtmlPart[]): Html => ({
  html: strings.map((text, index) => text + write(parts[index])).join(''),
});

/** Sends a page. Default status: 200. */
export const sendPage = (reply: FastifyReply, title: string, body: Html, status = 200): FastifyReply =>
  reply
    .code(status)
    .type('text/html; charset=utf-8')
    .header('content-security-policy', "default-src 'none'; style-src 'unsafe-inline'; img-src 'self'; base-uri 'none'")
    .header('cache-control', 'no-store')
    .send(layout(nameOf(reply.request.url), title, body).html);

/** Rejects forms submitted from other sites; `openPaths` are for programs on other sites. */
export const guardForms = (server: FastifyInstance, openPaths: readonly string[]): void => {
  server.addHook('onRequest', async (request) => {
    const { origin } = request.headers;
    const isForeign = origin !== undefined && origin !== `${request.protocol}://${request.host}`;
    const [path = ''] = request.url.split('?');
    if (request.method === 'POST' && isForeign && !openPaths.includes(path) && !newAppPath.test(path))
      throw refuse(403, 'This form belongs to another site.');
  });
};

// Other sites submit the form that creates an app from a manifest.
const newAppPath = /^(\/organizations\/[^/]+)?\/settings\/apps\/new$/;

const write = (part: HtmlPart): string => {
  if (part === undefined) return '';
  if (Array.isArray(part)) return part.map(write).join('');
  if (typeof part === 'object') return part.html;
  return String(part).replaceAll(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);
};

/** The names of the services by path. They share one origin, where GitHub has all other paths. */
export const serviceNames: ReadonlyMap<string, string> = new Map([
  ['bitbucket', 'Bitbucket'],
  ['gitlab', 'GitLab'],
  ['gitea', 'Forgejo / Gitea'],
  ['bitbucket-data-center', 'Bitbucket Data Center'],
  ['azure-devops', 'Azure DevOps'],
  ['gerrit', 'Gerrit'],
  ['checkmarx', 'Checkmarx One'],
  ['directory', 'directory'],
  ['saml', 'identity provider'],
  ['trackers', 'issue tracker'],
  ['sonarqube', 'SonarQube'],
  ['semgrep', 'Semgrep'],
  ['snyk', 'Snyk'],
  ['dependency-track', 'Dependency-Track'],
  ['oidc', 'identity provider'],
  ['slack', 'Slack'],
  ['teams', 'Microsoft Teams'],
]);
const nameOf = (url: string): string => serviceNames.get(url.split(/[/?]/)[1] ?? '') ?? 'GitHub';

const layout = (name: string, title: string, body: Html): Html => html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${title} · Sandbox ${name}</title>
<style>${{ html: style }}</style>
</head>
<body>
<header><p><strong>Sandbox ${name}</strong> — not the real thing. It runs on this machine and reads local repositories.</p></header>
<main>
<h1>${title}</h1>
${body}
</main>
</body>
</html>`;

const style = `
:root { color-scheme: light dark; --line: light-dark(#d5d9e0, #373c45); --dim: light-dark(#565d69, #a0a7b4);
  --accent: light-dark(#2a5fd0, #86a9ff); --on-accent: light-dark(#fff, #10141c); --danger: light-dark(#b3261e, #ff8f86); }
* { box-sizing: border-box; }
body { margin: 0; font: 15px/1.5 system-ui, sans-serif; color: light-dark(#1a1d23, #e7eaf0);
  background: light-dark(#f6f7f9, #14171c); }
header { background: light-dark(#fff4cf, #3a3010); border-bottom: 1px solid light-dark(#e3cd7f, #5f5120); }
header p { margin: 0 auto; max-width: 640px; padding: 10px 20px; }
main { max-width: 640px; margin: 0 auto; padding: 28px 20px 64px; }
h1 { font-size: 22px; line-height: 1.3; margin: 0 0 8px; } h2 { font-size: 16px; margin: 28px 0 8px; }
p { margin: 8px 0; } .dim { color: var(--dim); } code { font-size: 13px; overflow-wrap: anywhere; }
a { color: var(--accent); }
form, .panel { background: light-dark(#fff, #1b1f26); border: 1px solid var(--line); border-radius: 8px;
  padding: 18px; margin: 16px 0; }
.row { display: flex; flex-wrap: wrap; gap: 8px; align-items: center; }
form.plain { border: 0; padding: 0; margin: 0; background: none; }
fieldset { border: 0; padding: 0; margin: 0 0 16px; } legend { font-weight: 600; padding: 0; margin-bottom: 6px; }
label { display: flex; gap: 8px; align-items: center; min-height: 32px; } .nested { margin-left: 26px; }
label.stacked { display: block; margin-bottom: 16px; font-weight: 600; }
select, label.stacked input { display: block; width: 100%; margin-top: 6px; font-weight: 400; }
button { font-weight: inherit; } select, button, label.stacked input { font-family: inherit; font-size: inherit; min-height: 36px; padding: 6px 14px; border-radius: 6px; border: 1px solid var(--dim);
  background: light-dark(#fff, #242932); color: inherit; }
button { cursor: pointer; } button.main { background: var(--accent); border-color: var(--accent); color: var(--on-accent); font-weight: 600; }
button.danger { color: var(--danger); border-color: var(--danger); }
.people { display: grid; gap: 8px; grid-template-columns: repeat(auto-fill, minmax(180px, 1fr)); }
.people button { text-align: left; width: 100%; } .people small { display: block; color: var(--dim); overflow: hidden;
  text-overflow: ellipsis; white-space: nowrap; }
[role=alert] { color: var(--danger); font-weight: 600; }
:focus-visible { outline: 2px solid var(--accent); outline-offset: 2px; }
ul { padding-left: 20px; } pre { white-space: pre-wrap; overflow-wrap: anywhere; font-size: 13px; }
`;
