// @vitest-environment node
import { expect, test } from 'vitest';
import { theme } from './theme.ts';

test('a tooltip leaves after 100 ms and stands 10 px away (spec 9)', () => {
  expect(theme.components?.Tooltip?.defaultProps).toEqual({ closeDelay: 100, offset: 10 });
});
