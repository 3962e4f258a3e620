import { createPublicKey } from 'node:crypto';
import formbody from '@fastify/formbody';
import Fastify, { type FastifyInstance } from 'fastify';
import { type Bitbucket, createBitbucket } from './bitbucket/bitbucket.ts';
import { bitbucketControl, bitbucketPath, bitbucketRoutes } from './bitbucket/routes.ts';
import { persistState as keepBitbucket } from './bitbucket/state.ts';
import { sendChangeWebhooks as followOnBitbucket } from './bitbucket/webhooks.ts';
import { apiRoutes } from './checkmarx/api.ts';
import { checkmarxControl } from './checkmarx/control.ts';
import { iamRoutes } from './checkmarx/iam.ts';
import { checkmarxPages } from './checkmarx/pages.ts';
import { createTenant, type Tenant } from './checkmarx/tenant.ts';
import { type CodeHostServices, createCodeHostServices } from './code-host-service.ts';
import { allowOtherOrigins } from './cross-origin.ts';
import { demoControl } from './demo/control.ts';
import { createDirectory, type Directory } from './directory/directory.ts';
import { directoryPages } from './directory/pages.ts';
import { watchRefs } from './git/watch.ts';
import { accessRoutes } from './github/access.ts';
import { activityRoutes } from './github/activity.ts';
import { alertControl } from './github/alerts/control.ts';
import { alertRoutes } from './github/alerts/routes.ts';
import { createAlertStore } from './github/alerts/store.ts';
import { appRoutes, deliveryRoutes } from './github/app.ts';
import { manifestPages, manifestRoutes } from './github/app-manifests.ts';
import { browsePages } from './github/browse-pages.ts';
import { commentRoutes } from './github/comments.ts';
import { commitRoutes } from './github/commits.ts';
import { contentRoutes } from './github/contents.ts';
import { controlRoutes } from './github/control.ts';
import { copilotControl, copilotFiles, copilotRoutes } from './github/copilot.ts';
import { tagAnswers } from './github/etags.ts';
import { type Fault, injectFaults, type LimitAnswer } from './github/faults.ts';
import { gitRefRoutes } from './github/git-refs.ts';
import { graphqlRoutes } from './github/graphql.ts';
import { createHost, type Host } from './github/host.ts';
import type { HostedRepository } from './github/hosted-repository.ts';
import { installPages } from './github/install-pages.ts';
import { fullLimit, limitRequests } from './github/limits.ts';
import { oauthRoutes } from './github/oauth.ts';
import { guardForms } from './github/page.ts';
import { requirePermissions } from './github/permissions.ts';
import { plantControl } from './github/plant-control.ts';
import { persistPlanted } from './github/planted-state.ts';
import { protectionRoutes } from './github/protection.ts';
import { pullRoutes } from './github/pulls.ts';
import { answerRefusals } from './github/refusal.ts';
import { repositoryRoutes } from './github/repositories.ts';
import { events, permissions } from './github/responses/installation.ts';
import { settingsPages } from './github/settings-pages.ts';
import { persistState } from './github/state.ts';
import { timelineRoutes } from './github/timeline.ts';
import { userRoutes } from './github/users.ts';
import { followRepository } from './github/webhook-events.ts';
import { createWebhooks } from './github/webhooks.ts';
import { gitlabOpenPaths, serveGitlab } from './gitlab/gitlab.ts';
import { createInstance, type GitlabInstance } from './gitlab/instance.ts';
import { createIssuer, issuerPath } from './oidc/issuer.ts';
import { oidcRoutes } from './oidc/routes.ts';
import type { SandboxOptions } from './options.ts';
import { createReceivers, type Receivers } from './receivers/receivers.ts';
import { serveReceivers } from './receivers/serve.ts';
import { samlPages } from './saml/pages.ts';
import { type Account, createAccount, scannerNames } from './scanners/account.ts';
import { scannerControl } from './scanners/control.ts';
import { serveScanners } from './scanners/serve.ts';
import { slackApi } from './slack/api.ts';
import { slackControl } from './slack/control.ts';
import { slackPages, slackPath } from './slack/pages.ts';
import { createWorkspace, type SlackWorkspace } from './slack/workspace.ts';
import { createWorkflows, type TeamsWorkflows, teamsControl, teamsRoutes } from './teams/workflows.ts';
import { trackerControl } from './trackers/control.ts';
import { createTrackers, serveTrackers, type Trackers } from './trackers/serve.ts';

/**
 * `refresh` reads the repositories now and resolves when the resulting webhooks are delivered; `settled` only waits for
 * pending ones. `deliverTo` changes the URL for webhooks.
 */
