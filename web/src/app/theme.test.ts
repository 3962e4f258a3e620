// @vitest-environment node
import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { theme } from './theme.ts';

const tokens = readFileSync(new URL('./tokens.css', import.meta.url), 'utf8');

test('a tooltip closes after 100 ms and has an offset of 10 px (spec 9)', () => {
  expect(theme.components?.Tooltip?.defaultProps).toEqual({ closeDelay: 100, offset: 10 });
});

test('the sidebar is 264 px wide, a page at most 1440 px (spec 2.3)', () => {
  expect(tokens).toMatch(/^ {2}--ui-sidebar: 264px;$/m);
  expect(tokens).toMatch(/^ {2}--ui-page: 1440px;$/m);
});
