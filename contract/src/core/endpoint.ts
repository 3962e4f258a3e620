import type { z } from 'zod';
import type { ErrorCode } from './errors.ts';
import type { Flag } from './flags.ts';
import type { Permission } from './permissions.ts';
import type { Topic } from './topics.ts';

/**
 * Whose token a call needs: nobody's, an account's (no organization chosen yet), or a member's of an organization. `portal`: the cookie of
 * a visit to the auditor portal that the path names; without it the answer is 404.
 */
export type Scope = 'public' | 'account' | 'organization' | 'portal';

export interface Endpoint {
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /** Below `/api`, parameters as `:name`. */
  path: string;
  /** One sentence for the reader of the API's documentation. */
  summary: string;
  scope: Scope;
  /** Only for scope `organization`: what the member's role must hold; of several, one. */
  permission?: Permission | readonly Permission[];
  /** The call answers 404 while this flag is off. */
  flag?: Flag;
  /** Changes nothing although it is no GET: a question with a body. */
  reads?: true;
  /** Changes something and is still answered in an archived organization. */
  whileArchived?: true;
  params?: z.ZodType;
  query?: z.ZodType;
  body?: z.ZodType;
  response: z.ZodType;
  /** Status of a good answer; 200 unless given. */
  status?: 200 | 201 | 202 | 204;
  /** Refusals of its own, beside those every call knows (see errors.ts). */
  errors?: readonly ErrorCode[];
  /** Only for a read: the topics whose changes make the response outdated. Clients reload it then. */
  topics?: readonly Topic[];
  /** Only for a mutation: the topics that it changes. Every change of an organization names them, if only as an empty list. */
  changes?: readonly Topic[];
  /** The response is one page; the full count travels in the `x-total-count` header. */
  paged?: true;
  /** The body is a file of one of these media types, at most this many bytes, read as it comes. */
  upload?: { readonly types: readonly string[]; readonly maxBytes: number };
  /**
   * Needs a session that proved within `freshSignInSeconds` who it is; otherwise the answer is `reauthentication_required`. A
   * function decides by the body.
   */
  stepUp?: true | ((body: never) => boolean);
  /** Machines may ask too, with an access key for this. */
  accessKey?: 'sarif';
  /** An extension may ask too, with the token of its person's grant; every other call refuses such a token. */
  extension?: true;
  /** The answer is a file of any size, sent as it is made; these are its media types. */
  file?: readonly string[];
  /** Expensive work: limited for each organization, by the hour and in how much of it runs at once. */
  cost?: 'export' | 'upload';
  /** A polled answer: carries an ETag, and 304 when nothing changed. */
  polled?: true;
}

/** Names one HTTP call. The server's routes, every client, the access matrix and the documentation derive from it. */
export function endpoint<const E extends Endpoint>(definition: E): E {
  return definition;
}

/** Whether a call changes something of an organization. A GET does too, where it takes more than a right to read. */
export const isChange = ({ scope, reads, method, permission }: Endpoint): boolean =>
  scope === 'organization' && !reads && (method !== 'GET' || ![permission].flat()[0]?.startsWith('read:'));

export interface Page<Rows> {
  rows: Rows;
  total: number;
}

type InputPart<E, K extends PropertyKey> =
  E extends Record<K, infer S extends z.ZodType> ? { [P in K]: z.input<S> } : unknown;
type QueryInput<E> = E extends { query: infer S extends z.ZodType } ? { query?: Partial<z.output<S>> } : unknown;

/** What a caller gives: path parameters, query and body, each only where the endpoint has one. */
export type CallInput<E extends Endpoint> = InputPart<E, 'params'> & QueryInput<E> & InputPart<E, 'body'>;

/** What a caller gets: the response, or for a paged endpoint one page of it with the full count. */
export type CallOutput<E extends Endpoint> = E extends { paged: true }
  ? Page<z.output<E['response']>>
  : z.output<E['response']>;
