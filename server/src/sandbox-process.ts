import { fork } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type ScannerName, scannerNames } from '@sightline/contract/core/scan-sources.ts';
import { z } from 'zod';
import type { Config, GithubConfig, ScannerConfig, ScannerConfigs, SlackConfig, TrackersConfig } from '#config.ts';
import { pathOfProgram } from '#core/programs.ts';
import type { BitbucketConfig } from './config-bitbucket.ts';
import type { GitlabConfig } from './config-gitlab.ts';
import { githubLogin, googleLogin, type UpstreamConfig } from './config-logins.ts';

const checkout = fileURLToPath(new URL('../..', import.meta.url));

const introduction = z.object({
  url: z.string(),
  apiUrl: z.string(),
  issuer: z.string(),
  bitbucket: z.object({ url: z.string(), apiUrl: z.string() }),
  /** Other code hosts by name, with the page that creates tokens. */
  codeHosts: z.record(z.string(), z.object({ url: z.string(), sandboxPage: z.string() })),
  appId: z.number(),
  appSlug: z.string(),
  clientId: z.string(),
  clientSecret: z.string(),
  webhookSecret: z.string(),
  privateKeyPem: z.string(),
});

export interface SandboxProcess {
  github: GithubConfig;
  slack: SlackConfig;
  trackers: TrackersConfig;
  scanners: ScannerConfigs;
  gitlab: GitlabConfig;
  codeHosts: Config['codeHosts'];
  bitbucket: BitbucketConfig;
  /** Local stand-ins for the logins of GitHub and Google. */
  upstreams: UpstreamConfig[];
  /** The addresses of the sandbox that every organization may reach. */
  destinations: string[];
  stop: () => void;
}

/**
 * Starts the local stand-in for code hosts in its own process and returns its addresses. Returns undefined if no
 * repository is configured and `folder`, the default, has no Git history because it was not cloned. Throws with the
 * message of the sandbox if it cannot start, such as for a path without a repository.
 */
export async function startSandboxProcess(config: Config, folder = checkout): Promise<SandboxProcess | undefined> {
  // A repository in a parent of this folder is not part of the installation.
  if (!config.SANDBOX_REPOSITORIES && !existsSync(join(folder, '.git'))) return undefined;
  const repositories = config.SANDBOX_REPOSITORIES ?? [folder];
  const child = fork(
    pathOfProgram('sandbox'),
    [
      ...repositories.flatMap((path) => ['--repo', path]),
      ...['--port', String(config.PORT === 0 ? 0 : config.PORT + 1)],
      ...['--data', `${config.dataDir}/sandbox`],
      ...['--deliver-to', `${config.PUBLIC_URL}/api/webhooks/github`],
      ...['--setup-url', `${config.PUBLIC_URL}/_/integrations/github`],
      ...['--callback-url', `${config.PUBLIC_URL}/_/integrations/github`],
      ...['--callback-url', `${config.PUBLIC_URL}/_/integrations/bitbucket`],
      ...['--callback-url', `${config.PUBLIC_URL}/oidc/upstream/github/callback`],
      ...['--gitlab-callback', `${config.PUBLIC_URL}/_/integrations/gitlab`],
      ...['--oidc-callback', config.PUBLIC_URL],
    ],
    // A separate process group: Ctrl-C reaches the server, which stops the sandbox after its own work.
    { stdio: ['ignore', 'ignore', 'pipe', 'ipc'], detached: true },
  );
  let complaint = '';
  child.stderr?.on('data', (chunk: Buffer) => {
    complaint = `${complaint}${chunk.toString()}`.slice(-2000);
  });
  const message = await new Promise<unknown>((resolve, reject) => {
    child.once('message', resolve);
    child.once('error', reject);
    child.once('exit', () => reject(new Error(`The sandbox could not start. ${complaint.trim()}`)));
  });
  const introduced = introduction.parse(message);
  const { url, apiUrl, issuer, bitbucket, codeHosts, clientId, clientSecret } = introduced;
  return {
    github: {
      url,
      apiUrl,
      appId: String(introduced.appId),
      slug: introduced.appSlug,
      privateKey: introduced.privateKeyPem,
      clientId,
      clientSecret,
      webhookSecret: introduced.webhookSecret,
      sandbox: true,
    },
    bitbucket: {
      ...bitbucket,
      client: { id: clientId, secret: clientSecret },
      sandboxPage: `${bitbucket.url}/account/api-tokens`,
    },
    gitlab: {
      url: `${url}/gitlab`,
      client: { id: clientId, secret: clientSecret },
      sandboxPage: `${url}/gitlab/-/user_settings/personal_access_tokens`,
    },
    codeHosts,
    slack: { apiURL: `${url}/slack/api`, isDefault: false, sandboxPage: `${url}/slack` },
    trackers: { linearURL: `${url}/linear`, sandboxPage: `${url}/trackers` },
    scanners: scannersOf(url),
    upstreams: [
      { ...githubLogin, url, apiUrl, clientId, clientSecret, trustEmail: false, sandbox: true },
      { ...googleLogin, url: issuer, clientId, clientSecret, trustEmail: false, sandbox: true },
    ],
    destinations: [new URL(url).origin],
    stop: () => child.disconnect(),
  };
}

// Checkmarx One is at the root of the sandbox, other scanners below their name.
const scannersOf = (url: string): ScannerConfigs =>
  Object.fromEntries(
    scannerNames.map((name) => [
      name,
      { baseURL: name === 'checkmarx' ? url : `${url}/${name}`, isDefault: false, sandboxPage: `${url}/${name}` },
    ]),
  ) as Record<ScannerName, ScannerConfig>;
