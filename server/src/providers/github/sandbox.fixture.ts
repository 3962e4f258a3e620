import { generateKeyPairSync, randomUUID } from 'node:crypto';
import type { User } from '@sightline/sandbox/git/users.ts';
import { accountsOf, type Installation, peopleOf } from '@sightline/sandbox/github/host.ts';
import { install, type Selection } from '@sightline/sandbox/github/installations.ts';
import { issueCode } from '@sightline/sandbox/github/oauth.ts';
import type { SandboxOptions } from '@sightline/sandbox/options.ts';
import { type Sandbox, startSandbox } from '@sightline/sandbox/server.ts';
import { type GithubConfig, readConfig } from '#config.ts';

const { privateKey, publicKey } = generateKeyPairSync('rsa', {
  modulusLength: 2048,
  privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
  publicKeyEncoding: { type: 'spki', format: 'pem' },
});

export const webhookSecret = 'a secret of webhooks';

/** A local GitHub with real git repositories, and the environment and configuration of the server for it. */
export interface SandboxGithub {
  sandbox: Sandbox;
  environment: Record<string, string>;
  config: GithubConfig;
  /** Installs the app on the only account as its first committer. */
  install: (selection?: Selection) => Installation;
  /** A user by login. */
  user: (login: string) => User;
  /** The code that GitHub adds to the redirect of a user after the installation. */
  codeFor: (user: User) => string;
  /** Calls a control endpoint of the sandbox, for example to inject faults. */
  control: (path: string, body: object) => Promise<void>;
  close: () => Promise<void>;
}

export async function startSandboxGithub(
  repositories: string[],
  options: Partial<SandboxOptions> = {},
): Promise<SandboxGithub> {
  const clientSecret = randomUUID();
  const sandbox = await startSandbox({
    port: 0,
    repositories,
    webhookSecret,
    appId: 77,
    appSlug: 'sightline-sandbox',
    publicKeyPem: publicKey,
    clientId: 'Iv1.sandbox',
    clientSecret,
    // Tests refresh the refs explicitly.
    pollMs: 3_600_000,
    ...options,
  });
  const { host } = sandbox;
  const environment = {
    GITHUB_URL: sandbox.url,
    GITHUB_APP_ID: '77',
    GITHUB_APP_SLUG: 'sightline-sandbox',
    GITHUB_APP_PRIVATE_KEY: privateKey,
    GITHUB_APP_CLIENT_ID: 'Iv1.sandbox',
    GITHUB_APP_CLIENT_SECRET: clientSecret,
    GITHUB_WEBHOOK_SECRET: webhookSecret,
  };
  const { github: config } = readConfig({ NODE_ENV: 'test', ...environment });
  if (!config) throw new Error('no GitHub configuration');
  return {
    sandbox,
    environment,
    config,
    install(selection = 'all') {
      const [account] = accountsOf(host);
      const [user] = peopleOf(host);
      if (!account || !user) throw new Error('the sandbox has no account with people');
      return install(host, account, selection, user);
    },
    user(login) {
      const user = host.users.byLogin.get(login);
      if (!user) throw new Error(`the sandbox has no user ${login}, only ${[...host.users.byLogin.keys()]}`);
      return user;
    },
    codeFor: (user) => issueCode(host, user),
    async control(path, body) {
      const answer = await fetch(`${sandbox.url}/_sandbox/${path}`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify(body),
      });
      if (!answer.ok) throw new Error(`the sandbox answered ${answer.status} to ${path}`);
    },
    close: sandbox.close,
  };
}
