import type { ScannerName } from '@sightline/contract/core/scan-sources.ts';
import { scannerForms } from '@sightline/contract/sources/scanner-forms.ts';
import type { z } from 'zod';
import { parseDestination } from '#core/destination.ts';
import type { Outbound, ResponseLimits } from '#core/outbound.ts';
import { type ScannerConnection, ScannerProblem } from './scanner-connector.ts';
import { createScannerTransport, type RetryOptions, type ScannerProblems } from './scanner-transport.ts';

/** A client of a JSON API whose requests carry a token. Every method throws ScannerProblem or ScannerLimited. */
export interface ScannerApi {
  /** Without a trailing slash; may have a path. */
  baseURL: string;
  /** Throws ScannerProblem for a response that does not match the schema, so that it never counts as empty. */
  get: <Schema extends z.ZodType>(path: string, schema: Schema, options?: GetOptions) => Promise<ApiAnswer<Schema>>;
  /** The same; undefined for 404. */
  maybe: <Schema extends z.ZodType>(
    path: string,
    schema: Schema,
    options?: GetOptions,
  ) => Promise<ApiAnswer<Schema> | undefined>;
  /** A problem for users: the API does something that prevents a complete read. */
  problem: (why: string) => ScannerProblem;
}

interface ApiAnswer<Schema extends z.ZodType> {
  data: z.output<Schema>;
  header: (name: string) => string | null;
}

interface GetOptions {
  limits?: ResponseLimits;
  /** The action for the message about a missing permission. */
  what?: string;
}

interface ApiOptions {
  name: ScannerName;
  connection: ScannerConnection;
  /** The host of connections without one. */
  defaultURL: string;
  headers: Readonly<Record<string, string>>;
  patience: RetryOptions;
}

const listLimits = { timeout: 60_000, size: 64 * 1024 * 1024 };

/** Opens a client without a request. Throws ScannerProblem for a URL that must not be called. */
export async function openScannerApi(
  outbound: Outbound,
  { name, connection, defaultURL, headers, patience }: ApiOptions,
): Promise<ScannerApi> {
  const problems = problemsOf(name);
  const transport = createScannerTransport(outbound, problems, patience);
  const baseURL = baseUrlOf(problems, connection.baseURL || defaultURL);
  await transport.check('baseURL', baseURL);
  const { host } = new URL(baseURL);
  const read = async (path: string, { limits = listLimits, what = 'do this' }: GetOptions = {}) => {
    const init = { headers: { accept: 'application/json', 'user-agent': 'Sightline', ...headers } };
    const answer = await transport.call('baseURL', `${baseURL}${path}`, init, limits);
    if (answer.status === 401) throw problems.keyRefused();
    if (answer.status === 403) throw problems.noPermission(what);
    if (answer.status >= 400 && answer.status !== 404)
      throw problems.apiRefused(host, `rejects the request (${answer.status})`);
    return answer;
  };
  const maybe: ScannerApi['maybe'] = async (path, schema, options) => {
    const { status, body, headers: answered } = await read(path, options);
    if (status === 404) return undefined;
    const parsed = schema.safeParse(jsonOf(body));
    if (!parsed.success) throw problems.apiRefused(host, `does not respond as the API of ${problems.title}`);
    return { data: parsed.data, header: (one) => answered.get(one) };
  };
  return {
    baseURL,
    maybe,
    async get(path, schema, options) {
      const answer = await maybe(path, schema, options);
      if (answer === undefined) throw problems.apiRefused(host, `is not the API of ${problems.title}`);
      return answer;
    },
    problem: (why) => new ScannerProblem('unreachable', null, `The host ${host} ${why}. Sightline tries again.`),
  };
}

function jsonOf(body: string): unknown {
  try {
    return JSON.parse(body);
  } catch {
    return undefined;
  }
}

/** An entered URL without query and trailing slash. Without a scheme, it is https. */
function baseUrlOf(problems: ScannerProblems, entered: string): string {
  const url = /^[a-z][a-z0-9+.-]*:\/\//i.test(entered) ? entered : `https://${entered}`;
  const parsed = parseDestination(url);
  if ('url' in parsed) return `${parsed.url.origin}${parsed.url.pathname.replace(/\/+$/, '')}`;
  if (URL.canParse(url)) throw problems.urlRefused('baseURL', url, parsed.problem);
  throw new ScannerProblem('wrong_host', 'baseURL', `Enter the https URL of ${problems.title}.`);
}

interface ApiProblems extends ScannerProblems {
  keyRefused: () => ScannerProblem;
  noPermission: (what: string) => ScannerProblem;
}

/** The messages of a scanner, in the terms of its form. */
export function problemsOf(name: ScannerName): ApiProblems {
  const { title, apiKey, defaultURL, keyPlace } = scannerForms[name];
  const remedy =
    defaultURL === undefined ? `Enter the URL of your ${title}.` : 'Leave the URL empty for the default, or check it.';
  return {
    title,
    keyRefused: () =>
      new ScannerProblem(
        'bad_key',
        'apiKey',
        `${title} rejects this ${apiKey.noun}: it is wrong, expired or revoked. ${keyPlace}`,
      ),
    noPermission: (what) =>
      new ScannerProblem(
        'no_permission',
        'apiKey',
        `The ${apiKey.noun} has no permission to ${what}. Give it the permissions below, or use another one.`,
      ),
    apiRefused: (host, why) => new ScannerProblem('wrong_host', 'baseURL', `The host ${host} ${why}. ${remedy}`),
    hostUnreachable: (host) =>
      new ScannerProblem(
        'unreachable',
        null,
        `The host ${host} does not respond. Check that your firewall allows the connection, and try again.`,
      ),
    urlRefused: (_field, _address, why) =>
      new ScannerProblem(
        'refused_host',
        'baseURL',
        `The URL ${why}, so it is not called. Enter the https URL of ${title}. The operator of this server can allow a URL in your network.`,
      ),
  };
}
