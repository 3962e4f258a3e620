import type { FastifyBaseLogger } from 'fastify';
import type { Config } from '#config.ts';
import type { Database } from '#database/database.ts';
import type { Checkmarx } from '#providers/checkmarx/checkmarx.ts';
import type { ClickHouse } from '#providers/clickhouse.ts';
import type { CodeHosts } from '#providers/code-hosts.ts';
import type { ConnectableHosts } from '#providers/connectable.ts';
import type { Flags } from '#providers/flags.ts';
import type { GithubApps } from '#providers/github/apps.ts';
import type { Grants } from '#providers/grants.ts';
import type { Mail } from '#providers/mail.ts';
import type { Upstreams } from '#providers/upstream/upstreams.ts';
import type { Memberships } from './actor.ts';
import type { EndedSessions } from './ended-sessions.ts';
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
 * What is made once at the start and handed to every feature. A domain that needs an answer of a domain above it declares a
 * property here beside its own code (`declare module`), which compose.ts fills.
 */
export interface Services {
  config: Config;
  log: FastifyBaseLogger;
  database: Database;
  /** For the ledger's own jobs and commands; whoever changes something queues its entry with `record` or `appendEntries`. */
  ledger: LedgerLog;
  /** Connections of the role that erases people; for the steps of an erasure alone. */
  erasure: Database;
  secrets: Secrets;
  people: PersonRegistry;
  memberships: Memberships;
  /** Access tokens of people. */
  verifyToken: VerifyToken;
  /** Access tokens of extensions. */
  verifyExtensionToken: VerifyToken;
  /** Access tokens of the outside issuer, in direct mode. */
  verifyOutsideToken: VerifyToken | undefined;
  /** Sessions signed out while their tokens still live. */
  endedSessions: EndedSessions;
  jobs: Jobs;
  metrics: Metrics;
  /** Undefined where no collector of traces is configured. */
  tracer: Tracer | undefined;
  /** Takes how many events of an organization are new: pages are told, and a job indexes their words. */
  newEvents: Throttle<number>;
  realtime: Realtime;
  flags: Flags;
  mail: Mail;
  /** Counts requests; expensive work and mail are counted in the database, see core/limits.ts. */
  rateLimiter: RateLimiter;
  /** The one way to addresses that people give. */
  outboundFor: OutboundFor;
  /** The logins of others. */
  upstreams: Upstreams;
  /** Every code host, for whoever reads or is told of code. */
  codeHosts: CodeHosts;
  /** What code hosts without an app are asked with. */
  grants: Grants;
  /** Code hosts without an app, as people connect them. */
  connectable: ConnectableHosts;
  /** For installing and what belongs to it only. */
  githubApps: GithubApps;
  /** As an organization may reach it. */
  checkmarx: (orgId: string) => Checkmarx;
  /** Undefined while the operator has none: then parts of words are not found. */
  clickhouse: ClickHouse | undefined;
}
