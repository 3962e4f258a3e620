import { afterEach, expect, test } from 'vitest';
import { readQuery } from './readQuery.ts';

afterEach(() => document.head.replaceChildren());

test('rejects parts of words unless the server supports them', () => {
  expect(readQuery('kind:commit *ledg*')).toMatchObject({ problem: { start: 12, end: 18 } });
  document.head.innerHTML = '<meta name="sightline-parts" content="on">';
  expect(readQuery('kind:commit *ledg*')).toHaveProperty('node');
});
