import { readFileSync } from 'node:fs';
import type { Endpoint } from '@sightline/contract/core/endpoint.ts';
import { errorStatus } from '@sightline/contract/core/errors.ts';
import { z } from 'zod';
import { refusalsOf } from '#core/openapi.ts';
import type { Chapter } from './endpoints.ts';

const style = readFileSync(new URL('./page.css', import.meta.url), 'utf8');

/** The API reference: for each endpoint the required permission, the input, the output and the errors. */
export const renderApiReference = (chapters: readonly Chapter[]): string => `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>API · Sightline</title>
<style>${style}</style>
</head>
<body>
<nav aria-label="Chapters"><p class="name">Sightline API</p><ul>${chapters.map(({ title }) => `<li><a href="#${slug(title)}">${title}</a></li>`).join('')}</ul></nav>
<main>
<h1>The API</h1>
<p>Every call lies below <code>/api</code> and, unless it says otherwise, needs the header <code>Authorization: Bearer …</code>. Bodies are JSON, times RFC&nbsp;3339 in UTC. A paged list is a bare array; its full count is in <code>X-Total-Count</code>. The same as <a href="/api/openapi.json">OpenAPI 3.1</a>. Tokens, lists, errors and limits: <a href="/docs/api">how to call it</a>.</p>
${chapters.map(chapter).join('\n')}
</main>
</body>
</html>`;

const slug = (title: string) => title.toLowerCase().replaceAll(' ', '-');
const escaped = (text: string) => text.replace(/[&<>"]/g, (character) => `&#${character.charCodeAt(0)};`);

const chapter = ({ title, endpoints }: Chapter) =>
  `<section id="${slug(title)}"><h2>${title}</h2>${endpoints.map(article).join('')}</section>`;

function article(endpoint: Endpoint): string {
  const access = {
    public: 'Anyone',
    account: 'A signed-in account',
    organization: 'A member',
    portal: 'An auditor with access to the portal',
  }[endpoint.scope];
  const right = endpoint.permission
    ? ` with ${[endpoint.permission]
        .flat()
        .map((name) => `<code>${name}</code>`)
        .join(' or ')}`
    : '';
  const refusals = [...new Set(refusalsOf(endpoint))]
    .map((code) => `<code>${errorStatus[code]} ${code}</code>`)
    .join(', ');
  return `<article>
<h3><code>${endpoint.method}</code> <code>/api${escaped(endpoint.path)}</code></h3>
<p>${escaped(endpoint.summary)}</p>
<dl><dt>Access</dt><dd>${access}${right}${endpoint.flag ? `, while the flag <code>${endpoint.flag}</code> is on` : ''}</dd>
<dt>Errors</dt><dd>${refusals}</dd></dl>
${part('Path', endpoint.params, 'input')}${part('Query', endpoint.query, 'input')}${part('Body', endpoint.body, 'input')}${part(`Response ${endpoint.status ?? 200}`, endpoint.response, 'output')}
</article>`;
}

function part(title: string, schema: z.ZodType | undefined, io: 'input' | 'output'): string {
  if (!schema) return '';
  const { $schema: _, ...shape } = z.toJSONSchema(schema, { io, unrepresentable: 'any' });
  return `<details><summary>${title}</summary><pre tabindex="0">${escaped(JSON.stringify(shape, null, 2))}</pre></details>`;
}
