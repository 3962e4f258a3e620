import { createHash, createHmac, randomUUID } from 'node:crypto';
import { fullName, type Host } from '../github/host.ts';
import type { HostedRepository } from '../github/hosted-repository.ts';
import { createStoredState } from '../stored-state.ts';
import { createWebhookQueue, type WebhookQueue } from '../webhook-queue.ts';

export const tenantName = 'sandbox';

/** A project in API format. `source` is the repository that its results refer to. */
export type Project = {
  id: string;
  name: string;
  /** `owner/name` on the sandbox's GitHub; empty if the origin of the code is unknown. */
  repository: string;
  mainBranch: string;
  source: HostedRepository;
};

/** A completed scan. `seeds` are the indexes of its findings among all possible ones; `given` replaces them. */
export type Scan = {
  id: string;
  projectId: string;
  branch: string;
  commit: string;
  status: 'Completed' | 'Partial' | 'Failed';
  createdAt: string;
  seeds: number[];
  /** How many days each finding is older than the one before it; default: one. */
  daysPerFinding?: number;
  given?: string;
};

/** A registered webhook. `projectId` is null for one of the entire tenant. */
export type Webhook = {
  id: string;
  name: string;
  active: boolean;
  enabledEvents: string[];
  url: string;
  secret: string;
  projectId: string | null;
};

type TenantState = {
  scans: Scan[];
  webhooks: Webhook[];
  keys: number;
  revoked: number[];
  mayRead: boolean;
  mayHook: boolean;
};

/** A simulated Checkmarx One with one tenant, over the repositories of the sandbox's GitHub. */
export type Tenant = {
  host: Host;
  projects: Project[];
  /** State that persists across restarts. Call `save` after a change. */
  kept: TenantState;
  save: () => void;
  hooks: WebhookQueue;
  /** Access tokens, with the number of their key. */
  tokens: Map<string, number>;
  /** Signs API keys, so that keys of an earlier run remain valid. */
  secret: string;
};

/** `file`: stores scans, webhooks and keys across restarts. */
export const createTenant = (host: Host, secret: string, file: string | undefined): Tenant => {
  const fresh: TenantState = { scans: [], webhooks: [], keys: 1, revoked: [], mayRead: true, mayHook: true };
  return {
    host,
    // Repositories can be added later.
    get projects() {
      return projectsOf(host);
    },
    ...createStoredState(file, fresh),
    hooks: createWebhookQueue(),
    tokens: new Map(),
    secret,
  };
};

/** URL of the code of a project; empty if unknown. */
export const repoUrlOf = ({ host }: Tenant, { repository }: Project): string =>
  repository === '' ? '' : `${host.url}/${repository}`;

/** URL of the tenant at the identity provider. */
export const realmOf = ({ host }: Tenant): string => `${host.url}/auth/realms/${tenantName}`;

/** The newest API key: a refresh token of the identity provider, as on Checkmarx One. */
export const currentKey = (tenant: Tenant): string => keyOf(tenant, tenant.kept.keys);

/** The number of a key created here, valid or expired. */
export const keyNumber = (tenant: Tenant, key: string): number | undefined =>
  Array.from({ length: tenant.kept.keys }, (_, index) => index + 1).find((number) => keyOf(tenant, number) === key);

export const isKeyValid = ({ kept }: Tenant, number: number): boolean => !kept.revoked.includes(number);

/** Expires all existing keys and creates a valid one. */
export const renewKey = (tenant: Tenant): void => {
  const { kept, tokens } = tenant;
  kept.revoked = Array.from({ length: kept.keys }, (_, index) => index + 1);
  kept.keys += 1;
  tokens.clear();
  tenant.save();
};

const keyOf = (tenant: Tenant, number: number): string => {
  const realm = realmOf(tenant);
  const claims = { iat: 1_760_000_000 + number, jti: stableUuid(`key ${number}`), iss: realm, aud: realm };
  const fixedClaims = { sub: stableUuid('owner of the key'), typ: 'Offline', azp: 'ast-app', scope: 'offline_access' };
  return signToken(tenant.secret, { ...claims, ...fixedClaims });
};

/** A token in JWT format, with HS512 as Keycloak uses for refresh tokens. */
export const signToken = (secret: string, claims: Record<string, unknown>): string => {
  const encode = (part: object): string => Buffer.from(JSON.stringify(part)).toString('base64url');
  const head = `${encode({ alg: 'HS512', typ: 'JWT', kid: 'sandbox' })}.${encode(claims)}`;
  return `${head}.${createHmac('sha512', secret).update(head).digest('base64url')}`;
};

const projectsOf = (host: Host): Project[] => {
  const imported = host.repositories.map((repository) => ({
    id: stableUuid(`project ${fullName(repository)}`),
    name: fullName(repository),
    mainBranch: repository.git.defaultBranch,
    repository: fullName(repository),
    source: repository,
  }));
  const [first] = host.repositories;
  if (first === undefined) return [];
  // A project with code uploaded as an archive, whose origin is unknown.
  const archive = { repository: '', mainBranch: '', source: first };
  return [...imported, { id: stableUuid('project archive'), name: 'Nightly archive', ...archive }];
};

export const stableUuid = (text: string): string => {
  const hex = createHash('sha256').update(text).digest('hex');
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-4${hex.slice(13, 16)}-8${hex.slice(17, 20)}-${hex.slice(20, 32)}`;
};

export const newUuid = (): string => randomUUID();
