import type { Provider } from '@sightline/contract/core/providers.ts';
import type { EgressProxies } from '#core/egress.ts';
import { createOutbound } from '#core/outbound.ts';
import { storedSecretOf } from './bitbucket/secrets.ts';
import { createBitbucketTransport } from './bitbucket/transport.ts';
import { createGithubTokenApi } from './github/client.ts';
import { createGitlabApi } from './gitlab/transport.ts';

/** A code host and a token that a user of the command line gives for one run. */
export interface HostReading {
  provider: Provider;
  /** The address of the code host, checked by `parseDestination`. */
  url: URL;
  /** The address of its REST API, without a slash at its end. */
  apiUrl: string;
  token: string;
  /** The account of an API token of Bitbucket. */
  email: string | undefined;
  proxies: EgressProxies;
}

/**
 * Returns a function that reads a path of the API with a token and no other access. It sends only GET requests, to this
 * code host alone, and throws the errors of CodeHost.
 */
export function createHostReader(reading: HostReading): (path: string) => Promise<unknown> {
  const { provider, url, apiUrl, token, email, proxies } = reading;
  if (provider === 'github') {
    const ask = createGithubTokenApi({ apiUrl, url: url.origin }, token);
    return async (path) => (await ask(`GET ${path}`)).data;
  }
  if (provider === 'gitlab') {
    const base = apiUrl.replace(/\/api\/v4$/, '');
    // The user of the command line decides which addresses of their own network they connect to.
    const ask = createGitlabApi(createOutbound([url.origin], { proxies }), base, async () => token);
    return async (path) => (await ask(`/api/v4${path}`)).data;
  }
  const secret = storedSecretOf(token, email);
  return createBitbucketTransport(apiUrl, async () => secret).json;
}
