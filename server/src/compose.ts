import { join } from 'node:path';
import { type ConnectableHost, type Provider, providerNames } from '@sightline/contract/core/providers.ts';
import type { FastifyBaseLogger } from 'fastify';
import { createMemberships } from '#core/actor.ts';
import { createDirectVerifier } from '#core/direct-tokens.ts';
import { createEndedSessions, rejectEndedSessions } from '#core/ended-sessions.ts';
import { createJobs } from '#core/jobs.ts';
import { openMasterKeys } from '#core/master-keys.ts';
import { createMetrics } from '#core/metrics.ts';
import { createOutboundFor } from '#core/outbound.ts';
import { createPersonRegistry } from '#core/people.ts';
import { createRateLimiter } from '#core/rate-limiter.ts';
import { createRealtime } from '#core/realtime.ts';
import { loadRedis } from '#core/redis.ts';
import { createSecrets } from '#core/secrets.ts';
import type { Services } from '#core/services.ts';
import { isNothingSealed, loadSigningKeys, type SigningKeys } from '#core/signing-keys.ts';
import { createThrottle } from '#core/throttle.ts';
import { waitAtMost } from '#core/time-limit.ts';
import {
  audienceOf,
  createExtensionVerifier,
  createVerifier,
  issuerOf,
  mcpResourceOf,
  type VerifyToken,
} from '#core/tokens.ts';
import { createTopics } from '#core/topics.ts';
import { createTracer } from '#core/tracer.ts';
import { type Database, type DatabaseOptions, openDatabase } from '#database/database.ts';
import { loadChatServices } from '#providers/chat/services.ts';
import { createClickHouse } from '#providers/clickhouse.ts';
import { type CodeHostModules, loadCodeHostModules } from '#providers/code-host-module.ts';
import { type CodeHostOpener, createCodeHosts } from '#providers/code-hosts.ts';
import { type CodeHostConnectorFactory, createHostOpener } from '#providers/connectable.ts';
import { createFlags } from '#providers/flags.ts';
import { createGithubApps } from '#providers/github/apps.ts';
import { createGrants, reconnectMessage } from '#providers/grants.ts';
import { createMail } from '#providers/mail.ts';
import { createMailBudget } from '#providers/mail-budget.ts';
import { openObjectStore } from '#providers/object-store.ts';
import { createScanners } from '#providers/scanners.ts';
import { createOtlp } from '#providers/traces/otlp.ts';
import { loadTrackerConnectors } from '#providers/tracker.ts';
import { createUnleash } from '#providers/unleash.ts';
import { createDirectIssuer } from '#providers/upstream/direct.ts';
import { createUpstreams } from '#providers/upstream/upstreams.ts';
import type { Config } from './config.ts';
import type { CodeHostConfig } from './config-code-host.ts';
import { raiseNotifications } from './domains/delivery/notifications/commands.ts';
import { queueDue } from './domains/organization/audit-streams/jobs.ts';
import { listAllowedDestinations } from './domains/organization/outbound/queries.ts';
import { portsOf } from './domains/ports.ts';
import { subscriptions } from './domains/subscriptions.ts';

/** The role of the server: it can neither change the schema nor bypass row-level security. */
const appRole = 'sightline_app';
/** The role that may write the ledger tables, and little else. */
const ledgerRole = 'sightline_ledger';
/** The role that erases persons: it may empty append-only rows, and cannot change the ledger. */
const erasureRole = 'sightline_erasure';

export interface ComposedServices {
  services: Services;
  signingKeys: SigningKeys;
  close: () => Promise<void>;
}

const closeTimeout = 1_500;
/** The minimum time between two notices of new events to the pages of an organization. */
const NEW_EVENTS_PAUSE_MS = 200;

