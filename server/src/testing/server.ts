import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type ApiCall, type ApiError, createClient } from '@sightline/contract/core/client.ts';
import type { RoleId } from '@sightline/contract/core/permissions.ts';
import type { FastifyInstance } from 'fastify';
import { importJWK, SignJWT } from 'jose';
import { inject } from 'vitest';
import { backgroundJobsOf, buildApp } from '#app.ts';
import { type Config, readConfig } from '#config.ts';
import { newId } from '#core/ids.ts';
import { createLog } from '#core/log.ts';
import type { Services } from '#core/services.ts';
import { audienceOf, issuerOf } from '#core/tokens.ts';
import { composeServices } from '../compose.ts';
import { startSequencer } from '../domains/ledger/ledger/worker.ts';
import { createTestDatabase, testMasterKey } from './databases.ts';
import { failureLog } from './failure-log.ts';

export interface TestServer {
  app: FastifyInstance;
  services: Services;
  config: Config;
  databaseUrl: string;
  /** The address for sockets and browsers. */
  url: string;
  /** Returns an access token like that of the identity provider. */
  token: (account: TestAccount, orgId?: string, claims?: Record<string, unknown>) => Promise<string>;
  /** Returns a typed client with such a token that sends real HTTP requests. */
  as: (account: TestAccount | undefined, orgId?: string) => ApiCall;
  make: {
    account: (name?: string) => Promise<TestAccount>;
    /** Creates an organization with an active owner. */
    organization: (name?: string, options?: { isDemo?: boolean }) => Promise<TestOrganization>;
    member: (orgId: string, roleId: RoleId) => Promise<TestAccount>;
  };
  /** Returns the person of an account in an organization. */
  personOf: (orgId: string, account: TestAccount) => Promise<string>;
  close: () => Promise<void>;
}

export interface TestAccount {
  id: string;
  email: string;
  name: string;
}

export interface TestOrganization {
  id: string;
  name: string;
  owner: TestAccount;
}

export interface TestOptions {
  environment?: Record<string, string>;
  /** Also processes jobs. */
  jobs?: boolean;
  /** The addresses of code hosts that are offered to every organization; their destinations are allowed. */
  codeHosts?: Config['codeHosts'];
  /** The destinations that every organization may reach; by default the GitLab, Checkmarx and Slack of `environment`. */
  destinations?: readonly string[];
  /** Shares the database of that server. A custom MASTER_KEY must be the same for both. */
  beside?: TestServer;
  /** Maps the address of the database to the one that the server connects to. */
  connectTo?: (url: string) => string;
  /** Receives each line of the log instead of the output of the tests. */
  onLog?: (line: string) => void;
  /** Works as a superuser that bypasses row-level security: only the queries separate organizations. */
  pastRowSecurity?: boolean;
}

const shared = new Map<boolean, Promise<TestServer>>();

/**
 * Returns a server that is shared by all files of a worker without special requirements: organizations separate them.
 * Closing it has no effect; it ends with the worker. A separate server costs a file more than a second of CPU.
 */
export async function shareTestServer({ jobs = false }: Pick<TestOptions, 'jobs'> = {}): Promise<TestServer> {
  const started = shared.get(jobs) ?? startTestServer({ jobs });
  shared.set(jobs, started);
  return { ...(await started), close: async () => undefined };
}

const sandboxesIn = ({ GITLAB_URL, CHECKMARX_BASE_URL, SLACK_API_URL }: Record<string, string>): string[] =>
  [GITLAB_URL, CHECKMARX_BASE_URL, SLACK_API_URL].flatMap((url) => (url === undefined ? [] : [new URL(url).origin]));

const originsOf = (codeHosts: Config['codeHosts']): string[] =>
  Object.values(codeHosts).flatMap(({ url }) => (url === undefined ? [] : [new URL(url).origin]));

