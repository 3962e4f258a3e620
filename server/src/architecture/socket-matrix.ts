import {
  type ChangeNoticeName,
  changeNoticeNamespace,
  type Namespace,
  namespaces,
} from '@sightline/contract/delivery/realtime.ts';
import { type Principal, principals } from './access-matrix.ts';

// biome-ignore format: a table is read by its columns
const doors = {
  //                anon exp forg none aud  account  own con rev aud  other intr deact remov
  '/api/account/': '401 401 401  401 401  ok       ok  ok  ok  ok   ok    401  401   401',
  '/auth0mgm':     '401 401 401  401 401  ok       ok  ok  ok  ok   ok    401  401   401',
  '/user':         '401 401 401  401 401  ok       ok  ok  ok  ok   ok    401  401   401',
  '/project':      '401 401 401  401 401  ok       ok  ok  ok  ok   ok    401  401   401',
  '/notifications':'401 401 401  401 401  ok       ok  ok  ok  ok   ok    401  401   401',
  '/ide/context':  '401 401 401  401 401  ok       ok  ok  ok  ok   ok    401  401   401',
} as const satisfies Record<Namespace, string>;

// A message to the organization reaches its members with a token of it, a message to the owner only the owner.
// biome-ignore format: a table is read by its columns
const hearing = {
  //                                anon exp forg none aud  account  own con rev aud  other intr deact remov
  'told to the organization':      '-    -   -    -    -    -        yes yes yes yes  -     -    -     -',
  'told to the owner':             '-    -   -    -    -    yes      yes -   -   -    -     -    -     -',
} as const;

// An extension, that of another organization, one that was signed out, one of a deactivated member.
const forExtensions: readonly Namespace[] = ['/user', '/project', '/ide/context'];
const refused = ['401', '401', '401', '401'];
const extensionDoors = (namespace: Namespace) =>
  forExtensions.includes(namespace) ? ['ok', 'ok', '401', '401'] : refused;
const extensionEars = ['yes', '-', '-', '-'];

const byPrincipal = (row: string, extensions: readonly string[]): Record<Principal, string> => {
  const people = row.split(/ +/);
  // Access keys and portal sessions are as good as no token.
  const anonymous = (count: number) => Array.from({ length: count }, () => people[0]);
  // The exchanged token is that of a member who is not the owner of the table.
  const [, , , , , , , member, , , other] = people;
  const cells = [...people, ...anonymous(3), ...extensions, ...anonymous(2), member, other, ...anonymous(2)];
  if (cells.length !== principals.length) throw new Error(`${row} has ${cells.length} cells`);
  return Object.fromEntries(principals.map((principal, column) => [principal, cells[column]])) as never;
};

/** Who may connect where: `ok`, or the code of the refusal. */
export const doorMatrix = Object.fromEntries(
  namespaces.map((namespace) => [namespace, byPrincipal(doors[namespace], extensionDoors(namespace))]),
) as Record<Namespace, Record<Principal, string>>;

/** How often somebody hears what is told once to the organization and once to its owner. */
export const timesHeard = Object.fromEntries(
  principals.map((principal) => [
    principal,
    Object.values(hearing).filter((row) => byPrincipal(row, extensionEars)[principal] === 'yes').length,
  ]),
) as Record<Principal, number>;

export const newsOf = (namespace: Namespace): ChangeNoticeName[] =>
  (Object.keys(changeNoticeNamespace) as ChangeNoticeName[]).filter(
    (name) => changeNoticeNamespace[name] === namespace,
  );
