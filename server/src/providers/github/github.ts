import type { GithubConfig } from '#config.ts';
import type { CodeHost } from '#providers/code-host.ts';
import { createClients } from './client.ts';
import { createInstallations, type Installations } from './installations.ts';
import { createReads } from './reads.ts';
import { isSigned } from './signature.ts';

/** GitHub as an app sees it: reads of a code host, plus what belongs to installations. */
export interface Github extends CodeHost, Installations {
  config: GithubConfig;
  /** Whether the bytes of a webhook come from GitHub. */
  verifyWebhook: (body: Buffer, signature: string) => boolean;
}

export function createGithub(config: GithubConfig): Github {
  const clients = createClients(config);
  return {
    config,
    ...createReads(clients.asInstallation),
    ...createInstallations(config, clients),
    verifyWebhook: (body, signature) => isSigned(config.webhookSecret, body, signature),
  };
}
