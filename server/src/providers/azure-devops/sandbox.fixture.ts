import { type AzureDevops, createToken, type TokenScope } from '@sightline/sandbox/azure-devops/collection.ts';
import { codeHost } from '@sightline/sandbox/azure-devops/service.ts';
import { serviceOf } from '@sightline/sandbox/code-host-service.ts';
import { createOutbound } from '#core/outbound.ts';
import type { GrantedHost } from '../connectable.ts';
import { type SandboxGithub, startSandboxGithub } from '../github/sandbox.fixture.ts';
import { openAzureDevops } from './azure-devops.ts';

/** The Azure DevOps of a sandbox. */
export interface SandboxAzureDevops extends SandboxGithub {
  baseURL: string;
  azureDevops: AzureDevops;
  /** What the server offers to every organization. */
  codeHosts: { 'azure-devops': { url: string; sandboxPage: undefined } };
  /** Creates a token of a user, by default of `ada` with every scope. */
  tokenOf: (login?: string, scopes?: TokenScope[]) => string;
  open: (token: string) => GrantedHost;
}

export async function startSandboxAzureDevops(
  repositories: string[],
  options: Parameters<typeof startSandboxGithub>[1] = {},
): Promise<SandboxAzureDevops> {
  const github = await startSandboxGithub(repositories, options);
  const { azureDevops, path } = serviceOf(github.sandbox.codeHosts, codeHost);
  const baseURL = `${github.sandbox.url}${path}`;
  const outbound = createOutbound([new URL(baseURL).origin]);
  return {
    ...github,
    baseURL,
    azureDevops,
    codeHosts: { 'azure-devops': { url: baseURL, sandboxPage: undefined } },
    tokenOf: (login = 'ada', scopes = ['full']) => createToken(azureDevops, github.user(login), scopes),
    open: (token) => openAzureDevops(outbound, baseURL, async () => token),
  };
}
