import type { Person } from '../../git/pull-request.ts';
import { type User, userOf } from '../../git/users.ts';
import type { Host } from '../host.ts';
import type { GithubAccount } from '../hosted-repository.ts';

/** GitHub's "simple user", for a user, a bot or an organization. */
export const accountJson = ({ url, api }: Pick<Host, 'url' | 'api'>, { id, login, type }: GithubAccount | User) => {
  const self = `${api}/users/${encodeURIComponent(login)}`;
  return {
    login,
    id,
    node_id: nodeId(type, id),
    avatar_url: `${url}/avatars/u/${id}?v=4`,
    gravatar_id: '',
    url: self,
    html_url: `${url}/${type === 'Bot' ? `apps/${login.replace('[bot]', '')}` : login}`,
    followers_url: `${self}/followers`,
    following_url: `${self}/following{/other_user}`,
    gists_url: `${self}/gists{/gist_id}`,
    starred_url: `${self}/starred{/owner}{/repo}`,
    subscriptions_url: `${self}/subscriptions`,
    organizations_url: `${self}/orgs`,
    repos_url: `${self}/repos`,
    events_url: `${self}/events{/privacy}`,
    received_events_url: `${self}/received_events`,
    type,
    user_view_type: 'public',
    site_admin: false,
  };
};

/** The account of a commit's author; null if the address has no account. */
export const personJson = (host: Host, person: Person | null) => {
  const user = person === null ? undefined : userOf(host.users, person);
  return user === undefined ? null : accountJson(host, user);
};

export const profileJson = (host: Host, user: User) => ({
  ...accountJson(host, user),
  name: user.name,
  company: null,
  blog: '',
  location: null,
  hireable: null,
  bio: null,
  twitter_username: null,
  email: user.emails.find((email) => !email.endsWith('@users.noreply.github.com')) ?? null,
  public_repos: 0,
  public_gists: 0,
  followers: 0,
  following: 0,
  created_at: '2008-01-14T04:33:35Z',
  updated_at: '2008-01-14T04:33:35Z',
});

/** The `organization` of a webhook; only organizations have one. */
export const organizationJson = ({ url, api }: Host, { id, login }: GithubAccount) => {
  const self = `${api}/orgs/${login}`;
  return {
    login,
    id,
    node_id: nodeId('Organization', id),
    url: self,
    repos_url: `${self}/repos`,
    events_url: `${self}/events`,
    hooks_url: `${self}/hooks`,
    issues_url: `${self}/issues`,
    members_url: `${self}/members{/member}`,
    public_members_url: `${self}/public_members{/member}`,
    avatar_url: `${url}/avatars/u/${id}?v=4`,
    description: '',
  };
};

export const nodeId = (kind: string, id: number | string): string =>
  Buffer.from(`${String(kind.length).padStart(3, '0')}:${kind}${id}`).toString('base64');

/** Formats epoch milliseconds as GitHub does: UTC, whole seconds. */
export const timeText = (at: number): string => `${new Date(at).toISOString().slice(0, 19)}Z`;
