import { expect, test } from 'vitest';
import { docFiles, docPages } from './plugin.ts';
import { renderPages, slugOf } from './render.ts';

const file = (markdown: string, path = 'user/one.md') => {
  const name = path.replace(/.*\//, '').replace('.md', '');
  return { name, group: 'Begin', path, markdown: `# ${name}\n\nThis page is about ${name}.\n\n${markdown}` };
};

const htmlOf = (markdown: string, path?: string) => renderPages([file(markdown, path)])[0]?.html ?? '';

test.each([
  ['Ask with a query', 'ask-with-a-query'],
  ['3. As an Account Owner: connect the code', '3-as-an-account-owner-connect-the-code'],
  ["What it can't do", 'what-it-cant-do'],
  ['`kind:` and snake_case', 'kind-and-snake_case'],
  ['Für Prüfer', 'für-prüfer'],
])('the heading “%s” is found under #%s, as on GitHub', (text, slug) => {
  expect(slugOf(text, new Map())).toBe(slug);
});

test('a page has a title, a description and headings with unique ids', () => {
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

test('links lead to pages and their headings here, to others in a new tab', () => {
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

test('the API reference is linked where it is named', () => {
  expect(htmlOf('See `/api/docs`.')).toContain('<a href="/api/docs" target="_blank"');
});

test('pages of operators may name what users do not have: it becomes plain words', () => {
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
])('%s breaks the build', (markdown, reason) => {
  expect(() => htmlOf(markdown)).toThrow(reason);
});

test('a page must begin with its title and a paragraph', () => {
  const page = { name: 'one', group: 'Begin', path: 'user/one.md' };
  expect(() => renderPages([{ ...page, markdown: 'Text' }])).toThrow('does not begin with its title');
  expect(() => renderPages([{ ...page, markdown: '# One\n\n## Two' }])).toThrow('does not say first what it is for');
});

test('raw HTML stays the text it is', () => {
  const html = htmlOf('<script>alert(1)</script>\n\n<b onclick="x()">bold</b> `<i>`');
  expect(html).toContain('&lt;script&gt;');
  expect(html).not.toMatch(/<script|<b |<i>/);
});

test('code is colored by its language, and can be copied; tables can be moved by keyboard', () => {
  const html = htmlOf('## Send\n\n```json\n{ "a<b": "c" }\n```\n\n| A | B |\n|---|---|\n| `a\\|b` | c |\n');
  expect(html).toContain('<pre tabindex="0"><code>{ <span data-token=');
  expect(html).toContain('a&lt;b');
  expect(html).toContain('<button type="button" data-copy>Copy</button>');
  expect(html).toContain('<div data-table role="region" tabindex="0" aria-label="Table: Send"><table>');
  expect(html).toContain('<code data-short>a|b</code>');
});

test('every page there is can be rendered, and leaves nothing out', () => {
  const pages = docPages();
  expect(pages.map(({ name }) => name)).toEqual(docFiles().map(({ name }) => name));
  expect(new Set(pages.map(({ name }) => name)).size).toBe(pages.length);
  for (const { name, html, headings } of pages) {
    expect(html, name).not.toMatch(/<script|<img|<h1|javascript:|\son\w+=/);
    expect(headings.length, name).toBeGreaterThan(1);
    // A mark that was not understood.
    expect(html.replaceAll(/<pre.*?<\/pre>|<code.*?<\/code>/gs, ''), name).not.toMatch(/\*\*|\]\(|^\|/m);
  }
});
