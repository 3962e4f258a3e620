import { X509Certificate } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { isIP } from 'node:net';
import { isAbsolute, resolve } from 'node:path';
import type { Provider } from '@sightline/contract/core/providers.ts';
import { type ScannerName, scannerNames } from '@sightline/contract/core/scan-sources.ts';
import { editorSchemes } from '@sightline/contract/identity/extensions.ts';
import { scannerForms } from '@sightline/contract/sources/scanner-forms.ts';
import { z } from 'zod';
import { parseDestination } from '#core/destination.ts';
import type { EgressProxies } from '#core/egress.ts';
import { type LimitOverrides, parseLimitOverrides } from '#core/limits.ts';
import '#core/wording.ts';
import { type BitbucketConfig, bitbucketConfigOf, bitbucketProblems } from './config-bitbucket.ts';
import type { CodeHostConfig } from './config-code-host.ts';
import { type GitlabConfig, gitlabConfigOf, gitlabProblems } from './config-gitlab.ts';
import {
  type DirectConfig,
  directConfigOf,
  loginProblems,
  oidcLogins,
  type UpstreamConfig,
  upstreamConfigsOf,
} from './config-logins.ts';

/** The number of proxies in front, or their networks; `false` for none. */
const trustedProxies = z.string().transform((text, context): false | number | string[] => {
  if (text === 'false' || text === '0') return false;
  if (/^[1-9]\d?$/.test(text)) return Number(text);
  const networks = text.split(',').map((network) => network.trim());
  if (networks.every((network) => proxyNames.includes(network) || isNetwork(network))) return networks;
  context.addIssue(
    text === 'true'
      ? 'must not be true, which believes any address that a caller writes into X-Forwarded-For: give the number of proxies in front, such as 1, or their networks'
      : 'must be the number of proxies in front, such as 1, or their addresses or networks, such as 10.0.0.0/8, separated by commas',
  );
  return z.NEVER;
});
const proxyNames = ['loopback', 'linklocal', 'uniquelocal'];
function isNetwork(text: string): boolean {
  const [address = '', bits, ...more] = text.split('/');
  const family = isIP(address);
  if (family === 0 || more.length > 0) return false;
  return (
    bits === undefined || (/^\d{1,3}$/.test(bits) && Number(bits) >= 1 && Number(bits) <= (family === 4 ? 32 : 128))
  );
}

/** An address that the server connects to. */
const destination = (options?: Parameters<typeof parseDestination>[1]) =>
  z.string().check(({ value, issues }) => {
    const parsed = parseDestination(value, options);
    if ('problem' in parsed) issues.push({ code: 'custom', input: value, message: parsed.problem });
  });
