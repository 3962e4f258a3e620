import type { FastifyBaseLogger } from 'fastify';
import type { Config } from '#config.ts';
import type { Database } from '#database/database.ts';
import type { ChatServices } from '#providers/chat/services.ts';
import type { ClickHouse } from '#providers/clickhouse.ts';
import type { CodeHostModules } from '#providers/code-host-module.ts';
import type { CodeHosts } from '#providers/code-hosts.ts';
import type { ConnectableHosts } from '#providers/connectable.ts';
import type { Flags } from '#providers/flags.ts';
import type { GithubApps } from '#providers/github/apps.ts';
import type { HostGrants } from '#providers/grants.ts';
import type { Mailer } from '#providers/mail.ts';
import type { ObjectStore } from '#providers/object-store.ts';
import type { Scanners } from '#providers/scanners.ts';
import type { TrackerConnectors } from '#providers/tracker.ts';
import type { Upstreams } from '#providers/upstream/upstreams.ts';
import type { Memberships } from './actor.ts';
import type { ArchivedEvents } from './archived-events.ts';
import type { EndedSessions } from './ended-sessions.ts';
import type { EndpointHandlers } from './endpoint-handlers.ts';
import type { Jobs } from './jobs.ts';
import type { LedgerLog } from './ledger-log.ts';
import type { Metrics } from './metrics.ts';
import type { OutboundFor } from './outbound.ts';
import type { PersonRegistry } from './people.ts';
import type { RateLimiter } from './rate-limiter.ts';
import type { Realtime } from './realtime.ts';
import type { Secrets } from './secrets.ts';
import type { Throttle } from './throttle.ts';
import type { VerifyToken } from './tokens.ts';
import type { Tracer } from './tracer.ts';

/**
 * The services that are created once at the start and passed to every domain. A domain that depends on a higher domain
 * declares a port here beside its own code (`declare module`), which compose.ts provides.
 */
export interface Services {
  config: Config;
  log: FastifyBaseLogger;
  database: Database;
  /** For the jobs and commands of the ledger only. Other code queues entries with `record` or `appendEntries`. */
  ledger: LedgerLog;
  /** Connections of the role that deletes personal data; only for the steps of a data deletion. */
  erasure: Database;
  secrets: Secrets;
  people: PersonRegistry;
  memberships: Memberships;
  /** Verifies access tokens of people. */
  verifyToken: VerifyToken;
  /** Verifies access tokens of extensions. */
  verifyExtensionToken: VerifyToken;
  /** Verifies access tokens of MCP clients. */
  verifyMcpToken: VerifyToken;
  /** Verifies access tokens of the external issuer in direct mode. */
  verifyOutsideToken: VerifyToken | undefined;
  /** Sessions that were signed out while their tokens are still valid. */
  endedSessions: EndedSessions;
  /** The handlers of the endpoints, for calls in this process: see `callEndpoint`. */
  endpointHandlers: EndpointHandlers;
  jobs: Jobs;
  metrics: Metrics;
  /** Undefined if no trace collector is configured. */
  tracer: Tracer | undefined;
  /** Receives the number of new events of an organization: pages are notified, and a job indexes their words. */
  newEvents: Throttle<number>;
  realtime: Realtime;
  flags: Flags;
  mail: Mailer;
  /** Counts requests. Expensive work and mail are counted in the database, see core/limits.ts. */
  rateLimiter: RateLimiter;
  /** The only client for addresses that users enter. */
  outboundFor: OutboundFor;
  /** The external identity providers. */
  upstreams: Upstreams;
  /** What is known of each kind of code host. */
  codeHostModules: CodeHostModules;
  /** Every code host. */
  codeHosts: CodeHosts;
  /** Host grants: the credentials for code hosts without an app. */
  grants: HostGrants;
  /** Code hosts without an app, which users connect by a host grant. */
  connectable: ConnectableHosts;
  /** The GitHub apps; only for installing them. */
  githubApps: GithubApps;
  /** The chat services, by name. */
  chat: ChatServices;
  /** The issue trackers that organizations can connect. */
  trackers: TrackerConnectors;
  /** The scanners with a connection of their own. */
  scanners: Scanners;
  /** Undefined if the operator configured none; then queries do not find partial words. */
  clickhouse: ClickHouse | undefined;
  archivedEvents: ArchivedEvents;
  /** Where segments of archived events are stored; undefined for the database. */
  archiveStore: ObjectStore | undefined;
}
