// @vitest-environment node
import { expect, test } from 'vitest';
import { theme } from './theme.ts';

test('closes a tooltip after 100 ms and offsets it by 10 px (spec 9)', () => {
  expect(theme.components?.Tooltip?.defaultProps).toEqual({ closeDelay: 100, offset: 10 });
});
