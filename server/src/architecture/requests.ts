import { pathOf } from '@sightline/contract/core/client.ts';
import type { Endpoint } from '@sightline/contract/core/endpoint.ts';
import { portalCookieName } from '#core/auditor-portals.ts';
import { newId } from '#core/ids.ts';
import type { TestServer } from '#testing/server.ts';
import type { RequestInput, RequestNames } from './endpoint-case.ts';
import { caseOf } from './endpoint-cases.ts';
import type { Seed } from './seeded.ts';

export const requestNamesOf = (seed: Seed): RequestNames => ({
  ...seed,
  orgId: seed.org.id,
  memberId: seed.contributor.id,
  formerId: seed.deactivated.id,
});

/** Returns names like those of `seed` of which none exists. */
export const unknownRequestNames = (seed: Seed): RequestNames => ({
  ...(Object.fromEntries(
    Object.entries(requestNamesOf(seed)).map(([key, name]) => [key, typeof name === 'string' ? newId() : name]),
  ) as unknown as RequestNames),
  // Names of another form than an ID.
  fullName: 'nobody/nothing',
  toolId: 'action:nobody/nothing',
  installationId: '999999999999',
  domain: 'nobody.example',
  newPasskey: {},
  totpCode: () => '000000',
});

/** Returns the body and headers of a request: its JSON or its file. */
export function payloadOf(
  endpoint: Endpoint,
  { body, file }: RequestInput,
): { headers?: { 'content-type': string }; payload?: string } {
  const type = endpoint.upload?.types[0] ?? (endpoint.body && 'application/json');
  if (type === undefined) return {};
  return { headers: { 'content-type': type }, payload: JSON.stringify(endpoint.upload ? file : body) };
}

export const endpointKeyOf = ({ method, path }: Pick<Endpoint, 'method' | 'path'>): string => `${method} ${path}`;

/** Returns the example request of an endpoint. Throws if it has no case. */
export const exampleRequestOf = (endpoint: Endpoint, names: RequestNames): RequestInput =>
  caseOf(endpoint).request?.(names) ?? {};

/** Returns the path and query of a request. */
export function requestUrlOf(endpoint: Endpoint, { params = {}, query = {} }: RequestInput): string {
  const search = new URLSearchParams(query).toString();
  return `/api${pathOf(endpoint, params)}${search === '' ? '' : `?${search}`}`;
}

/** Sends the request of an endpoint. `credential`: an access token, or the cookie of a portal session. */
export async function callEndpoint(
  server: TestServer,
  endpoint: Endpoint,
  credential: string | undefined,
  names: RequestNames,
) {
  const input = exampleRequestOf(endpoint, names);
  const { headers, ...sent } = payloadOf(endpoint, input);
  const answer = await server.app.inject({
    method: endpoint.method,
    url: requestUrlOf(endpoint, input),
    headers: { ...credentialHeaders(credential), ...headers },
    ...sent,
  });
  return { status: answer.statusCode, body: answer.payload, headers: answer.headers };
}

function credentialHeaders(credential: string | undefined): Record<string, string> {
  if (credential === undefined) return {};
  return credential.startsWith(`${portalCookieName(false)}=`)
    ? { cookie: credential }
    : { authorization: `Bearer ${credential}` };
}
