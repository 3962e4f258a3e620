import { z } from 'zod';
import { parseDestination } from '#core/destination.ts';
import type { Outbound, ResponseLimits } from '#core/outbound.ts';
import { type ScannerConnection, ScannerProblem } from '../scanner-connector.ts';
import {
  type AddressOrigin,
  createScannerTransport,
  type RetryOptions,
  type ScannerTransport,
} from '../scanner-transport.ts';
import { parseJsonExactly } from './json.ts';
import { baseUrlIn, readApiKey } from './key.ts';
import {
  apiRefused,
  checkmarxProblems,
  expiredKey,
  invalidKey,
  noPermission,
  urlRefused,
  wrongTenant,
} from './problems.ts';

/** A signed-in API client of one tenant. Renews its tokens before they expire. */
export interface CheckmarxClient {
  baseURL: string;
  /** Sends GET to a path below the base URL. Returns undefined for a 404 with the code `nothing`. */
  get: (path: string, options?: GetOptions) => Promise<unknown>;
  send: (method: 'POST' | 'DELETE', path: string, body?: unknown) => Promise<unknown>;
}

interface GetOptions {
  limits?: ResponseLimits;
  /** The code in the body of a 404 that means an empty result. */
  nothing?: number;
  /** The action for the message about a missing permission. */
  what?: string;
}

/**
 * Signs in: exchanges the key for a token at its identity provider. Throws ScannerProblem with the invalid field of
 * the form, and ScannerLimited.
 */
export async function openCheckmarxClient(
  outbound: Outbound,
  { tenant, apiKey, baseURL }: ScannerConnection,
  defaultURL: string,
  patience: RetryOptions = {},
): Promise<CheckmarxClient> {
  const transport = createScannerTransport(outbound, checkmarxProblems, patience);
  const given = baseURL === undefined || baseURL === '' ? undefined : originOf(baseURL);
  if (given !== undefined) await transport.check('baseURL', given);
  const key = readApiKey(tenant, apiKey);
  const iam = key.iam ?? iamOf(given ?? defaultURL);
  if (iam === undefined || !URL.canParse(iam)) throw invalidKey('This key does not contain its issuer.');
  const tokens = createTokens(transport, { iam, tenant, apiKey, clientId: key.clientId });
  const token = await tokens.current();
  const found = given ?? baseUrlIn(token) ?? defaultURL;
  const from: AddressOrigin = given === undefined && found !== defaultURL ? 'apiKey' : 'baseURL';
  const url = originOf(found);
  return { baseURL: url, ...createCalls(transport, url, from, tokens) };
}

/** The origin of an entered URL. Without a scheme, it is https. */
function originOf(entered: string): string {
  const url = /^[a-z][a-z0-9+.-]*:\/\//i.test(entered) ? entered : `https://${entered}`;
  const parsed = parseDestination(url);
  if ('url' in parsed) return parsed.url.origin;
  if (URL.canParse(url)) throw urlRefused('baseURL', url, parsed.problem);
  throw new ScannerProblem('wrong_host', 'baseURL', 'The base URL must be a URL, such as https://ast.checkmarx.net.');
}

/** The identity provider of a region. */
const iamOf = (baseURL: string): string | undefined =>
  /^https:\/\/((?:[a-z0-9-]+\.)?)ast\.checkmarx\.net$/
    .exec(baseURL)
    ?.slice(1)
    .map((region) => `https://${region}iam.checkmarx.net`)[0];

interface Tokens {
  current: () => Promise<string>;
  drop: () => void;
}

const tokenAnswer = z.object({ access_token: z.string().min(1), expires_in: z.number().optional().catch(undefined) });
const refusalAnswer = z.object({ error: z.string().catch(''), error_description: z.string().catch('') });
const RENEW_BEFORE_MS = 30_000;

function createTokens(
  transport: ScannerTransport,
  { iam, tenant, apiKey, clientId }: { iam: string; tenant: string; apiKey: string; clientId: string },
): Tokens {
  const realm = encodeURIComponent(tenant.toLowerCase());
  const url = `${new URL(iam).origin}/auth/realms/${realm}/protocol/openid-connect/token`;
  let cached: { token: string; until: number } | undefined;
  return {
    async current() {
      if (cached && cached.until > Date.now()) return cached.token;
      const form = { grant_type: 'refresh_token', client_id: clientId, refresh_token: apiKey };
      const { status, body } = await transport.call('apiKey', url, {
        method: 'POST',
        headers: { 'content-type': 'application/x-www-form-urlencoded', accept: 'application/json' },
        body: new URLSearchParams(form).toString(),
      });
      const json = jsonOf(body);
      if (status === 404) throw wrongTenant(tenant, undefined);
      if (status === 403) throw noPermission('sign in');
      if (status !== 200) {
        const { error_description: why = '' } = refusalAnswer.safeParse(json).data ?? {};
        throw /expired|not active|session/i.test(why)
          ? expiredKey()
          : invalidKey('Checkmarx One rejects this API key.');
      }
      const answer = tokenAnswer.safeParse(json).data;
      if (!answer) throw apiRefused(new URL(url).host, 'does not respond as the identity provider of Checkmarx One');
      cached = { token: answer.access_token, until: Date.now() + (answer.expires_in ?? 300) * 1000 - RENEW_BEFORE_MS };
      return cached.token;
    },
    drop() {
      cached = undefined;
    },
  };
}

function createCalls(transport: ScannerTransport, baseURL: string, from: AddressOrigin, tokens: Tokens) {
  const { host } = URL.canParse(baseURL) ? new URL(baseURL) : { host: baseURL };
  const request = async (method: string, path: string, { body, limits }: { body?: unknown; limits?: ResponseLimits }) =>
    transport.call(
      from,
      `${baseURL}${path}`,
      {
        method,
        headers: {
          authorization: `Bearer ${await tokens.current()}`,
          accept: 'application/json; version=1.0',
          'user-agent': 'Sightline',
          ...(body !== undefined && { 'content-type': 'application/json' }),
        },
        ...(body !== undefined && { body: JSON.stringify(body) }),
      },
      limits,
    );
  const call = async (method: string, path: string, options: GetOptions & { body?: unknown }) => {
    let answer = await request(method, path, options);
    if (answer.status === 401) {
      // A token may be revoked before it expires.
      tokens.drop();
      answer = await request(method, path, options);
    }
    const { status, body } = answer;
    const json = jsonOf(body);
    if (status === 404 && options.nothing !== undefined && codeOf(json) === options.nothing) return undefined;
    if (status === 401) throw apiRefused(host, 'rejects the tokens of this tenant');
    if (status === 403) throw noPermission(options.what ?? 'do this');
    if (status === 404) throw apiRefused(host, 'is not the API of Checkmarx One');
    if (status >= 400) throw apiRefused(host, `rejects the request (${status})`);
    if (status === 204 || (method !== 'GET' && body === '')) return undefined;
    if (json === undefined) throw apiRefused(host, 'does not respond as the API of Checkmarx One');
    return json;
  };
  return {
    get: (path: string, options: GetOptions = {}) => call('GET', path, options),
    send: (method: 'POST' | 'DELETE', path: string, body?: unknown) =>
      call(method, path, { body, what: 'manage webhooks' }),
  };
}

const codeOf = (json: unknown) => z.object({ code: z.number() }).safeParse(json).data?.code;

function jsonOf(body: string): unknown {
  try {
    return parseJsonExactly(body);
  } catch {
    return undefined;
  }
}
