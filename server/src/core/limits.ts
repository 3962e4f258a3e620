import type { AttemptLimit } from './attempts.ts';

/** The subject of a counter: whose requests or emails a row counts. */
export type LimitScope = 'address' | 'account' | 'organization' | 'recipient';

interface LimitUsageRow {
  name: string;
  per: LimitScope;
  most: number;
  windowSeconds: number;
  /** For the documentation. */
  counts: string;
}

/** Request limits, counted by each process in memory, or by all processes in Redis if `REDIS_URL` is set. */
export const requestLimits = {
  address: {
    name: 'address',
    per: 'address',
    most: 6000,
    windowSeconds: 60,
    counts: 'requests, signed in or not; an address is an IPv4 address or an IPv6 /64 prefix',
  },
  webhooks: {
    name: 'webhooks',
    per: 'address',
    most: 12_000,
    windowSeconds: 60,
    counts: 'webhook deliveries, which the row above excludes',
  },
  directories: {
    name: 'directories',
    per: 'address',
    most: 30_000,
    windowSeconds: 60,
    counts: 'SCIM requests of directories, which the first row excludes',
  },
  directoryOfOrganization: {
    name: 'directory',
    per: 'organization',
    most: 15_000,
    windowSeconds: 60,
    counts: 'SCIM requests of the directory',
  },
  account: { name: 'account', per: 'account', most: 1500, windowSeconds: 60, counts: 'API requests' },
  organization: {
    name: 'organization',
    per: 'organization',
    most: 15_000,
    windowSeconds: 60,
    counts: 'API requests of all members and access keys',
  },
  pictures: {
    name: 'pictures',
    per: 'account',
    most: 600,
    windowSeconds: 60,
    counts: 'fetched pictures and logos of other sites',
  },
  eventsOfAccount: {
    name: 'events-account',
    per: 'account',
    most: 6000,
    windowSeconds: 60,
    counts: 'events sent to the ingest endpoint',
  },
  eventsOfOrganization: {
    name: 'events-organization',
    per: 'organization',
    most: 300_000,
    windowSeconds: 60,
    counts: 'events sent to the ingest endpoint by all members',
  },
  telemetryOfAccount: {
    name: 'telemetry-account',
    per: 'account',
    most: 60_000,
    windowSeconds: 60,
    counts: 'records of agent telemetry, sent with a personal key or a token',
  },
  telemetryOfOrganization: {
    name: 'telemetry-organization',
    per: 'organization',
    most: 900_000,
    windowSeconds: 60,
    counts: 'records of agent telemetry of all members and access keys',
  },
  mcpOfAccount: {
    name: 'mcp-account',
    per: 'account',
    most: 120,
    windowSeconds: 60,
    counts: 'calls of tools of the MCP server, each of them an audit entry',
  },
  mcpOfOrganization: {
    name: 'mcp-organization',
    per: 'organization',
    most: 3000,
    windowSeconds: 60,
    counts: 'calls of tools of the MCP server by all members',
  },
  queryTime: {
    name: 'query-time',
    per: 'account',
    most: 20_000,
    windowSeconds: 60,
    counts:
      'milliseconds that the database works on queries of Explore that may read many events: charts, several words, conditions without an index',
  },
} as const satisfies Record<string, LimitUsageRow>;

/** Limits of expensive work, counted in PostgreSQL across processes. `running` limits concurrent operations. */
export const costLimits = {
  export: {
    name: 'exports',
    per: 'organization',
    most: 120,
    windowSeconds: 3600,
    running: 4,
    counts: 'file exports; the bound on running ones holds in each process',
  },
  upload: {
    name: 'uploads',
    per: 'organization',
    most: 3000,
    windowSeconds: 3600,
    running: 16,
    counts: 'SARIF uploads',
  },
  snapshot: {
    name: 'snapshots',
    per: 'organization',
    most: 30,
    windowSeconds: 3600,
    running: 5,
    counts: 'created snapshots',
  },
  evaluation: {
    name: 'evaluations',
    per: 'organization',
    most: 60,
    windowSeconds: 3600,
    running: 300,
    counts: 'requests to evaluate controls; the bound on running ones counts controls',
  },
  checkpoint: {
    name: 'checkpoints',
    per: 'organization',
    most: 30,
    windowSeconds: 3600,
    counts: 'checkpoints published on demand, also by adding or enabling an anchor',
  },
  confirmation: {
    name: 'anchor-confirmations',
    per: 'organization',
    most: 30,
    windowSeconds: 3600,
    counts: 'requests that mail confirmation links to addresses of mail anchors',
  },
} as const satisfies Record<string, LimitUsageRow & { running?: number }>;

/**
 * The email budget of each recipient address, across the installation. Each class has its own share, so that mail
 * triggered by unauthenticated clients never displaces mail about the recipient's own account.
 */
export const mailLimits = {
  security: {
    name: 'mail-security',
    per: 'recipient',
    most: 30,
    windowSeconds: 3600,
    counts: 'notices of changes to the account of the recipient, or to an organization that they own',
  },
  reset: { name: 'mail-reset', per: 'recipient', most: 10, windowSeconds: 86_400, counts: 'password reset links' },
  confirmation: {
    name: 'mail-confirmation',
    per: 'recipient',
    most: 10,
    windowSeconds: 86_400,
    counts: 'sign-up confirmations',
  },
  request: {
    name: 'mail-request',
    per: 'recipient',
    most: 10,
    windowSeconds: 86_400,
    counts: 'email to addresses without consent: invitations, auditor links, confirmations of anchor addresses',
  },
  subscription: {
    name: 'mail-subscription',
    per: 'recipient',
    most: 60,
    windowSeconds: 3600,
    counts: 'notifications, digests and ledger checkpoints',
  },
} as const satisfies Record<string, LimitUsageRow>;

export type RequestLimit = keyof typeof requestLimits;
export type Cost = keyof typeof costLimits;
export type MailClass = keyof typeof mailLimits;

const configurableLimits: readonly (LimitUsageRow & { running?: number })[] = [
  ...Object.values(requestLimits),
  ...Object.values(costLimits),
  ...Object.values(mailLimits),
];

/** Limits that the operator set, by the name of a row; `*` stands for all rows. */
export type LimitOverrides = Readonly<Record<string, number>>;

/** Returns a row with the limit that the operator set. */
export const effectiveLimitOf = <R extends LimitUsageRow>(row: R, overrides: LimitOverrides): R & AttemptLimit => ({
  ...row,
  most: overrides[row.name] ?? overrides['*'] ?? row.most,
});

/** The maximum number of concurrent operations of a row. The operator sets it as `name:running`. */
export const maxConcurrentOf = (row: LimitUsageRow & { running?: number }, overrides: LimitOverrides): number =>
  overrides[`${row.name}:running`] ?? overrides['*'] ?? row.running ?? Number.POSITIVE_INFINITY;

/** Parses `RATE_LIMITS`: `name=number` separated by commas. Undefined for an unknown row or an invalid number. */
export function parseLimitOverrides(parts: readonly string[]): LimitOverrides | undefined {
  const names = new Set(['*', ...configurableLimits.flatMap((row) => namesOf(row))]);
  const read = parts.map((part) => /^([a-z*][a-z:-]*)=([1-9]\d{0,9})$/.exec(part));
  if (read.some((match) => match === null || !names.has(match[1] ?? ''))) return undefined;
  return Object.fromEntries(read.map((match) => [match?.[1] ?? '', Number(match?.[2])]));
}

const namesOf = ({ name, running }: LimitUsageRow & { running?: number }): string[] =>
  running === undefined ? [name] : [name, `${name}:running`];