/** Creates every service once. `ownerUrl` is the login that owns the schema. The schema must be up to date. */
export async function composeServices(
  config: Config,
  ownerUrl: string,
  log: FastifyBaseLogger,
): Promise<ComposedServices> {
  const lost = (what: string) => (error: Error) => log.warn({ err: error }, `${what} connection lost`);
  const tracer = tracerOf(config, log);
  const { app, ledger, erasure, allowances } = openDatabases(config, ownerUrl, {
    onError: lost('database'),
    onTaskError: (err: unknown) => log.error({ err }, 'task after commit failed'),
    onStatement: tracer?.startStatement,
  });
  const database = app;
  const secrets = createSecrets(await openMasterKeys(config, () => isNothingSealed(database)));
  const signingKeys = await loadSigningKeys(database, secrets);
  const metrics = createMetrics(config.ROLE);
  const querySeconds = config.DATABASE_QUERY_SECONDS;
  const jobs = createJobs({ url: ownerUrl, querySeconds }, appRole, { log, metrics, tracer }, config.ROLE !== 'api');
  const redis = config.REDIS_URL === undefined ? undefined : await loadRedis(config.REDIS_URL);
  const realtime = createRealtime({ ...appLogin(config, ownerUrl), querySeconds, redis }, lost('realtime'));
  const rateLimiter = createRateLimiter({ redis, overrides: config.RATE_LIMITS }, lost('rate limiter'));
  const memberships = createMemberships(database);
  const outboundFor = createOutboundFor(
    async (orgId, purpose) => [
      ...config.sandboxDestinations,
      ...(await allowances.withOrg(orgId, (tx) => listAllowedDestinations(tx, orgId, purpose))),
    ],
    config.proxies,
  );
  const services: Services = {
    config,
    log,
    database,
    ledger: ledgerServices(config, { database, ledger, jobs, secrets, log }),
    erasure,
    secrets,
    people: createPersonRegistry(secrets, jobs),
    memberships,
    ...tokenVerifiers(config, database, signingKeys),
    endpointHandlers: new Map(),
    jobs,
    metrics,
    tracer,
    newEvents: createNewEventsThrottle({ database, jobs, realtime, log }),
    realtime,
    topics: createTopics(subscriptions),
    ...portsOf(() => services),
    flags: createFlags(database, memberships, unleashOf(config, log)),
    mail: createMail(config, database, createMailBudget(database, config.RATE_LIMITS), metrics),
    rateLimiter,
    outboundFor,
    upstreams: createUpstreams(config.upstreams),
    ...codeHostServices(config, await loadCodeHostModules(), { database, secrets, jobs, realtime, outboundFor }),
    chat: await loadChatServices(),
    trackers: await loadTrackerConnectors(),
    scanners: await createScanners((orgId) => outboundFor(orgId, 'scanner'), config.scanners),
    clickhouse: config.CLICKHOUSE_URL === undefined ? undefined : createClickHouse(config.CLICKHOUSE_URL),
    archiveStore: config.EVENT_ARCHIVE_URL === undefined ? undefined : openObjectStore(config.EVENT_ARCHIVE_URL),
  };
  const close = async () => {
    await services.newEvents.flush();
    await services.jobs.stop();
    await realtime.close();
    rateLimiter.close();
    signingKeys.close();
    // A job that waits for a code host holds its connections. Uncommitted work is repeated after the next start.
    const closed = Promise.all([allowances.close(), erasure.close(), ledger.close(), database.close()]);
    await waitAtMost(closeTimeout, closed);
    // An unavailable collector must not delay the shutdown.
    if (tracer) await waitAtMost(closeTimeout, tracer.close());
  };
  return { services, signingKeys, close };
}

const tracerOf = (config: Config, log: FastifyBaseLogger) => {
  const { OTEL_EXPORTER_OTLP_ENDPOINT: collector, TRACE_SAMPLE_RATE: rate } = config;
  return collector === undefined ? undefined : createTracer({ rate, send: createOtlp(collector), log });
};

/** The login of the server, and the role that it takes. */
const appLogin = (config: Config, ownerUrl: string) => ({
  databaseUrl: config.DATABASE_APP_URL ?? ownerUrl,
  role: config.DATABASE_APP_URL === undefined ? appRole : undefined,
});

type ConnectionEvents = Pick<DatabaseOptions, 'onError' | 'onTaskError' | 'onStatement'>;

function openDatabases(config: Config, ownerUrl: string, events: ConnectionEvents) {
  const { databaseUrl: appUrl, role } = appLogin(config, ownerUrl);
  const open = (options: Pick<DatabaseOptions, 'url' | 'max' | 'role'>) =>
    openDatabase({ ...options, ...events, querySeconds: config.DATABASE_QUERY_SECONDS });
  return {
    app: open({ url: appUrl, max: config.DATABASE_POOL, role }),
    ledger: open({ url: ownerUrl, max: 3, role: ledgerRole }),
    erasure: open({ url: ownerUrl, max: 2, role: erasureRole }),
    // Has its own connection: some addresses are checked in a transaction, which must not wait for another connection
    // of its pool.
    allowances: open({ url: appUrl, max: 1, role }),
  };
}

