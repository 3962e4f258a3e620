import fc from 'fast-check';
import { afterEach, expect, test } from 'vitest';
import { propertyRuns } from '../../../scripts/properties.ts';
import { consumePath, storePath, toSitePath } from './site-path.ts';
import { setStored } from './storage.ts';

afterEach(() => localStorage.clear());

const origin = window.location.origin;
// Parts that browsers could interpret as another site, mixed with others.
const tricky = fc
  .array(
    fc.oneof(
      fc.constantFrom('/', '\\', '//', '.', '..', '@', ':', '\t', '\n', '%2f', 'evil.example', '?', '#', 'javascript:'),
      fc.string(),
    ),
  )
  .map((parts) => parts.join(''));

test('keeps stored addresses on this site, also when they are read again', () => {
  fc.assert(
    fc.property(
      fc.oneof(
        tricky,
        tricky.map((suffix) => `/${suffix}`),
        fc.webUrl(),
      ),
      (given) => {
        const path = toSitePath(given);
        if (path === undefined) return;
        expect(new URL(path, origin).origin).toBe(origin);
        expect(path.startsWith('//')).toBe(false);
        expect(toSitePath(path)).toBe(path);
      },
    ),
    { numRuns: propertyRuns(200) },
  );
});

test.each(['/', '/repositories?page=2&search=a,b', '/repository/github/acme/api#pull-requests'])(
  'stores %s',
  (path) => {
    storePath('initialUrl', path);
    expect(consumePath('initialUrl')).toBe(path);
    expect(consumePath('initialUrl')).toBeUndefined();
  },
);

test.each(['//evil.example', '/\\evil.example', '/.//evil.example', 'https://evil.example', '/\t/evil.example', ''])(
  'does not store %j',
  (path) => {
    storePath('returnUrl', path);
    expect(consumePath('returnUrl')).toBeUndefined();
  },
);

test('validates stored values when reading them', () => {
  setStored('returnUrl', '//evil.example');
  expect(consumePath('returnUrl')).toBeUndefined();
});
