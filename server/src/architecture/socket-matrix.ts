import {
  type ChangeNoticeName,
  changeNoticeNamespace,
  type Namespace,
  namespaces,
} from '@sightline/contract/delivery/realtime.ts';
import { type Principal, principals } from './access.ts';

// biome-ignore format: a table is read by its columns
const connections = {
  //                anon exp forg none aud  account  own con rev aud  other intr deact remov
  '/api/account/': '401 401 401  401 401  ok       ok  ok  ok  ok   ok    401  401   401',
  '/auth0mgm':     '401 401 401  401 401  ok       ok  ok  ok  ok   ok    401  401   401',
  '/user':         '401 401 401  401 401  ok       ok  ok  ok  ok   ok    401  401   401',
  '/project':      '401 401 401  401 401  ok       ok  ok  ok  ok   ok    401  401   401',
  '/notifications':'401 401 401  401 401  ok       ok  ok  ok  ok   ok    401  401   401',
  '/ide/context':  '401 401 401  401 401  ok       ok  ok  ok  ok   ok    401  401   401',
} as const satisfies Record<Namespace, string>;

// A message to the organization reaches its members with a token for it. A message to the owner reaches only the owner.
// biome-ignore format: a table is read by its columns
const deliveries = {
  //                                anon exp forg none aud  account  own con rev aud  other intr deact remov
  'sent to the organization':      '-    -   -    -    -    -        yes yes yes yes  -     -    -     -',
  'sent to the owner':             '-    -   -    -    -    yes      yes -   -   -    -     -    -     -',
} as const;

// The four columns: an extension, one of another organization, a disconnected one, one of a deactivated member.
const forExtensions: readonly Namespace[] = ['/user', '/project', '/ide/context'];
const refused = ['401', '401', '401', '401'];
const extensionConnections = (namespace: Namespace) =>
  forExtensions.includes(namespace) ? ['ok', 'ok', '401', '401'] : refused;
const extensionDeliveries = ['yes', '-', '-', '-'];

const byPrincipal = (row: string, extensions: readonly string[]): Record<Principal, string> => {
  const people = row.split(/ +/);
  // Access keys and portal sessions count as no token.
  const anonymous = (count: number) => Array.from({ length: count }, () => people[0]);
  // The exchanged token belongs to another member than the owner of the table.
  const [, , , , , , , member, , , other] = people;
  const cells = [...people, ...anonymous(3), ...extensions, ...anonymous(2), member, other, ...anonymous(2)];
  if (cells.length !== principals.length) throw new Error(`${row} has ${cells.length} cells`);
  return Object.fromEntries(principals.map((principal, column) => [principal, cells[column]])) as never;
};

/** The outcome of a connection by namespace and principal: `ok`, or the code of the refusal. */
export const socketAccessMatrix = Object.fromEntries(
  namespaces.map((namespace) => [namespace, byPrincipal(connections[namespace], extensionConnections(namespace))]),
) as Record<Namespace, Record<Principal, string>>;

/** How many messages a principal receives of one to the organization and one to its owner. */
export const expectedDeliveries = Object.fromEntries(
  principals.map((principal) => [
    principal,
    Object.values(deliveries).filter((row) => byPrincipal(row, extensionDeliveries)[principal] === 'yes').length,
  ]),
) as Record<Principal, number>;

export const changeNoticesOf = (namespace: Namespace): ChangeNoticeName[] =>
  (Object.keys(changeNoticeNamespace) as ChangeNoticeName[]).filter(
    (name) => changeNoticeNamespace[name] === namespace,
  );
