import type { DocPage } from 'virtual:user-docs';
import { expect, test } from 'vitest';
import { passagesOf, searchPassages } from './search.ts';

const page = (name: string, title: string, html: string): DocPage => ({
  name,
  title,
  purpose: '',
  group: 'Begin',
  headings: [],
  html,
});

const headed = (id: string, text: string) =>
  `<div data-heading><h2 id="${id}" tabindex="-1">${text}</h2><a data-anchor href="#">#</a></div>`;

const passages = passagesOf([
  page(
    'mail',
    'Mail',
    `<p>This page is about mail.</p>${headed('quiet', 'Quiet hours')}<p>At night nothing is sent.</p>` +
      '<table><tbody><tr><td>one</td><td>two</td></tr></tbody></table>',
  ),
  page('hooks', 'Webhooks', `<p>Programs.</p>${headed('mail', 'Not by mail')}<p>Use (a+b) at <b>night</b>.</p>`),
]);

const found = (query: string) => searchPassages(passages, query).map(({ href }) => href);

test('splits a page by heading, and separates cells and buttons', () => {
  expect(passages.map(({ href, heading, text }) => [href, heading, text])).toEqual([
    ['/docs/mail', undefined, 'This page is about mail.'],
    ['/docs/mail#quiet', 'Quiet hours', 'At night nothing is sent. one two'],
    ['/docs/hooks', undefined, 'Programs.'],
    ['/docs/hooks#mail', 'Not by mail', 'Use (a+b) at night.'],
  ]);
});

test('requires every word in title, heading or text, ignoring case', () => {
  expect(found('QUIET night')).toEqual(['/docs/mail#quiet']);
  expect(found('webhooks night')).toEqual(['/docs/hooks#mail']);
  expect(found('night nowhere')).toEqual([]);
  expect(found('  ')).toEqual([]);
});

test('ranks words in titles above headings and text', () => {
  expect(found('mail')).toEqual(['/docs/mail', '/docs/hooks#mail']);
  expect(found('night')).toEqual(['/docs/mail#quiet', '/docs/hooks#mail']);
});

test('returns a snippet with the match, including special characters', () => {
  expect(searchPassages(passages, '(a+b)')[0]?.snippet).toEqual(['Use ', '(a+b)', ' at night.']);
  const long = passagesOf([page('long', 'Long', `<p>${'word '.repeat(60)}needle ${'word '.repeat(60)}</p>`)]);
  const [hit] = searchPassages(long, 'needle');
  expect(hit?.snippet[1]).toBe('needle');
  expect(hit?.snippet.join('')).toMatch(/^… word .* word …$/);
  expect(hit?.snippet.join('').length).toBeLessThan(140);
});

test('returns the twenty best matches', () => {
  const many = passagesOf([
    page('many', 'Many', Array.from({ length: 30 }, (_, n) => `${headed(`h${n}`, 'Same')}<p>x</p>`).join('')),
  ]);
  expect(searchPassages(many, 'same')).toHaveLength(20);
});
