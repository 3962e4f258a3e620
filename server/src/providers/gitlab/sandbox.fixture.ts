import { createToken, type GitlabScope } from '@sightline/sandbox/gitlab/instance.ts';
import { createOutbound } from '#core/outbound.ts';
import type { GrantedHost } from '../connectable.ts';
import { type SandboxGithub, startSandboxGithub } from '../github/sandbox.fixture.ts';
import { openGitlab } from './gitlab.ts';

/** The GitLab of a sandbox. */
export interface SandboxGitlab extends SandboxGithub {
  baseURL: string;
  /** Creates a token of a user, by default of `ada` with the scope `api`. */
  tokenOf: (login?: string, scopes?: GitlabScope[]) => string;
  open: (token: string) => GrantedHost;
  /** Authorizes a sign-in like a user in a browser. Returns the URL of the redirect. */
  authorize: (authorizationURL: string, login: string) => Promise<URL>;
}

export async function startSandboxGitlab(
  repositories: string[],
  publicURL = 'http://localhost:1',
  options: Parameters<typeof startSandboxGithub>[1] = {},
): Promise<SandboxGitlab> {
  const github = await startSandboxGithub(repositories, {
    gitlabCallbackUrls: [`${publicURL}/_/integrations/gitlab`],
    ...options,
  });
  const baseURL = `${github.sandbox.url}/gitlab`;
  const outbound = createOutbound([new URL(baseURL).origin]);
  return {
    ...github,
    environment: {
      ...github.environment,
      GITLAB_URL: baseURL,
      GITLAB_CLIENT_ID: github.config.clientId,
      GITLAB_CLIENT_SECRET: github.config.clientSecret,
    },
    baseURL,
    tokenOf: (login = 'ada', scopes = ['api']) => createToken(github.sandbox.gitlab, github.user(login), scopes),
    open: (token) => openGitlab(outbound, baseURL, async () => token),
    async authorize(authorizationURL, login) {
      const { origin, pathname, searchParams } = new URL(authorizationURL);
      const body = new URLSearchParams({ ...Object.fromEntries(searchParams), login });
      const answer = await fetch(`${origin}${pathname}`, { method: 'POST', body, redirect: 'manual' });
      return new URL(answer.headers.get('location') ?? '');
    },
  };
}
