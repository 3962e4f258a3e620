import {
  createToken,
  type DataCenter,
  type TokenPermission,
} from '@sightline/sandbox/bitbucket-data-center/instance.ts';
import { codeHost } from '@sightline/sandbox/bitbucket-data-center/service.ts';
import { serviceOf } from '@sightline/sandbox/code-host-service.ts';
import { createOutbound } from '#core/outbound.ts';
import type { GrantedHost } from '../connectable.ts';
import { type SandboxGithub, startSandboxGithub } from '../github/sandbox.fixture.ts';
import { openDataCenter } from './data-center.ts';

/** The Bitbucket Data Center of a sandbox. */
export interface SandboxDataCenter extends SandboxGithub {
  baseURL: string;
  dataCenter: DataCenter;
  /** What the server offers to every organization. */
  codeHosts: { 'bitbucket-data-center': { url: string; sandboxPage: undefined } };
  /** Creates a token of a user, by default of `ada` with the permission to administer. */
  tokenOf: (login?: string, permission?: TokenPermission) => string;
  open: (token: string) => GrantedHost;
}

export async function startSandboxDataCenter(
  repositories: string[],
  options: Parameters<typeof startSandboxGithub>[1] = {},
): Promise<SandboxDataCenter> {
  const github = await startSandboxGithub(repositories, options);
  const { dataCenter, path } = serviceOf(github.sandbox.codeHosts, codeHost);
  const baseURL = `${github.sandbox.url}${path}`;
  const outbound = createOutbound([new URL(baseURL).origin]);
  return {
    ...github,
    baseURL,
    dataCenter,
    codeHosts: { 'bitbucket-data-center': { url: baseURL, sandboxPage: undefined } },
    tokenOf: (login = 'ada', permission = 'REPO_ADMIN') => createToken(dataCenter, github.user(login), permission),
    open: (token) => openDataCenter(outbound, baseURL, async () => token),
  };
}
