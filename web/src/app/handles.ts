import { loginOfHandle } from '#lib/profile.ts';

// Pages and files that the server renders.
const ofServer = [
  'api',
  'assets',
  'contact',
  'downloads',
  'mcp',
  'metrics',
  'oidc',
  'outbox',
  'privacy',
  'terms',
  'verify',
];

/** First URL segments that cannot be logins: the names of all pages in `paths`. */
export const reservedHandles = (paths: readonly string[]): ReadonlySet<string> =>
  new Set([...ofServer, ...paths.map((path) => path.split('/')[1] ?? '').filter((name) => /^[a-z]/.test(name))]);

/** Whether a segment can be a login at a code host (GitHub's rule, the narrowest), with or without its @. */
export const isHandle = (segment: string): boolean => /^[a-z\d](?:-?[a-z\d]){0,38}$/i.test(loginOfHandle(segment));