/** Starts the complete server on a new database and a free port. Needs the cluster of the global setup. */
export async function startTestServer(options: TestOptions = {}): Promise<TestServer> {
  const {
    environment = {},
    codeHosts = {},
    destinations = [...sandboxesIn(environment), ...originsOf(codeHosts)],
    jobs = false,
    beside,
    connectTo = (url) => url,
    onLog,
    pastRowSecurity = false,
  } = options;
  const ownerUrl = beside?.databaseUrl ?? (await createTestDatabase(environment.MASTER_KEY ?? testMasterKey));
  const dataDir = await mkdtemp(join(tmpdir(), 'sightline-data-'));
  const read = readConfig({
    NODE_ENV: 'test',
    LOG_LEVEL: 'error',
    DATA_DIR: dataDir,
    // Ignores the builds of this checkout.
    DOWNLOADS_DIR: join(dataDir, 'downloads'),
    SANDBOX: 'off',
    // No server responds there.
    DNS_SERVERS: '127.0.0.1:1',
    // All tests call from one address.
    RATE_LIMITS: '*=1000000000',
    DATABASE_POOL: '8',
    PASSWORD_HASH_COST: '1024',
    MASTER_KEY: testMasterKey,
    // Tests use fixed dates.
    EVENT_RETENTION_MONTHS: '1200',
    CLIPBOARD_RETENTION_DAYS: '36500',
    PUBLIC_URL: 'http://localhost:1',
    ROLE: jobs ? 'all' : 'api',
    ...(pastRowSecurity && { DATABASE_APP_URL: superuserUrl(ownerUrl) }),
    ...environment,
  });
  const config = { ...read, codeHosts, sandboxDestinations: destinations };
  const log = createLog(config.LOG_LEVEL, onLog ? { write: onLog } : failureLog);
  const { services, signingKeys, close } = await composeServices(config, connectTo(ownerUrl), log);
  const app = await buildApp(services, signingKeys);
  await services.jobs.start(backgroundJobsOf(services), jobs);
  const sequencer = jobs ? startSequencer(services.ledger) : undefined;
  const url = await app.listen({ port: 0, host: '127.0.0.1' });
  const [signer] = signingKeys.private.keys;
  if (!signer) throw new Error('no signing key');

  const token: TestServer['token'] = async (account, orgId, claims = {}) =>
    // The session that `make.account` creates.
    new SignJWT({ sid: account.id, email: account.email, ...(orgId !== undefined && { orgID: orgId }), ...claims })
      .setProtectedHeader({ alg: 'RS256', typ: 'at+jwt', kid: signer.kid ?? '' })
      .setSubject(account.id)
      .setIssuer(issuerOf(config.PUBLIC_URL))
      .setAudience(typeof claims.aud === 'string' ? claims.aud : audienceOf(config.PUBLIC_URL))
      .setIssuedAt()
      .setExpirationTime('10m')
      .sign(await importJWK(signer, 'RS256'));

  // Signing takes a fifth of the time of a call, so calls in the same minute share a token.
  const tokens = new Map<string, Promise<string>>();
  const sharedToken = (account: TestAccount, orgId?: string): Promise<string> => {
    const key = [account.id, account.email, orgId, Math.floor(Date.now() / 60_000)].join(' ');
    const found = tokens.get(key) ?? token(account, orgId);
    tokens.set(key, found);
    return found;
  };

  return {
    app,
    services,
    config,
    databaseUrl: ownerUrl,
    url,
    token,
    as: (account, orgId) =>
      createClient({ baseUrl: `${url}/api`, token: () => (account ? sharedToken(account, orgId) : undefined) }),
    make: makers(services),
    personOf: (orgId, account) =>
      services.database.withOrg(orgId, async ({ db }) => {
        const { person_id } = await db
          .selectFrom('identity')
          .select('person_id')
          .where('org_id', '=', orgId)
          .where('kind', '=', 'account')
          .where('value', '=', account.id)
          .executeTakeFirstOrThrow();
        return person_id;
      }),
    async close() {
      await app.close();
      await sequencer?.stop();
      await close();
      await rm(dataDir, { recursive: true, force: true });
    },
  };
}

/** Returns the status and code of a refused call. */
export const refusalOf = async (call: Promise<unknown>): Promise<{ status: number; code: string | undefined }> =>
  call.then(
    () => ({ status: 200, code: undefined }),
    (error: ApiError) => ({ status: error.status, code: error.refusal?.code }),
  );

/** Returns the same database with the login of the cluster's superuser. */
export function superuserUrl(databaseUrl: string): string {
  const url = new URL(inject('cluster').url);
  url.pathname = new URL(databaseUrl).pathname;
  return url.href;
}

function makers(services: Services): TestServer['make'] {
  const { database, people } = services;
  const account: TestServer['make']['account'] = async (name = 'Ada Byron') => {
    const id = newId();
    const email = `${name.toLowerCase().replaceAll(' ', '.')}.${id.slice(-8)}@example.org`;
    await database.global(async ({ db }) => {
      await db.insertInto('account').values({ id, email, name, email_verified_at: new Date() }).execute();
      const session = { id, uid: `test ${id}`, account_id: id, user_agent: '' };
      await db.insertInto('account_session').values(session).execute();
    });
    return { id, email, name };
  };
  const join = (orgId: string, person: TestAccount, roleId: RoleId) =>
    database.withOrg(orgId, async (tx) => {
      await tx.db
        .insertInto('member')
        .values({ org_id: orgId, account_id: person.id, role_id: roleId, status: 'active' })
        .execute();
      const names = [{ kind: 'account', value: person.id } as const, { kind: 'email', value: person.email } as const];
      await people.resolve(tx, orgId, [{ names, display: person.name, picture: null, source: 'sightline' }]);
    });
  return {
    account,
    async organization(name = 'Acme', { isDemo = false } = {}) {
      const owner = await account('Olga Owner');
      const id = newId();
      await database.withOrg(id, ({ db }) =>
        db
          .insertInto('organization')
          .values({ id, name, slug: `acme-${id}`, display_name: name, created_by: owner.id, is_demo: isDemo })
          .execute(),
      );
      await join(id, owner, 'rol_owner');
      return { id, name, owner };
    },
    async member(orgId, roleId) {
      const person = await account(`${roleId.slice(4)} Person`);
      await join(orgId, person, roleId);
      return person;
    },
  };
}
