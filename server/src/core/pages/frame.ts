import { assetUrl } from './assets.ts';
import { type Html, html } from './html.ts';

const addresses = { css: assetUrl('pages.css'), mark: assetUrl('mark.svg') };

export interface PageContent {
  title: string;
  body: Html;
  /** Lines below the card. */
  below?: Html;
  /** The name of a script file, for pages that continue automatically. */
  script?: string;
  /** Makes the card wider, for a list. */
  wide?: boolean;
}

/** A complete page: the logo, one card in the center, the legal links. It follows the color scheme of the system. */
export const renderPage = ({ title, body, below, script, wide }: PageContent): string =>
  html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${title} · Sightline</title>
<link rel="icon" href="${addresses.mark}" type="image/svg+xml">
<link rel="stylesheet" href="${addresses.css}">
${script !== undefined && html`<script src="${script}" defer></script>`}
</head>
<body>
<header class="head">
<a class="brand" href="/" aria-label="Sightline"><svg width="22" height="22" viewBox="0 0 24 24" aria-hidden="true"><path class="upper" d="M2 11a8 8 0 0 1 16 0z"/><path class="lower" d="M6 13a8 8 0 0 0 16 0z"/></svg><span>Sightline</span></a>
</header>
<main class="${wide ? 'main wide' : 'main'}">
<div class="card">
${body}
</div>
${below}
</main>
<footer class="foot"><a href="/terms">Terms</a><a href="/privacy">Privacy</a><a href="/contact">Contact us</a></footer>
</body>
</html>
`.markup;

/** A page with a single message. */
export const renderNoticePage = (
  title: string,
  lines: readonly string[],
  action?: { href: string; label: string },
): string =>
  renderPage({
    title,
    body: html`<h1>${title}</h1>
${lines.map((line) => html`<p class="lead">${line}</p>`)}
${action && html`<a class="button primary" href="${action.href}">${action.label}</a>`}`,
  });
