import { expect, test } from 'vitest';
import { createNameScrub } from './scrub.ts';

const ada = createNameScrub({
  emails: ['ada@example.org', '17+ada-l@users.noreply.github.com'],
  logins: ['ada-l', 'li'],
  names: ['Ada Lovelace', 'Ada', 'Will'],
  pictures: ['https://pictures.example/u/17?v=4'],
});

test.each([
  ['Co-authored-by: Ada Lovelace <ada@example.org>', 'Co-authored-by: Deleted person <erased>'],
  ['ADA LOVELACE and ADA@Example.org', 'Deleted person and erased'],
  ['17+ada-l@users.noreply.github.com', 'erased'],
  // Names of other people, and words that only start or end with a name.
  [
    'lada@example.org ada@example.organic Adam AdaLovelace ada-lo',
    'lada@example.org ada@example.organic Adam AdaLovelace ada-lo',
  ],
  ['@ada-l, see ada-l/tool and x/ada-l', '@erased, see erased/tool and x/erased'],
  // A single-word name matches in its exact case only.
  [
    'Will you? I will. Ada did; ada is a language.',
    'Deleted person you? I will. Deleted person did; ada is a language.',
  ],
  ['https://pictures.example/u/17?v=4', ''],
  // Too short for the search.
  ['li', 'li'],
  ['Ädä und Ada, Ada’s', 'Ädä und Deleted person, Deleted person’s'],
])('scrubs %j to %j', (text, left) => {
  expect(ada.text(text)).toBe(left);
  // Scrubbing again changes nothing.
  expect(ada.text(left)).toBe(left);
});

test('scrubs every string in JSON and changes nothing else', () => {
  const value = { a: ['Ada', 1, null, { b: 'ada@example.org', c: true }], Ada: 'x' };
  expect(ada.value(value)).toEqual({ a: ['Deleted person', 1, null, { b: 'erased', c: true }], Ada: 'x' });
});

test('changes nothing for a person without names', () => {
  const empty = createNameScrub({ emails: [], logins: [], names: [], pictures: [] });
  expect(empty.text('Ada')).toBe('Ada');
  expect(empty.needles).toEqual([]);
});