/** Verifies access tokens of pages, extensions and an outside issuer; rejects those of ended sessions. */
function tokenVerifiers(config: Config, database: Database, signingKeys: SigningKeys) {
  const endedSessions = createEndedSessions(database);
  const own = createVerifier(signingKeys, issuerOf(config.PUBLIC_URL), audienceOf(config.PUBLIC_URL));
  const outside = config.direct && createDirectVerifier(createDirectIssuer(config.direct), { config, database });
  const verify: VerifyToken = async (token) => (await own(token)) ?? outside?.(token);
  return {
    verifyToken: rejectEndedSessions(endedSessions, verify),
    verifyExtensionToken: rejectEndedSessions(endedSessions, createExtensionVerifier(signingKeys, config.PUBLIC_URL)),
    verifyMcpToken: rejectEndedSessions(
      endedSessions,
      createVerifier(signingKeys, issuerOf(config.PUBLIC_URL), mcpResourceOf(config.PUBLIC_URL)),
    ),
    verifyOutsideToken: outside && rejectEndedSessions(endedSessions, outside),
    endedSessions,
  };
}

const ledgerServices = (
  config: Config,
  {
    database,
    ledger,
    jobs,
    secrets,
    log,
  }: Pick<Services, 'database' | 'jobs' | 'secrets' | 'log'> & { ledger: Database },
): Services['ledger'] => ({
  database: ledger,
  secrets,
  host: new URL(config.PUBLIC_URL).host,
  folder: join(config.dataDir, 'ledger'),
  log,
  failed: (orgId, because) =>
    database.withOrg(orgId, (tx) =>
      raiseNotifications({ jobs }, tx, orgId, {
        actor: { clock: true },
        notifications: [{ type: 'ledger.verification_failed', because }],
      }),
    ),
  sequenced: (orgId) => queueDue({ database, jobs }, orgId),
});

/** Tells pages of new events, and queues their indexing, at most once in a while per organization. */
const createNewEventsThrottle = ({
  database,
  jobs,
  realtime,
  log,
}: Pick<Services, 'database' | 'jobs' | 'realtime' | 'log'>) =>
  createThrottle<number>(
    NEW_EVENTS_PAUSE_MS,
    async (orgId, counts) => {
      realtime.notifyOrganization(orgId, 'orgEvents', { count: counts.reduce((sum, count) => sum + count, 0) });
      await database.withOrg(orgId, (tx) => jobs.enqueue(tx, 'events.index', { orgId }, { key: orgId }));
    },
    log,
  );

/** The clients of code hosts and the grants that they use. */
function codeHostServices(
  config: Config,
  codeHostModules: CodeHostModules,
  {
    database,
    secrets,
    jobs,
    realtime,
    outboundFor,
  }: Pick<Services, 'database' | 'secrets' | 'jobs' | 'realtime' | 'outboundFor'>,
) {
  const githubApps = createGithubApps(config.github, config.githubUrls, database, secrets);
  const grants = createGrants(database, secrets, async (tx, orgId, { provider, login }) => {
    await raiseNotifications({ jobs }, tx, orgId, {
      actor: { integration: provider },
      notifications: [
        {
          type: 'integration.failed',
          key: `${provider}:${login}`,
          name: `${providerNames[provider]} (${login})`,
          category: 'source-code-management',
          message: reconnectMessage,
        },
      ],
    });
    tx.afterCommit(() => realtime.notifyOrganization(orgId, 'orgIntegrations', { provider }));
  });
  const connectable: Partial<Record<ConnectableHost, CodeHostConnectorFactory>> = {};
  const openers: Partial<Record<Provider, CodeHostOpener>> = { github: () => githubApps.find() };
  for (const { provider, createConnector } of codeHostModules.values()) {
    if (provider === 'github' || createConnector === undefined) continue;
    // Each module states the type of its own part of the configuration.
    const hostConfig = codeHostConfigOf(config, provider) as never;
    const connector = createConnector({ config: hostConfig, outboundFor, proxies: config.proxies });
    connectable[provider] = connector;
    openers[provider] = createHostOpener(grants, connector);
  }
  return { codeHostModules, codeHosts: createCodeHosts(openers), connectable, grants, githubApps };
}

const codeHostConfigOf = ({ gitlab, bitbucket, codeHosts }: Config, provider: ConnectableHost) => {
  if (provider === 'gitlab') return gitlab;
  if (provider === 'bitbucket') return bitbucket;
  return codeHosts[provider] ?? ({ url: undefined, sandboxPage: undefined } satisfies CodeHostConfig);
};

const unleashOf = ({ unleash }: Config, log: FastifyBaseLogger) =>
  unleash && createUnleash(unleash, (problem) => log.warn({ problem }, 'feature flags'));
