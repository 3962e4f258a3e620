import { createToken, type Scope } from '@sightline/sandbox/gitlab/instance.ts';
import { createOutbound } from '#core/outbound.ts';
import { type SandboxGithub, startSandboxGithub } from '../github/sandbox.fixture.ts';
import { type GitlabHost, openGitlab } from './gitlab.ts';

/** The GitLab of a sandbox, as somebody with a token sees it. */
export interface SandboxGitlab extends SandboxGithub {
  baseURL: string;
  /** A new token of somebody, by login; of Ada with everything where nothing is said. */
  tokenOf: (login?: string, scopes?: Scope[]) => string;
  open: (token: string) => GitlabHost;
}

export async function startSandboxGitlab(repositories: string[]): Promise<SandboxGitlab> {
  const github = await startSandboxGithub(repositories, {
    gitlabCallbackUrls: ['http://localhost/_integrations/gitlab'],
  });
  const baseURL = `${github.sandbox.url}/gitlab`;
  const outbound = createOutbound([new URL(baseURL).origin]);
  return {
    ...github,
    baseURL,
    tokenOf: (login = 'ada', scopes = ['api']) => createToken(github.sandbox.gitlab, github.user(login), scopes),
    open: (token) => openGitlab(outbound, baseURL, async () => token),
  };
}
