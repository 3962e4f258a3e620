import type { GithubConfig } from '#config.ts';
import type { CodeHost } from '#providers/code-host.ts';
import { type Alerts, createAlerts } from './alerts.ts';
import { createClients } from './client.ts';
import { type Code, createCode } from './code.ts';
import { createInstallations, type Installations } from './installations.ts';
import { createReads } from './reads.ts';
import { isSigned } from './signature.ts';

/** GitHub as an app sees it: reads of a code host, plus its scanners, the code itself, and what belongs to installations. */
export interface Github extends CodeHost, Installations, Alerts, Code {
  config: GithubConfig;
  /** Whether the bytes of a webhook come from GitHub. */
  verifyWebhook: (body: Buffer, signature: string) => boolean;
}

export function createGithub(config: GithubConfig): Github {
  const clients = createClients(config);
  return {
    config,
    ...createReads(clients.asInstallation),
    ...createAlerts(clients.asInstallation),
    ...createCode(config.apiUrl, clients),
    ...createInstallations(config, clients),
    verifyWebhook: (body, signature) => isSigned(config.webhookSecret, body, signature),
  };
}
