import type { ReconciledHost } from './host-merges.ts';

const clouds: Readonly<Record<string, ReconciledHost>> = {
  'github.com': 'github',
  'gitlab.com': 'gitlab',
  'bitbucket.org': 'bitbucket',
};

/** The kind of a code host that is known by its name; undefined for every other. */
export const hostKindOf = ({ host }: Pick<URL, 'host'>): ReconciledHost | undefined =>
  Object.hasOwn(clouds, host) ? clouds[host] : undefined;

/** Why a token must not be sent to a URL, as the end of a sentence; undefined if it may. */
export function hostUrlProblem({ protocol, hostname, username, password, search, hash }: URL): string | undefined {
  if (protocol !== 'https:' && !(protocol === 'http:' && loopbacks.includes(hostname)))
    return 'must start with https://';
  if (username !== '' || password !== '') return 'must not contain a user name or password';
  if (search !== '' || hash !== '') return 'must be the address of the code host alone';
  return undefined;
}

/** Nothing leaves the machine of the auditor there. */
const loopbacks = ['localhost', '127.0.0.1', '[::1]'];

/** The address of a code host without a slash at its end. */
const addressOf = ({ origin, pathname }: URL): string => `${origin}${pathname.replace(/\/+$/, '')}`;

const apis: Readonly<Record<ReconciledHost, (url: URL) => string>> = {
  github: (url) => (url.host === 'github.com' ? 'https://api.github.com' : `${addressOf(url)}/api/v3`),
  gitlab: (url) => `${addressOf(url)}/api/v4`,
  bitbucket: (url) => (url.host === 'bitbucket.org' ? 'https://api.bitbucket.org/2.0' : `${addressOf(url)}/2.0`),
};

/** The address of the REST API of a code host, without a slash at its end. */
export const apiAddressOf = (host: ReconciledHost, url: URL): string => apis[host](url);
