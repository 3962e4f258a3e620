import { createHash } from 'node:crypto';
import type { Person } from '../../git/pull-request.ts';
import { type User, userOf } from '../../git/users.ts';
import type { GithubAccount } from '../../github/hosted-repository.ts';
import type { Bitbucket } from '../bitbucket.ts';

/** A person as other things name them: no address, and a nickname that is not theirs alone. */
export const userShape = ({ api, url, host }: Bitbucket, { id, login, name, type }: User) => {
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

/** Whoever a person in git is here; null for nobody. */
export const personShape = (bitbucket: Bitbucket, person: Person | null) => {
  const user = person === null ? undefined : userOf(bitbucket.host.users, person);
  return user === undefined ? null : userShape(bitbucket, user);
};

export const workspaceShape = ({ api, url, host }: Bitbucket, account: GithubAccount) => {
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

/** What a name is called in addresses. */
export const slugOf = (name: string): string => name.toLowerCase();

/** A uuid in braces that is always the same for the same text. */
export const uuidOf = (text: string): string => {
  const hex = createHash('sha256').update(text).digest('hex');
  return `{${hex.slice(0, 8)}-${hex.slice(8, 12)}-4${hex.slice(13, 16)}-8${hex.slice(17, 20)}-${hex.slice(20, 32)}}`;
};

/** Epoch milliseconds as Bitbucket writes the time of what happened on it. */
export const timeShape = (at: number): string => `${new Date(at).toISOString().slice(0, 19)}.000000+00:00`;

const accountIdOf = (id: number): string => `557058:${uuidOf(`account:${id}`).slice(1, -1)}`;
