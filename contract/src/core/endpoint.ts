import type { z } from 'zod';
import type { AccessKeyUse } from './access-key-uses.ts';
import type { ErrorCode } from './errors.ts';
import type { Flag } from './flags.ts';
import type { Permission } from './permissions.ts';
import type { Topic } from './topics.ts';

/**
 * The credential that a request requires: none, the token of an account (without an organization), or of a member of an
 * organization. `portal`: the cookie of a visit to the auditor portal in the path; otherwise the response is 404.
 */
export type Scope = 'public' | 'account' | 'organization' | 'portal';

export interface Endpoint {
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /** Path below `/api`, with parameters as `:name`. */
  path: string;
  /** One sentence for the API documentation. */
  summary: string;
  scope: Scope;
  /** Only with scope `organization`: a permission of the member's role, or one of several. */
  permission?: Permission | readonly Permission[];
  /** The endpoint returns 404 while this flag is off. */
  flag?: Flag;
  /** Changes nothing although the method is not GET: a query with a body. */
  reads?: true;
  /** A change that an archived organization still accepts. */
  whileArchived?: true;
  params?: z.ZodType;
  query?: z.ZodType;
  body?: z.ZodType;
  response: z.ZodType;
  /** Status of a successful response; default 200. */
  status?: 200 | 201 | 202 | 204;
  /** Error codes in addition to those of every endpoint (see errors.ts). */
  errors?: readonly ErrorCode[];
  /** Only for a read: the topics whose changes make the response outdated. Clients reload it then. */
  topics?: readonly Topic[];
  /** Only for a mutation: the topics that it changes. Every change of an organization names them, if only as an empty list. */
  changes?: readonly Topic[];
  /** The response is one page; the `x-total-count` header contains the total. */
  paged?: true;
  /** The body is a streamed file of one of these media types, with at most this many bytes. */
  upload?: { readonly types: readonly string[]; readonly maxBytes: number };
  /**
   * Requires a session whose identity was confirmed within `freshSignInSeconds`. Otherwise the error is
   * `reauthentication_required`. A function decides by the body.
   */
  stepUp?: true | ((body: never) => boolean);
  /** Machines may also send the request, with an access key for this use. */
  accessKey?: AccessKeyUse;
  /** An extension may also send the request, with the token of its grant. All other endpoints reject such a token. */
  extension?: true;
  /** The response is a streamed file of one of these media types. */
  file?: readonly string[];
  /** Expensive: limited for each organization, per hour and in concurrency. */
  cost?: 'export' | 'upload';
  /** A polled response: has an ETag, and returns 304 if unchanged. */
  polled?: true;
}

/** Declares one HTTP request. Server routes, clients, the access matrix and the documentation derive from it. */
export function endpoint<const E extends Endpoint>(definition: E): E {
  return definition;
}

/** Whether a request changes data of an organization. This includes a GET that requires more than a read permission. */
export const isChange = ({ scope, reads, method, permission }: Endpoint): boolean =>
  scope === 'organization' && !reads && (method !== 'GET' || ![permission].flat()[0]?.startsWith('read:'));

export interface Page<Rows> {
  rows: Rows;
  total: number;
}

type InputPart<E, K extends PropertyKey> =
  E extends Record<K, infer S extends z.ZodType> ? { [P in K]: z.input<S> } : unknown;
type QueryInput<E> = E extends { query: infer S extends z.ZodType } ? { query?: Partial<z.output<S>> } : unknown;

/** The input of a request: path parameters, query and body, each only if the endpoint has one. */
export type CallInput<E extends Endpoint> = InputPart<E, 'params'> & QueryInput<E> & InputPart<E, 'body'>;

/** The output of a request: the response, or for a paged endpoint one page with the total. */
export type CallOutput<E extends Endpoint> = E extends { paged: true }
  ? Page<z.output<E['response']>>
  : z.output<E['response']>;