const url = destination().transform((value) => new URL(value).href.replace(/\/+$/, ''));
const proxy = destination({ protocols: ['http:', 'https:'], credentials: true });
// Node.js reads the file itself and silently ignores an unusable one.
const certificates = z.string().refine(
  (file) => {
    try {
      return new X509Certificate(readFileSync(file)).ca;
    } catch {
      return false;
    }
  },
  { error: 'must name a readable file of certificates of authorities in PEM form' },
);
const connection = z.string().regex(/^postgres(ql)?:\/\//, { error: 'must be a postgresql:// URL' });
/** A folder, or an S3-compatible bucket with its access key. */
const archiveAddress = z.string().check(({ value, issues }) => {
  if (isAbsolute(value)) return;
  const parsed = parseDestination(value, { credentials: true });
  const problem = 'problem' in parsed ? parsed.problem : bucketProblemOf(new URL(value));
  if (problem !== undefined) issues.push({ code: 'custom', input: value, message: problem });
});
const bucketProblemOf = ({ username, password, pathname }: URL): string | undefined =>
  username === '' || password === '' || pathname === '/'
    ? 'must be the absolute path of a folder, or https://ACCESS_KEY:SECRET_KEY@HOST/BUCKET'
    : undefined;
const list = z.string().transform((value) =>
  value
    .split(',')
    .map((part) => part.trim())
    .filter((part) => part !== ''),
);

// Schemes that a browser handles itself do not open a program, and `browser` is a page of Sightline.
const noScheme = /^(https?|javascript|data|vbscript|blob|file|about|browser)$/;
const schemes = list.refine((all) => all.every((one) => /^[a-z][a-z\d+.-]*$/.test(one) && !noScheme.test(one)), {
  error: 'must be schemes of programs, such as vscode, separated by commas',
});
const origins = list.refine((all) => all.every((one) => URL.parse(one)?.origin === one && /^https?:/.test(one)), {
  error: 'must be origins, such as https://code.example.com, separated by commas',
});

const isDnsServer = (text: string): boolean =>
  isIP(text) !== 0 || (/^[\d.]+:\d{1,5}$/.test(text) && isIP(text.slice(0, text.indexOf(':'))) === 4);
const domains = list
  .transform((all) => all.map((one) => one.toLowerCase()))
  .refine((all) => all.every((one) => /^([a-z0-9]([a-z0-9-]*[a-z0-9])?\.)+[a-z][a-z0-9-]+$/.test(one)), {
    error: 'must be domains, such as example.org, separated by commas',
  });

/** N of scrypt in production: 64 MB per hash. */
export const MIN_PASSWORD_HASH_COST = 2 ** 16;

/**
 * Every environment variable that the server reads, with its rule and default. docs/operations/configuration.md lists
 * the same.
 */
export const environmentVariables = {
  NODE_ENV: z.enum(['development', 'test', 'production']).default('development'),
  PUBLIC_URL: url.optional(),
  PORT: z.coerce.number().int().min(0).max(65535).default(3000),
  HOST: z.string().min(1).optional(),
  ALLOWED_HOSTS: list.default([]),
  ROLE: z.enum(['api', 'worker', 'all']).default('all'),
  DATA_DIR: z.string().min(1).default('./.data'),
  DATABASE_URL: connection.optional(),
  DATABASE_APP_URL: connection.optional(),
  DATABASE_BACKUP_URL: connection.optional(),
  DATABASE_POOL: z.coerce.number().int().min(2).max(200).default(20),
  DATABASE_QUERY_SECONDS: z.coerce.number().int().min(1).max(3600).default(300),
  REDIS_URL: z
    .string()
    .regex(/^rediss?:\/\//, { error: 'must be a redis:// URL' })
    .optional(),
  SMTP_URL: destination({ protocols: ['smtp:', 'smtps:'], credentials: true }).optional(),
  MAIL_FROM: z.string().min(3).default('Sightline <no-reply@localhost>'),
  MASTER_KEY: z
    .string()
    .regex(/^[A-Za-z0-9+/]{43}=$/, { error: 'must be 32 bytes in base64' })
    .optional(),
  MASTER_KEY_OTHERS: list
    .refine((keys) => keys.every((key) => /^[A-Za-z0-9+/]{43}=$/.test(key)), {
      error: 'must be keys of 32 bytes in base64, separated by commas',
    })
    .default([]),
  KEY_COMMAND: z.string().min(1).optional(),
  LOG_LEVEL: z.enum(['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent']).default('warn'),
  ACCESS_LOG: z.enum(['on', 'off']).default('off'),
  TRUST_PROXY: trustedProxies.default(false),
  RATE_LIMITS: list
    .transform((parts, context): LimitOverrides => {
      const overrides = parseLimitOverrides(parts);
      if (overrides) return overrides;
      context.addIssue({
        code: 'custom',
        message: 'must be limits of docs/rate-limits.md, such as exports=20, separated by commas',
      });
      return z.NEVER;
    })
    .default({}),
  SIGN_UP: z.enum(['open', 'invited', 'domains', 'closed']).default('open'),
  SIGN_UP_DOMAINS: domains.default([]),
  MCP_CLIENT_REGISTRATION: z.enum(['open', 'closed']).default('closed'),
  ORGANIZATION_CREATION: z.enum(['everyone', 'operator']).default('everyone'),
  HTTPS_PROXY: proxy.optional(),
  HTTP_PROXY: proxy.optional(),
  NO_PROXY: list.default([]),
  NODE_EXTRA_CA_CERTS: certificates.optional(),
  DNS_SERVERS: list
    .refine((all) => all.every(isDnsServer), {
      error: 'must be addresses of DNS servers, such as 10.0.0.53, separated by commas',
    })
    .default([]),
  METRICS_TOKEN: z.string().min(16).optional(),
  METRICS_PORT: z.coerce.number().int().min(0).max(65535).optional(),
  PASSWORD_HASH_COST: z.coerce
    .number()
    .refine((cost) => cost >= 1024 && cost <= 2 ** 20 && Number.isInteger(Math.log2(cost)), {
      error: 'must be a power of two from 1024 to 1048576',
    })
    .default(MIN_PASSWORD_HASH_COST),
  OTEL_EXPORTER_OTLP_ENDPOINT: url.optional(),
  TRACE_SAMPLE_RATE: z.coerce.number().min(0).max(1).default(0.1),
  SANDBOX: z.enum(['on', 'off']).optional(),
  SANDBOX_REPOSITORIES: list.optional(),
  GITHUB_URL: url.default('https://github.com'),
  GITHUB_API_URL: url.optional(),
  GITHUB_APP_ID: z.string().min(1).optional(),
  GITHUB_APP_SLUG: z.string().min(1).optional(),
  GITHUB_APP_PRIVATE_KEY: z.string().min(1).optional(),
  GITHUB_APP_CLIENT_ID: z.string().min(1).optional(),
  GITHUB_APP_CLIENT_SECRET: z.string().min(1).optional(),
  GITHUB_WEBHOOK_SECRET: z.string().min(8).optional(),
  GITHUB_WEBHOOK_SECRET_PREVIOUS: z.string().min(8).optional(),
  GITHUB_LOGIN_CLIENT_ID: z.string().min(1).optional(),
  GITHUB_LOGIN_CLIENT_SECRET: z.string().min(1).optional(),
  BITBUCKET_URL: url.default('https://bitbucket.org'),
  BITBUCKET_API_URL: url.optional(),
  BITBUCKET_CLIENT_ID: z.string().min(1).optional(),
  BITBUCKET_CLIENT_SECRET: z.string().min(1).optional(),
  GITLAB_URL: url.default('https://gitlab.com'),
  GITLAB_CLIENT_ID: z.string().min(1).optional(),
  GITLAB_CLIENT_SECRET: z.string().min(1).optional(),
  GOOGLE_ISSUER: url.default('https://accounts.google.com'),
  GOOGLE_LOGIN_CLIENT_ID: z.string().min(1).optional(),
  GOOGLE_LOGIN_CLIENT_SECRET: z.string().min(1).optional(),
  OIDC_LOGINS: oidcLogins.optional(),
  OIDC_ISSUER: destination().optional(),
  OIDC_CLIENT_ID: z.string().min(1).optional(),
  OIDC_AUDIENCE: z.string().min(1).optional(),
  OIDC_ORG_CLAIM: z.string().min(1).default('org_name'),
  OIDC_EMAIL_CLAIM: z.string().min(1).default('email'),
  /** How often code hosts that send no webhooks are read, in minutes. */
  CODE_HOST_POLL_MINUTES: z.coerce.number().int().min(1).max(30).default(10),
  WEBHOOK_BODY_DAYS: z.coerce.number().int().min(1).max(3650).default(30),
  EVENT_RETENTION_MONTHS: z.coerce.number().int().min(1).max(1200).default(13),
  /** The days for which the operator keeps backups. Backups contain erased persons until then. */
  BACKUP_DAYS: z.coerce.number().int().min(1).max(36_500).optional(),
  CLIPBOARD_RETENTION_DAYS: z.coerce.number().int().min(1).max(36_500).default(30),
  /** The age in days from which events move to the archive; 0 for never. */
  EVENT_ARCHIVE_AFTER_DAYS: z.coerce.number().int().min(0).max(36_500).default(30),
  EVENT_ARCHIVE_URL: archiveAddress.optional(),
  CLICKHOUSE_URL: destination({ credentials: true }).optional(),
  UNLEASH_URL: url.optional(),
  UNLEASH_FRONTEND_TOKEN: z.string().min(1).optional(),
  CORS_ORIGINS: origins.default([]),
  CHECKMARX_BASE_URL: url.optional(),
  SLACK_API_URL: url.optional(),
  LINEAR_URL: url.optional(),
  EDITOR_MARKETPLACE_URL: url.optional(),
  AUTHORIZE_SCHEMES: schemes.default([...editorSchemes]),
  AUTHORIZE_CALLBACK_ORIGINS: origins.default([]),
  AUTHORIZE_WITH_TOKEN: z.enum(['on', 'off']).default('off'),
  TERMS_URL: url.optional(),
  PRIVACY_URL: url.optional(),
  SUPPORT_EMAIL: z.email().optional(),
  DOWNLOADS_DIR: z.string().min(1).optional(),
  CONTACT_URL: z.url({ protocol: /^(https?|mailto)$/ }).optional(),
} as const;

export interface GithubConfig {
  /** The address for users (web pages, OAuth). */
  url: string;
  apiUrl: string;
  appId: string;
  slug: string;
  privateKey: string;
  clientId: string;
  clientSecret: string;
  webhookSecret: string;
  /** Also accepted during a rotation, until `previousUntil`; with null as long as it is configured. */
  previousWebhookSecret?: string | undefined;
  previousUntil?: Date | null | undefined;
  sandbox: boolean;
}

export interface ScannerConfig {
  /** The host of connections without one; empty if each connection needs one. */
  baseURL: string;
  /** Neither the operator nor the sandbox has set one. */
  isDefault: boolean;
  /** A page of the sandbox that shows what to enter in the form. */
  sandboxPage: string | undefined;
}

export interface TrackersConfig {
  /** The address of Linear's API. */
  linearURL: string | undefined;
  /** A page of the sandbox that shows the address and a token of each tracker. */
  sandboxPage: string | undefined;
}
export type ScannerConfigs = Readonly<Record<ScannerName, ScannerConfig>>;

type Variables = { [Name in keyof typeof environmentVariables]: z.output<(typeof environmentVariables)[Name]> };

export interface SlackConfig {
  /** The URL of the Web API. */
  apiURL: string;
  /** Neither the operator nor the sandbox has set one. */
  isDefault: boolean;
  /** A page of the sandbox that shows a token and the signing secret. */
  sandboxPage: string | undefined;
}

/** An Unleash that decides the feature flags. */
export interface UnleashConfig {
  /** The address of the server or of an Edge in front of it, without a trailing slash. */
  url: string;
  /** A frontend token. It does not leave this server. */
  token: string;
}

export interface Config
  extends Omit<
    Variables,
    | `GITHUB_${string}`
    | `BITBUCKET_${string}`
    | `GITLAB_${string}`
    | `UNLEASH_${string}`
    | `CHECKMARX_${string}`
    | `SLACK_${string}`
    | 'LINEAR_URL'
    | 'HTTPS_PROXY'
    | 'HTTP_PROXY'
    | 'NO_PROXY'
    | 'PUBLIC_URL'
    | 'SANDBOX'
    | 'DATA_DIR'
  > {
  /** The public address of the server, without a trailing slash. */
  PUBLIC_URL: string;
  dataDir: string;
  production: boolean;
  /** HOST; otherwise every address in production, and only this machine elsewhere. */
  listenHost: string;
  /** The proxies for HTTP to other machines. */
  proxies: EgressProxies;
  /** Whether to start and connect the sandbox: outside production, without a configured GitHub app. */
  sandbox: boolean;
  github: GithubConfig | undefined;
  /** The address of GitHub, with or without an app. */
  githubUrls: { url: string; apiUrl: string };
  bitbucket: BitbucketConfig;
  gitlab: GitlabConfig;
  /** The addresses of other code hosts that are offered to every organization. */
  codeHosts: Readonly<Partial<Record<Provider, CodeHostConfig>>>;
  slack: SlackConfig;
  trackers: TrackersConfig;
  scanners: ScannerConfigs;
  /** The external identity providers of the sign-in page. */
  upstreams: UpstreamConfig[];
  /** Undefined if the embedded identity provider issues the tokens. */
  direct: DirectConfig | undefined;
  unleash: UnleashConfig | undefined;
  /**
   * Destinations that every organization may reach without permission of the operator: the sandbox, outside production.
   */
  sandboxDestinations: readonly string[];
}

/** Returns the value of a variable, or the content of the file in `NAME_FILE`, which orchestrators use for secrets. */
function givenValue(environment: NodeJS.ProcessEnv, name: string): { value?: string | undefined; problem?: string } {
  const value = environment[name] || undefined;
  const file = environment[`${name}_FILE`] || undefined;
  if (file === undefined) return { value };
  if (value !== undefined) return { problem: `${name} and ${name}_FILE: only one of them can be set` };
  try {
    return { value: readFileSync(file, 'utf8').replace(/\r?\n$/, '') || undefined };
  } catch (error) {
    return { problem: `${name}_FILE: ${file} cannot be read (${(error as NodeJS.ErrnoException).code})` };
  }
}

function githubProblems(values: Variables): string[] {
  const given = githubNames.filter((name) => values[name] !== undefined);
  if (given.length === 0) return [];
  const missing = githubNames.filter((name) => values[name] === undefined);
  return missing.map((name) => `${name}: is needed with ${given[0]}`);
}

function productionProblems({ SANDBOX, PASSWORD_HASH_COST }: Variables): string[] {
  return [
    ...(SANDBOX === 'on' ? ['SANDBOX: must not be on in production'] : []),
    ...(PASSWORD_HASH_COST < MIN_PASSWORD_HASH_COST
      ? [`PASSWORD_HASH_COST: must be at least ${MIN_PASSWORD_HASH_COST} in production`]
      : []),
  ];
}

/** Returns contradictions between variables. */
function combinationProblems(values: Variables): string[] {
  const rules: readonly (readonly [isWrong: boolean, problem: string])[] = [
    [
      (values.UNLEASH_URL === undefined) !== (values.UNLEASH_FRONTEND_TOKEN === undefined),
      'UNLEASH_URL and UNLEASH_FRONTEND_TOKEN: are given together or not at all',
    ],
    [
      values.DATABASE_URL === undefined && values.DATABASE_POOL > MAX_BUILT_IN_POOL,
      `DATABASE_POOL: must be at most ${MAX_BUILT_IN_POOL} with the built-in database`,
    ],
    [
      (values.SIGN_UP === 'domains') !== (values.SIGN_UP_DOMAINS ?? []).length > 0,
      'SIGN_UP=domains and SIGN_UP_DOMAINS: are given together or not at all',
    ],
    [
      values.KEY_COMMAND !== undefined && values.MASTER_KEY !== undefined,
      'KEY_COMMAND and MASTER_KEY: only one of them says what the master key is',
    ],
  ];
  return rules.filter(([isWrong]) => isWrong).map(([, problem]) => problem);
}

/**
 * Reads the environment. Throws one Error that names every invalid variable and the reason.
 * Nothing else reads `process.env`.
 */
export function readConfig(environment: NodeJS.ProcessEnv = process.env): Config {
  const wrong: string[] = [];
  const values = Object.fromEntries(
    Object.entries(environmentVariables).map(([name, schema]) => {
      const { value, problem } = givenValue(environment, name);
      const parsed = schema.safeParse(value);
      if (problem !== undefined) wrong.push(problem);
      else if (!parsed.success) wrong.push(`${name}: ${parsed.error.issues.map((issue) => issue.message).join('; ')}`);
      return [name, parsed.data];
    }),
  ) as Variables;
  const production = values.NODE_ENV === 'production';
  wrong.push(
    ...githubProblems(values),
    ...combinationProblems(values),
    ...(production ? productionProblems(values) : []),
    ...bitbucketProblems(values),
    ...gitlabProblems(values),
    ...loginProblems(values),
  );
  if (wrong.length > 0) throw new Error(`The configuration is not usable.\n  ${wrong.join('\n  ')}`);

  const { DATA_DIR, SANDBOX, HTTPS_PROXY, HTTP_PROXY, NO_PROXY, ...rest } = values;
  const github = githubOf(values);
  const PUBLIC_URL = values.PUBLIC_URL ?? `http://localhost:${values.PORT}`;
  return {
    ...rest,
    PUBLIC_URL,
    dataDir: resolve(DATA_DIR),
    production,
    listenHost: values.HOST ?? (production ? '::' : '127.0.0.1'),
    proxies: { https: HTTPS_PROXY, http: HTTP_PROXY, except: NO_PROXY },
    sandbox: !production && SANDBOX !== 'off' && (SANDBOX === 'on' || github === undefined),
    github,
    githubUrls: { url: values.GITHUB_URL, apiUrl: githubApiOf(values) },
    bitbucket: bitbucketConfigOf(values),
    gitlab: gitlabConfigOf(values),
    codeHosts: {},
    slack: {
      apiURL: values.SLACK_API_URL ?? 'https://slack.com/api',
      isDefault: values.SLACK_API_URL === undefined,
      sandboxPage: undefined,
    },
    trackers: { linearURL: values.LINEAR_URL, sandboxPage: undefined },
    scanners: scannerConfigsOf({ checkmarx: values.CHECKMARX_BASE_URL }),
    upstreams: upstreamConfigsOf({ ...values, GITHUB_API_URL: githubApiOf(values) }),
    direct: directConfigOf(values, PUBLIC_URL),
    sandboxDestinations: [],
    unleash:
      values.UNLEASH_URL && values.UNLEASH_FRONTEND_TOKEN
        ? { url: values.UNLEASH_URL, token: values.UNLEASH_FRONTEND_TOKEN }
        : undefined,
  };
}

/**
 * Reads only the proxies, for commands that may run without an installation. Ignores problems, which `readConfig`
 * reports.
 */
export function readProxies(environment: NodeJS.ProcessEnv = process.env): EgressProxies {
  const read = <Name extends 'HTTPS_PROXY' | 'HTTP_PROXY' | 'NO_PROXY'>(name: Name) =>
    environmentVariables[name].safeParse(givenValue(environment, name).value).data as Variables[Name] | undefined;
  return { https: read('HTTPS_PROXY'), http: read('HTTP_PROXY'), except: read('NO_PROXY') ?? [] };
}

const replaced = {
  OUTBOUND_ALLOW: 'npm run sightline -- outbound allow',
} as const;

/** Returns variables that are set and no longer read, and their replacements. */
export const ignoredVariables = (environment: NodeJS.ProcessEnv = process.env): { name: string; instead: string }[] =>
  Object.entries(replaced)
    .filter(([name]) => environment[name])
    .map(([name, instead]) => ({ name, instead }));

/** Data of a CI build, for the command that runs in it without an installation. */
export interface CiBuild {
  /** The URL of the Sightline that receives results. */
  url: string | undefined;
  key: string | undefined;
  /** The repository with its host: `github/acme/api`. */
  repository: string | undefined;
  ref: string | undefined;
  commit: string | undefined;
  /** The URL of the repository on its code host. */
  repositoryUrl: string | undefined;
  /** The URL of the page of the build. */
  page: string | undefined;
}

/** Reads the two variables of Sightline and those that GitHub Actions, GitLab CI and Bitbucket Pipelines set. */
export function readCiBuild(environment: NodeJS.ProcessEnv = process.env): CiBuild {
  const first = (...names: string[]) => names.map((name) => environment[name]).find((value) => value);
  const [github, gitlab, bitbucket] = ['GITHUB_REPOSITORY', 'CI_PROJECT_PATH', 'BITBUCKET_REPO_FULL_NAME'].map(
    (name) => environment[name],
  );
  const repository = github ? `github/${github}` : gitlab ? `gitlab/${gitlab}` : bitbucket && `bitbucket/${bitbucket}`;
  const { GITHUB_SERVER_URL: host, GITHUB_RUN_ID: run, BITBUCKET_BUILD_NUMBER: build } = environment;
  const githubPage = run && `${host}/${github}/actions/runs/${run}`;
  const bitbucketPage = build && `https://bitbucket.org/${bitbucket}/pipelines/results/${build}`;
  return {
    url: first('SIGHTLINE_URL'),
    key: first('SIGHTLINE_KEY'),
    repository: repository || undefined,
    ref: first('GITHUB_REF', 'CI_COMMIT_REF_NAME', 'BITBUCKET_BRANCH'),
    commit: first('GITHUB_SHA', 'CI_COMMIT_SHA', 'BITBUCKET_COMMIT'),
    repositoryUrl:
      first('CI_PROJECT_URL', 'BITBUCKET_GIT_HTTP_ORIGIN') ?? ((github && `${host}/${github}`) || undefined),
    page: first('CI_JOB_URL') ?? ((github ? githubPage : bitbucketPage) || undefined),
  };
}

/** Reads the token of an auditor for one run of `sightline reconcile`. */
export const readAuditorToken = (environment: NodeJS.ProcessEnv = process.env): string | undefined =>
  environment.SIGHTLINE_AUDITOR_TOKEN;

/** The environment of git: without the settings of the user of this machine, and without prompts. */
export const gitEnvironment = (environment: NodeJS.ProcessEnv = process.env): Record<string, string> => ({
  PATH: environment.PATH ?? '',
  LANG: 'C',
  GIT_TERMINAL_PROMPT: '0',
  GIT_CONFIG_NOSYSTEM: '1',
  GIT_CONFIG_GLOBAL: '/dev/null',
});

/**
 * The built-in database allows 60 connections. Besides the pool and its quarter for bounded queries, a process and
 * commands need 20.
 */
const MAX_BUILT_IN_POOL = 30;

const githubNames = [
  'GITHUB_APP_ID',
  'GITHUB_APP_SLUG',
  'GITHUB_APP_PRIVATE_KEY',
  'GITHUB_APP_CLIENT_ID',
  'GITHUB_APP_CLIENT_SECRET',
  'GITHUB_WEBHOOK_SECRET',
] as const;

function githubOf(values: Variables): GithubConfig | undefined {
  const [appId, slug, privateKey, clientId, clientSecret, webhookSecret] = githubNames.map((name) => values[name]);
  if (!(appId && slug && privateKey && clientId && clientSecret && webhookSecret)) return undefined;
  const web = values.GITHUB_URL;
  return {
    url: web,
    apiUrl: githubApiOf(values),
    appId,
    slug,
    privateKey: privateKey.replaceAll('\\n', '\n'),
    clientId,
    clientSecret,
    webhookSecret,
    previousWebhookSecret: values.GITHUB_WEBHOOK_SECRET_PREVIOUS,
    sandbox: false,
  };
}

// GitHub Enterprise Server serves its API below /api/v3 of its own host.
const githubApiOf = ({ GITHUB_URL: web, GITHUB_API_URL }: Variables): string =>
  GITHUB_API_URL ?? (web === 'https://github.com' ? 'https://api.github.com' : `${web}/api/v3`);

const scannerConfigsOf = (urls: Partial<Record<ScannerName, string | undefined>>): ScannerConfigs =>
  Object.fromEntries(
    scannerNames.map((name) => [
      name,
      {
        baseURL: urls[name] ?? scannerForms[name].defaultURL ?? '',
        isDefault: urls[name] === undefined,
        sandboxPage: undefined,
      },
    ]),
  ) as Record<ScannerName, ScannerConfig>;
