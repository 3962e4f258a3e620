import type { Endpoint } from '@sightline/contract/core/endpoint.ts';
import type { AuditAction } from '@sightline/contract/organization/audit-actions.ts';
import type { Services } from '#core/services.ts';
import type { Tx } from '#database/database.ts';
import type { TestServer } from '#testing/server.ts';
import type { Access } from './access.ts';
import type { Seed } from './seeded.ts';

export interface RequestInput {
  params?: Record<string, string>;
  query?: Record<string, string>;
  body?: unknown;
  /** The uploaded content. */
  file?: unknown;
}

/** IDs of an organization's items in a request: of the own organization, of another one, or nonexistent ones. */
export type RequestNames = Seed & { orgId: string; memberId: string; formerId: string };

/** Scenes that differ from the one in which the requests of the owner succeed. */
export type SceneName = 'archived' | 'suspended-installation' | 'totp' | 'unconfirmed-address';

export interface EndpointCase {
  endpoint: Endpoint;
  /** Returns an example request that succeeds for the owner. The default is empty. */
  request?: (names: RequestNames) => RequestInput;
  access: Access;
  /** Requires a sign-in within five minutes. */
  recentSignIn?: true;
  scene?: SceneName;
  /** The actions that the request writes to the audit log, in the transaction of the change. */
  writes?: readonly AuditAction[];
  /** The reason that the request writes no audit entry. A GET without either must not change any table. */
  writesNothing?: string;
  /** Differences of the test that makes the audit log accept no entry. */
  auditing?: {
    /** A request that changes something, if `request` changes nothing. */
    request?: (names: RequestNames) => RequestInput;
    /** The status of the response while the audit log accepts no entry, if it is not 500. */
    status?: number;
    /** Tables that record a failed attempt. */
    traces?: readonly string[];
    /** Creates what the request requires. */
    before?: (server: TestServer, seed: Seed) => Promise<void>;
  };
}

type Definition<E extends Endpoint> = Omit<EndpointCase, 'endpoint'> &
  (E['method'] extends 'GET' ? unknown : Required<Pick<EndpointCase, 'writes'>> | { writesNothing: string });

/**
 * Describes how the tests of this folder call one endpoint, and what they expect. A file `endpoint-cases.fixture.ts`
 * beside the routes exports them as `endpointCases`. No other list contains them.
 */
export const endpointCase = <E extends Endpoint>(endpoint: E, definition: Definition<E>): EndpointCase => ({
  endpoint,
  ...definition,
});

/** Describes the calls of a list, and of its export with the same filters and access. */
export const listCases = <E extends Endpoint>(
  [list, exported]: readonly [E, Endpoint],
  definition: Definition<E>,
): EndpointCase[] => [
  { endpoint: list, ...definition },
  {
    endpoint: exported,
    ...definition,
    request: (names) => {
      const { query: { page: _page, perPage: _perPage, ...query } = {}, ...request } =
        definition.request?.(names) ?? {};
      return { ...request, query };
    },
    writes: ['list.exported'],
  },
];

/**
 * Items of one feature in the seeded organization. The file `seeded-items.fixture.ts` of the feature exports them as
 * `seededItems`, and adds their names to `Seed`.
 */
export interface SeededItems {
  /** Returns the names of the items of a new organization. */
  create: (server: TestServer, seed: Seed) => Partial<Seed> | Promise<Partial<Seed>>;
  /** Creates the items, or restores them after a request, and deletes all others. */
  restore: (services: Services, tx: Tx, names: RequestNames, scene?: SceneName) => Promise<void>;
}

/** Returns the path parameters of the seeded repository. */
export const repositoryParams = ({ fullName }: RequestNames) => ({ provider: 'github', repoPath: fullName });

export const inAMonth = () => new Date(Date.now() + 30 * 86_400_000).toISOString();

/** A public IP address, which needs no name resolution. */
export const outsideUrl = 'https://[2606:2800:21f:cb07:6820:80da:af6b:8b2c]/hooks';
