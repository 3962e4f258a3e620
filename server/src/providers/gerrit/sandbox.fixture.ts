import { serviceOf } from '@sightline/sandbox/code-host-service.ts';
import { createPassword, type Gerrit } from '@sightline/sandbox/gerrit/instance.ts';
import { codeHost } from '@sightline/sandbox/gerrit/service.ts';
import { createOutbound } from '#core/outbound.ts';
import type { GrantedHost } from '../connectable.ts';
import { type SandboxGithub, startSandboxGithub } from '../github/sandbox.fixture.ts';
import { openGerrit } from './gerrit.ts';
import { storedSecretOf } from './transport.ts';

/** The Gerrit of a sandbox. */
export interface SandboxGerrit extends SandboxGithub {
  baseURL: string;
  gerrit: Gerrit;
  /** What the server offers to every organization. */
  codeHosts: { gerrit: { url: string; sandboxPage: undefined } };
  /** Creates the HTTP password of a user, by default of `ada`. */
  passwordOf: (login?: string) => string;
  /** Opens the host with a stored secret, by default of `ada`. */
  open: (secret?: string) => GrantedHost;
}

export async function startSandboxGerrit(
  repositories: string[],
  options: Parameters<typeof startSandboxGithub>[1] = {},
): Promise<SandboxGerrit> {
  const github = await startSandboxGithub(repositories, options);
  const { gerrit, path } = serviceOf(github.sandbox.codeHosts, codeHost);
  const baseURL = `${github.sandbox.url}${path}`;
  const outbound = createOutbound([new URL(baseURL).origin]);
  const passwordOf = (login = 'ada') => createPassword(gerrit, github.user(login));
  return {
    ...github,
    baseURL,
    gerrit,
    codeHosts: { gerrit: { url: baseURL, sandboxPage: undefined } },
    passwordOf,
    open(secret = storedSecretOf('ada', passwordOf())) {
      return openGerrit(outbound, baseURL, async () => secret);
    },
  };
}
