// @vitest-environment node
import { expect, test } from 'vitest';
import { theme } from './theme.ts';

test('a tooltip closes after 100 ms and has an offset of 10 px (spec 9)', () => {
  expect(theme.components?.Tooltip?.defaultProps).toEqual({ closeDelay: 100, offset: 10 });
});
