import type { Bitbucket } from '../bitbucket/bitbucket.ts';
import { scanAgain } from '../checkmarx/scans.ts';
import type { Tenant } from '../checkmarx/tenant.ts';
import { fullName, type Host } from '../github/host.ts';
import type { GitlabInstance } from '../gitlab/instance.ts';
import { bitbucketWebhookSender } from '../planted/bitbucket-webhook-sender.ts';
import { githubWebhookSender } from '../planted/github-webhook-sender.ts';
import { gitlabWebhookSender } from '../planted/gitlab-webhook-sender.ts';
import { sendScenarioWebhooks } from '../planted/send-webhooks.ts';
import { simulateChanges } from '../planted/simulate-changes.ts';
import type { HostedDemo } from './demo.ts';
import { addPullRequests } from './history.ts';
import type { ConnectedServices } from './services.ts';
import { plantTickets } from './tickets.ts';
import { writeHistory } from './write-history.ts';

/** The simulated services that the demo uses. */
export type DemoServices = {
  host: Host;
  gitlab: GitlabInstance;
  bitbucket: Bitbucket;
  tenant: Tenant;
  connected: ConnectedServices;
};

const CHANGES_PER_REPOSITORY = 4;

/** Merges a few pull requests in each repository of the demo now, with the webhooks of its host. */
export const playChanges = async (services: DemoServices, demos: readonly HostedDemo[]): Promise<void> => {
  for (const demo of demos) await playIn(services, demo);
};

const playIn = async (services: DemoServices, demo: HostedDemo): Promise<void> => {
  const { repository, history } = demo;
  const now = Date.now();
  const added = addPullRequests(history, CHANGES_PER_REPOSITORY, now);
  plantTickets(services.connected.jira, added);
  demo.shas = await writeHistory(repository.git.path, history, { tip: history.tip, written: demo.shas });
  const changes = added.map(({ change }) => change);
  const played = await simulateChanges(services.host, { repository, shas: demo.shas, changes, until: now });
  await sendScenarioWebhooks(senderOf(services, demo), repository, played);
};

const senderOf = ({ host, gitlab, bitbucket }: DemoServices, { repository, history }: HostedDemo) => {
  switch (history.repository.host) {
    case 'github':
      return githubWebhookSender(host, repository);
    case 'gitlab':
      return gitlabWebhookSender(gitlab, repository);
    case 'bitbucket':
      return bitbucketWebhookSender(bitbucket, repository);
  }
};

/** Age in days of each further finding of a first scan, and the numbers that the second scan adds and no longer has. */
const DAYS_PER_FINDING = 38;
const FINDINGS = 15;

/** Gives each project of the demo a first scan at `at`, with findings of up to one and a half years. */
export const plantScans = (tenant: Tenant, demos: readonly HostedDemo[], at: number): void => {
  for (const project of projectsOf(tenant, demos)) {
    const { git } = project.source;
    tenant.kept.scans.push({
      id: project.id,
      projectId: project.id,
      branch: project.mainBranch,
      commit: git.refs.get(`refs/heads/${git.defaultBranch}`) ?? '',
      status: 'Completed',
      createdAt: new Date(at).toISOString(),
      seeds: Array.from({ length: FINDINGS }, (_, index) => index),
      daysPerFinding: DAYS_PER_FINDING,
    });
  }
  tenant.save();
};

/** Scans each project of the demo again: three findings are fixed, and two are new. */
export const scanDemoAgain = async (tenant: Tenant, demos: readonly HostedDemo[]): Promise<void> => {
  for (const project of projectsOf(tenant, demos)) await scanAgain(tenant, project, { add: 2, remove: 3 });
};

const projectsOf = ({ projects }: Tenant, demos: readonly HostedDemo[]) => {
  const names = new Set(demos.map(({ repository }) => fullName(repository)));
  return projects.filter(({ repository }) => names.has(repository));
};
