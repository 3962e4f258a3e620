import { expect, test } from 'vitest';
import { docFiles, docPages } from './plugin.ts';
import { renderPages, slugOf } from './render.ts';

const file = (markdown: string, path = 'user/one.md') => {
  const name = path.replace(/.*\//, '').replace('.md', '');
  return { name, group: 'Begin', path, markdown: `# ${name}\n\nThis page is about ${name}.\n\n${markdown}` };
};

const htmlOf = (markdown: string, path?: string) => renderPages([file(markdown, path)])[0]?.html ?? '';

test.each([
  ['Filter with a query', 'filter-with-a-query'],
  ['3. As an Account Owner: connect the code', '3-as-an-account-owner-connect-the-code'],
  ["What it can't do", 'what-it-cant-do'],
  ['`kind:` and snake_case', 'kind-and-snake_case'],
  ['Für Prüfer', 'für-prüfer'],
])('links the heading “%s” as #%s, like GitHub', (text, slug) => {
  expect(slugOf(text, new Map())).toBe(slug);
});

test('extracts title, description and headings with unique IDs', () => {
  const [page] = renderPages([file('## Set up\n\nText\n\n## Set up\n\n### A `part`\n')]);
  expect(page).toMatchObject({ name: 'one', title: 'one', purpose: 'This page is about one.', group: 'Begin' });
  expect(page?.headings).toEqual([
    { id: 'set-up', text: 'Set up', level: 2 },
    { id: 'set-up-1', text: 'Set up', level: 2 },
    { id: 'a-part', text: 'A part', level: 3 },
  ]);
  expect(page?.html).not.toContain('<h1');
  expect(page?.html).toContain('<h3 id="a-part" tabindex="-1">A <code data-short>part</code></h3>');
});

test('links to pages and headings of this site, and opens other links in a new tab', () => {
  const [one, two] = renderPages([
    file('[Two](two.md), [its part](two.md#a-part), [mine](#mine), [far](https://example.com/a?b=1&c)\n\n## Mine\n'),
    file('## A part\n\n[Deep](../deep.md)', 'user/two.md'),
    file('[Away](operations.md#x)', 'deep.md'),
  ]);
  expect(one?.html).toContain('<a href="/docs/two">Two</a>');
  expect(one?.html).toContain('<a href="/docs/two#a-part">its part</a>');
  expect(one?.html).toContain('<a href="/docs/one#mine">mine</a>');
  expect(one?.html).toContain('<a href="https://example.com/a?b=1&amp;c" target="_blank" rel="noreferrer">far');
  expect(two?.html).toContain('<a href="/docs/deep">Deep</a>');
});

test('links mentions of the API reference', () => {
  expect(htmlOf('See `/api/docs`.')).toContain('<a href="/api/docs" target="_blank"');
});

test('renders operator links that are unavailable to users as plain text', () => {
  expect(htmlOf('See [how](operations.md#x).', 'deep.md')).toContain('See how.');
});

test.each([
  ['[x](nowhere.md)', 'docs/user/one.md has a link that leads nowhere: nowhere.md.'],
  ['[x](#nowhere)', 'docs/user/one.md has a link that leads nowhere: #nowhere.'],
  ['[x](../security.md)', 'docs/user/one.md has a link that leads nowhere: ../security.md.'],
  ['[x](http://plain.example)', 'docs/user/one.md has a link that leads nowhere: http://plain.example.'],
  ['[x](javascript:alert(1))', 'docs/user/one.md has a link that is none'],
  ['[x](file:///etc/passwd)', 'docs/user/one.md has a link that leads nowhere: file:///etc/passwd.'],
  ['![A screen](screen.png)', 'docs/user/one.md has a picture: A screen.'],
  ['> ## Inside', 'docs/user/one.md has a heading inside something else: Inside.'],
])('fails the build for %s', (markdown, reason) => {
  expect(() => htmlOf(markdown)).toThrow(reason);
});

test('requires a title and a paragraph at the start of a page', () => {
  const page = { name: 'one', group: 'Begin', path: 'user/one.md' };
  expect(() => renderPages([{ ...page, markdown: 'Text' }])).toThrow('does not begin with its title');
  expect(() => renderPages([{ ...page, markdown: '# One\n\n## Two' }])).toThrow('does not say first what it is for');
});

test('renders raw HTML as text', () => {
  const html = htmlOf('<script>alert(1)</script>\n\n<b onclick="x()">bold</b> `<i>`');
  expect(html).toContain('&lt;script&gt;');
  expect(html).not.toMatch(/<script|<b |<i>/);
});

test('highlights code with a copy button, and makes tables scrollable by keyboard', () => {
  const html = htmlOf('## Send\n\n```json\n{ "a<b": "c" }\n```\n\n| A | B |\n|---|---|\n| `a\\|b` | c |\n');
  expect(html).toContain('<pre tabindex="0"><code>{ <span data-token=');
  expect(html).toContain('a&lt;b');
  expect(html).toContain('<button type="button" data-copy>Copy</button>');
  expect(html).toContain('<div data-table role="region" tabindex="0" aria-label="Table: Send"><table>');
  expect(html).toContain('<code data-short>a|b</code>');
});

test('renders every page completely', () => {
  const pages = docPages();
  expect(pages.map(({ name }) => name)).toEqual(docFiles().map(({ name }) => name));
  expect(new Set(pages.map(({ name }) => name)).size).toBe(pages.length);
  for (const { name, html, headings } of pages) {
    expect(html, name).not.toMatch(/<script|<img|<h1|javascript:|\son\w+=/);
    expect(headings.length, name).toBeGreaterThan(1);
    // Unparsed Markdown syntax.
    expect(html.replaceAll(/<pre.*?<\/pre>|<code.*?<\/code>/gs, ''), name).not.toMatch(/\*\*|\]\(|^\|/m);
  }
});
