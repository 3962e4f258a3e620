import { serviceOf } from '@sightline/sandbox/code-host-service.ts';
import { createToken, type Gitea, type GiteaScope } from '@sightline/sandbox/gitea/instance.ts';
import { codeHost } from '@sightline/sandbox/gitea/service.ts';
import { createOutbound } from '#core/outbound.ts';
import type { GrantedHost } from '../connectable.ts';
import { type SandboxGithub, startSandboxGithub } from '../github/sandbox.fixture.ts';
import { openGitea } from './gitea.ts';

/** The Forgejo or Gitea of a sandbox. */
export interface SandboxGitea extends SandboxGithub {
  baseURL: string;
  gitea: Gitea;
  /** What the server offers to every organization. */
  codeHosts: { gitea: { url: string; sandboxPage: undefined } };
  /** Creates a token of a user, by default of `ada` with every scope. */
  tokenOf: (login?: string, scopes?: GiteaScope[]) => string;
  open: (token: string) => GrantedHost;
}

export async function startSandboxGitea(
  repositories: string[],
  options: Parameters<typeof startSandboxGithub>[1] = {},
): Promise<SandboxGitea> {
  const github = await startSandboxGithub(repositories, options);
  const { gitea, path } = serviceOf(github.sandbox.codeHosts, codeHost);
  const baseURL = `${github.sandbox.url}${path}`;
  const outbound = createOutbound([new URL(baseURL).origin]);
  return {
    ...github,
    baseURL,
    gitea,
    codeHosts: { gitea: { url: baseURL, sandboxPage: undefined } },
    tokenOf: (login = 'ada', scopes = ['all']) => createToken(gitea, github.user(login), scopes),
    open: (token) => openGitea(outbound, baseURL, async () => token),
  };
}
