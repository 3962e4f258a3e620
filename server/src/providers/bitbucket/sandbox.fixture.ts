import { type BitbucketScope, createApiToken, createWorkspaceToken } from '@sightline/sandbox/bitbucket/bitbucket.ts';
import { type SandboxGithub, startSandboxGithub } from '../github/sandbox.fixture.ts';

/** The Bitbucket of a sandbox. */
export interface SandboxBitbucket extends SandboxGithub {
  baseURL: string;
  /** Creates an API token of the user Ada, for use with her email address. */
  apiToken: () => { token: string; email: string };
  /** Creates an access token of a workspace, by default of `sandbox`. */
  workspaceToken: (scopes?: BitbucketScope[], workspace?: string) => { token: string; workspace: string };
  /** Authorizes a sign-in like a user in a browser. Returns the URL of the redirect. */
  authorize: (authorizationURL: string, login: string) => Promise<URL>;
}

export async function startSandboxBitbucket(
  repositories: string[],
  publicURL = 'http://localhost:1',
): Promise<SandboxBitbucket> {
  const callbackUrl = `${publicURL}/_/integrations/bitbucket`;
  const github = await startSandboxGithub(repositories, { callbackUrl });
  const { bitbucket } = github.sandbox;
  return {
    ...github,
    environment: {
      ...github.environment,
      BITBUCKET_URL: bitbucket.url,
      BITBUCKET_CLIENT_ID: github.config.clientId,
      BITBUCKET_CLIENT_SECRET: github.config.clientSecret,
    },
    baseURL: bitbucket.url,
    apiToken: () => ({ token: createApiToken(bitbucket, github.user('ada')), email: 'ada@example.org' }),
    workspaceToken: (scopes, workspace = 'sandbox') => ({
      token: createWorkspaceToken(bitbucket, workspace, scopes),
      workspace,
    }),
    async authorize(authorizationURL, login) {
      const { origin, pathname, searchParams } = new URL(authorizationURL);
      const body = new URLSearchParams({ ...Object.fromEntries(searchParams), login });
      const answer = await fetch(`${origin}${pathname}`, { method: 'POST', body, redirect: 'manual' });
      return new URL(answer.headers.get('location') ?? '');
    },
  };
}