export type Sandbox = {
  url: string;
  /** URL of the OpenID Connect issuer; its clients use the ID and secret of the app. */
  issuer: string;
  host: Host;
  /** URL of Checkmarx One. */
  tenant: Tenant;
  /** The accounts of other scanners. */
  scanners: readonly Account[];
  gitlab: GitlabInstance;
  bitbucket: Bitbucket;
  /** The other code hosts, by name. */
  codeHosts: CodeHostServices;
  /** URL of the evidence receivers: Vanta, Drata, DefectDojo, and external controls of GitLab. */
  receivers: Receivers;
  slack: SlackWorkspace;
  teams: TeamsWorkflows;
  /** Pushes users and groups over SCIM 2.0; its page is below `url`. */
  directory: Directory;
  /** Jira and Linear. */
  trackers: Trackers;
  refresh: () => Promise<void>;
  settled: () => Promise<void>;
  deliverTo: (url: string) => void;
  close: () => Promise<void>;
};

/**
 * Starts a local GitHub over these repositories, with the other simulated services for the same people. Throws if a
 * path contains no repository or the port is in use.
 */
export const startSandbox = async (options: SandboxOptions): Promise<Sandbox> => {
  const host = await hostOf(options);
  if (options.stateFile !== undefined) persistState(host, options.stateFile);
  if (options.plantedFile !== undefined) await persistPlanted(host, options.plantedFile);
  const tenant = createTenant(host, options.webhookSecret, options.checkmarxFile);
  const scanners = scannerNames.map((name) => createAccount(name, host, options.scannersFolder));
  const gitlab = createInstance(host, options.gitlabCallbackUrls ?? [], options.gitlabFile);
  const bitbucket = bitbucketOf(host, options);
  const codeHosts = await createCodeHostServices(host, options.codeHostsFolder);
  const receivers = createReceivers();
  const directory = createDirectory(options.directoryFile);
  const trackers = createTrackers(() => host.url, { secret: options.webhookSecret, folder: options.trackersFolder });
  const slack = createWorkspace(host, options.slackFile);
  const teams = createWorkflows(host, options.webhookSecret, options.teamsFile);
  const services = { tenant, scanners, gitlab, bitbucket, codeHosts, directory, trackers, slack, teams };
  const server = await serverOf(host, services, options);
  await serveReceivers(server, gitlab, receivers);
  await serveChat(server, slack, teams);
  host.url = await server.listen({ port: options.port, host: options.host ?? '127.0.0.1' });
  host.api = `${host.url}/api/v3`;
  const bitbucketUrl = `${host.url}${bitbucketPath}`;
  Object.assign(bitbucket, { url: bitbucketUrl, api: `${bitbucketUrl}/2.0` });
  const watching = follow(host, options.pollMs ?? 1000);

  const settled = async (): Promise<void> => {
    await host.webhooks.settled();
    await tenant.hooks.settled();
    await bitbucket.deliveries.settled();
    await gitlab.deliveries.settled();
    for (const codeHost of codeHosts.values()) await codeHost.settled();
    for (const site of trackers.values()) await site.deliveries.settled();
  };
  const refresh = async (): Promise<void> => {
    await watching.refresh();
    await settled();
  };
  const close = async (): Promise<void> => {
    await watching.stop();
    await server.close();
    await settled();
  };
  const deliverTo = (url: string): void => {
    host.webhooks.config.url = url;
  };
  return {
    url: host.url,
    issuer: `${host.url}${issuerPath}`,
    host,
    tenant,
    scanners,
    gitlab,
    bitbucket,
    codeHosts,
    receivers,
    slack,
    teams,
    directory,
    trackers,
    refresh,
    settled,
    deliverTo,
    close,
  };
};

const hostOf = (options: SandboxOptions): Promise<Host> => {
  const key = options.publicKeyPem ?? options.privateKeyPem;
  if (key === undefined) throw new Error('The sandbox needs the key of the app: privateKeyPem or publicKeyPem.');
  const { appId, appSlug: slug = 'sightline-sandbox', clientId, clientSecret, setupUrl } = options;
  const [callbackUrl, ...otherCallbackUrls] = [options.callbackUrl ?? []].flat();
  const app = {
    appId,
    slug,
    publicKey: createPublicKey(key),
    clientId,
    clientSecret,
    setupUrl,
    callbackUrl,
    otherCallbackUrls,
    permissions: { ...permissions },
    events: [...events],
  };
  const webhooks = createWebhooks(appId, options.webhookSecret, options.deliverTo);
  return createHost(options.repositories, app, webhooks, createAlertStore(options.alerts ?? false));
};

const bitbucketOf = (host: Host, { bitbucketFile }: SandboxOptions): Bitbucket => {
  const bitbucket = createBitbucket(host);
  if (bitbucketFile !== undefined) keepBitbucket(bitbucket, bitbucketFile);
  host.followers.push((change) => followOnBitbucket(bitbucket, change));
  return bitbucket;
};

