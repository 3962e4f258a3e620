import type { GithubConfig } from '#config.ts';
import type { CodeHost, HostAlerts, HostCode } from '#providers/code-host.ts';
import type { HostEvidence } from '#providers/host-evidence.ts';
import { createAlertReader } from './alert-reader.ts';
import { createClients } from './client.ts';
import { createCode } from './code.ts';
import { createComments } from './comments.ts';
import { createCopilot } from './copilot.ts';
import { createEvidence } from './evidence.ts';
import { createFailedDeliveries, type FailedDeliveries } from './failed-deliveries.ts';
import { createInstallations, type GithubInstallations } from './installations.ts';
import { createPullRequestLists } from './pull-request-lists.ts';
import { createReads } from './reads.ts';
import { createStatuses } from './statuses.ts';
import { createTreeChanges } from './tree-changes.ts';

/** GitHub with the access of an app: a code host with all features, installations and failed deliveries. */
export interface Github extends CodeHost, GithubInstallations, FailedDeliveries {
  alerts: HostAlerts;
  evidence: Required<Omit<HostEvidence, 'wasForced' | 'namesMergeCommits'>>;
  blame: NonNullable<HostCode['blame']>;
  listChanges: NonNullable<CodeHost['listChanges']>;
  getPullRequests: NonNullable<CodeHost['getPullRequests']>;
  config: GithubConfig;
}

export function createGithub(config: GithubConfig): Github {
  const clients = createClients(config);
  return {
    config,
    ...createReads(clients.asInstallation),
    alerts: createAlertReader(clients.asInstallation),
    ...createStatuses(clients.asInstallation),
    comments: createComments(clients.asInstallation),
    evidence: createEvidence(config.apiUrl, clients),
    copilot: createCopilot(clients.asInstallation),
    listChanges: createTreeChanges(config.apiUrl, clients),
    getPullRequests: createPullRequestLists(config.apiUrl, clients),
    ...createCode(config.apiUrl, clients),
    ...createInstallations(config, clients),
    ...createFailedDeliveries(clients.asApp),
  };
}
