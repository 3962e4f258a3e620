import fc from 'fast-check';
import { expect, test } from 'vitest';
import { propertyRuns } from '../../../scripts/properties.ts';
import { sitePath } from '../core/text.ts';

const origin = 'https://sightline.example';
const runs = propertyRuns(200);

test.each(['/', '/integrations/source-code-management', '/a?b=c#d', '/a//b', '/@evil.example', '/a:b'])(
  'accepts %s as a path of the site',
  (path) => {
    expect(sitePath.parse(path)).toBe(path);
  },
);

test.each([
  '',
  'evil.example',
  '//evil.example',
  '/\\evil.example',
  '\\\\evil.example',
  '/a\\..\\b',
  'https://evil.example',
  'javascript:alert(1)',
  '/\t/evil.example',
  '/\n/evil.example',
  ' //evil.example',
  '/ /evil.example',
  '/\u00a0',
  '/\0',
])('rejects %j', (path) => {
  expect(sitePath.safeParse(path).success).toBe(false);
});

test('accepts only addresses that a browser resolves to the site', () => {
  const hostile = fc.array(
    fc.constantFrom(
      '/',
      '\\',
      '.',
      '..',
      ':',
      '@',
      '?',
      '#',
      '%2f',
      '%5c',
      '\t',
      '\n',
      '\r',
      ' ',
      '\u0001',
      'evil.example',
      'https',
      'javascript',
      '\ufeff',
    ),
    { maxLength: 8 },
  );
  const path = fc.oneof(
    hostile.map((parts) => `/${parts.join('')}`),
    hostile.map((parts) => parts.join('')),
    fc.string(),
  );
  fc.assert(
    fc.property(path, (value) => {
      if (!sitePath.safeParse(value).success) return;
      expect(new URL(value, origin).origin).toBe(origin);
      expect(new URL(value, `${origin}/deep/er?q#h`).origin).toBe(origin);
    }),
    { numRuns: runs },
  );
});