const serveChat = async (server: FastifyInstance, slack: SlackWorkspace, teams: TeamsWorkflows): Promise<void> => {
  await server.register(async (api) => slackApi(api, slack), { prefix: `${slackPath}/api` });
  slackPages(server, slack);
  teamsRoutes(server, teams);
  await server.register(
    async (control) => {
      slackControl(control, slack);
      teamsControl(control, teams);
    },
    { prefix: '/_sandbox' },
  );
};

/** The simulated services beside GitHub. */
type Services = Pick<
  Sandbox,
  'tenant' | 'scanners' | 'gitlab' | 'bitbucket' | 'codeHosts' | 'directory' | 'trackers' | 'slack' | 'teams'
>;

const serverOf = async (
  host: Host,
  { tenant, scanners, gitlab, bitbucket, codeHosts, directory, trackers, slack, teams }: Services,
  options: SandboxOptions,
): Promise<FastifyInstance> => {
  const { rateLimit = 15_000 } = options;
  const [faults, limitAnswers, limit] = [[] as Fault[], [] as LimitAnswer[], fullLimit(rateLimit)];
  const server = Fastify({ forceCloseConnections: true, routerOptions: { maxParamLength: 1000 } });
  answerRefusals(server);
  allowOtherOrigins(
    server,
    [...codeHosts.values()].map(({ apiPath }) => apiPath),
  );
  injectFaults(server, faults, limitAnswers);
  const openPaths = [...codeHosts.values()].flatMap((codeHost) => codeHost.openPaths ?? []);
  guardForms(server, [`${issuerPath}/token`, ...gitlabOpenPaths, ...openPaths]);
  await server.register(formbody);
  await server.register(
    async (rest) => {
      answerRefusals(rest);
      tagAnswers(rest);
      limitRequests(rest, limit, limitAnswers);
      requirePermissions(rest, host);
      for (const routes of restRoutes) routes(rest, host);
    },
    { prefix: '/api/v3' },
  );
  await server.register(
    async (other) => {
      answerRefusals(other);
      // GraphQL has a separate limit.
      limitRequests(other, fullLimit(rateLimit), limitAnswers, 'graphql');
      graphqlRoutes(other, host);
    },
    { prefix: '/api' },
  );
  await server.register(
    async (control) => {
      controlRoutes(control, host, { faults, limit, limitAnswers });
      alertControl(control, host);
      copilotControl(control, host);
      plantControl(control, host);
      checkmarxControl(control, tenant);
      scannerControl(control, scanners);
      bitbucketControl(control, bitbucket);
      trackerControl(control, trackers);
      const jira = trackers.get('jira-cloud');
      if (jira === undefined) throw new Error('The sandbox has no Jira.');
      const connected = { jira, slack, teams, scanners, directory };
      demoControl(control, { host, gitlab, bitbucket, tenant, connected }, options.demoFolder);
    },
    { prefix: '/_sandbox' },
  );
  await server.register(async (api) => apiRoutes(api, tenant), { prefix: '/api' });
  await server.register(async (pages) => bitbucketRoutes(pages, bitbucket), { prefix: bitbucketPath });
  iamRoutes(server, tenant);
  checkmarxPages(server, tenant);
  directoryPages(server, directory);
  samlPages(server, directory, () => host.url);
  await serveScanners(server, scanners);
  await serveGitlab(server, gitlab);
  for (const codeHost of codeHosts.values()) await codeHost.serve(server);
  await serveTrackers(server, trackers);
  for (const pages of webPages) pages(server, host);
  oidcRoutes(server, await createIssuer(host, options));
  return server;
};

const restRoutes = [
  appRoutes,
  manifestRoutes,
  deliveryRoutes,
  protectionRoutes,
  activityRoutes,
  timelineRoutes,
  gitRefRoutes,
  repositoryRoutes,
  accessRoutes,
  copilotRoutes,
  commitRoutes,
  pullRoutes,
  commentRoutes,
  contentRoutes,
  userRoutes,
  alertRoutes,
];
const webPages = [copilotFiles, oauthRoutes, manifestPages, installPages, settingsPages, browsePages];

const follow = (host: Host, pollMs: number) => {
  const pendingReads = new Set<Promise<void>>();
  const refresh = async (): Promise<void> => {
    for (const repository of host.repositories) await followRepository(host, repository);
  };
  const stops = new Map<HostedRepository, () => void>();
  host.watch = (repository) => {
    const onChange = (): void => {
      const pendingRead = followRepository(host, repository).catch((error: unknown) => console.error(error));
      pendingReads.add(pendingRead);
      void pendingRead.then(() => pendingReads.delete(pendingRead));
    };
    stops.set(repository, watchRefs(repository.git, pollMs, onChange));
  };
  host.unwatch = (repository) => {
    stops.get(repository)?.();
    stops.delete(repository);
  };
  for (const repository of host.repositories) host.watch(repository);
  const stop = async (): Promise<void> => {
    for (const end of stops.values()) end();
    await Promise.all(pendingReads);
  };
  return { refresh, stop };
};
