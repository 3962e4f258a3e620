import { createHash } from 'node:crypto';
import type { Person } from '../../git/pull-request.ts';
import { type User, userOf } from '../../git/users.ts';
import type { GithubAccount } from '../../github/hosted-repository.ts';
import type { Bitbucket } from '../bitbucket.ts';

/** A user as a nested object: without email address, and with a non-unique nickname. */
export const userJson = ({ api, url, host }: Bitbucket, { id, login, name, type }: User) => {
  const uuid = uuidOf(`user:${id}`);
  const encoded = encodeURIComponent(uuid);
  return {
    display_name: name,
    links: {
      self: { href: `${api}/users/${encoded}` },
      html: { href: `${url}/${encoded}/` },
      avatar: { href: `${host.url}/avatars/u/${id}` },
    },
    type: type === 'Bot' ? 'app_user' : 'user',
    uuid,
    account_id: accountIdOf(id),
    nickname: login,
  };
};

/** The account of a git identity; null without one. */
export const personJson = (bitbucket: Bitbucket, person: Person | null) => {
  const user = person === null ? undefined : userOf(bitbucket.host.users, person);
  return user === undefined ? null : userJson(bitbucket, user);
};

export const workspaceJson = ({ api, url, host }: Bitbucket, account: GithubAccount) => {
  const slug = slugOf(account.login);
  return {
    type: 'workspace',
    uuid: uuidOf(`workspace:${account.id}`),
    slug,
    name: account.login,
    is_private: false,
    links: {
      self: { href: `${api}/workspaces/${slug}` },
      html: { href: `${url}/${slug}/` },
      avatar: { href: `${host.url}/avatars/u/${account.id}` },
    },
  };
};

/** The form of a name in URLs. */
export const slugOf = (name: string): string => name.toLowerCase();

/** A UUID in braces, derived from the text. */
export const uuidOf = (text: string): string => {
  const hex = createHash('sha256').update(text).digest('hex');
  return `{${hex.slice(0, 8)}-${hex.slice(8, 12)}-4${hex.slice(13, 16)}-8${hex.slice(17, 20)}-${hex.slice(20, 32)}}`;
};

/** Formats epoch milliseconds as Bitbucket does for its own events. */
export const timeText = (at: number): string => `${new Date(at).toISOString().slice(0, 19)}.000000+00:00`;

const accountIdOf = (id: number): string => `557058:${uuidOf(`account:${id}`).slice(1, -1)}`;
