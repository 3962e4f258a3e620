import { createHash } from 'node:crypto';
import type { Person } from './pull-request.ts';

export type User = {
  id: number;
  login: string;
  name: string;
  type: 'User' | 'Bot';
  emails: string[];
  /** The unconfirmed addresses among `emails`. */
  unverified?: string[];
};

/** The users by email address, extended as repositories are read. */
export type Users = { byEmail: Map<string, User>; byLogin: Map<string, User> };

/** `reserved` logins (those of repository owners) are not assigned to other users. */
export const createUsers = (reserved: string[] = []): Users & { reserved: Set<string> } => ({
  byEmail: new Map(),
  byLogin: new Map(),
  reserved: new Set(reserved.map((login) => login.toLowerCase())),
});

/**
 * Returns or creates the user of a commit identity. An address without an @ has no user, as on the real host. The first
 * user of a login keeps it without a suffix, so read people in the order of their first commit.
 */
export const userOf = (users: ReturnType<typeof createUsers>, { name, email }: Person): User | undefined => {
  const address = email.trim().toLowerCase();
  const known = users.byEmail.get(address);
  if (known !== undefined || !address.includes('@')) return known;
  const noreply = /^(?:(\d+)\+)?([a-z0-9-]+(?:\[bot\])?)@users\.noreply\.github\.com$/i.exec(email.trim());
  const same = noreply === null ? undefined : users.byLogin.get((noreply[2] ?? '').toLowerCase());
  const user = same ?? {
    id: freeId(users, Number(noreply?.[1] ?? stableId(`user:${address}`))),
    login: noreply?.[2] ?? freeLogin(users, name, address),
    name: name.trim() || (address.split('@')[0] ?? ''),
    type: /\[bot\]@|\[bot\]$/i.test(`${address}${name}`) ? ('Bot' as const) : ('User' as const),
    emails: [],
  };
  user.emails.push(email.trim());
  users.byEmail.set(address, user);
  users.byLogin.set(user.login.toLowerCase(), user);
  return user;
};

/** A positive ID below 2^31 derived from the text. */
export const stableId = (text: string): number => createHash('sha256').update(text).digest().readUInt32BE(0) >>> 1;

/** An ID for a user known only by login. */
export const freeUserId = (users: Users, login: string): number =>
  freeId(users, stableId(`user:${login.toLowerCase()}`));

const freeId = (users: Users, preferredId: number): number => {
  const used = new Set([...users.byLogin.values()].map((user) => user.id));
  let id = preferredId;
  while (used.has(id)) id += 1;
  return id;
};

const freeLogin = (users: Users & { reserved: Set<string> }, name: string, address: string): string => {
  if (address === 'noreply@github.com') return 'web-flow';
  const local = slug(address.split('@')[0]?.split('+')[0] ?? '');
  const base = (impersonal.has(local) ? slug(name) : local) || slug(name) || 'user';
  const isTaken = (login: string): boolean => users.byLogin.has(login) || users.reserved.has(login);
  let login = base;
  for (let suffix = 2; isTaken(login); suffix += 1) login = `${base}-${suffix}`;
  return login;
};

const impersonal = new Set([
  '',
  'me',
  'mail',
  'email',
  'hi',
  'hello',
  'info',
  'contact',
  'git',
  'github',
  'dev',
  'admin',
  'root',
  'noreply',
  'no-reply',
]);

const slug = (text: string): string =>
  text
    .normalize('NFKD')
    .replaceAll(/\p{M}/gu, '')
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '-')
    .replaceAll(/^-+|-+$/g, '')
    .slice(0, 39);
