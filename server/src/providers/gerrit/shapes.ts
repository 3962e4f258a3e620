import { z } from 'zod';
import { hostTime } from '#providers/host-data.ts';
import type { HostRef, HostRepository, HostUser } from '../host-facts.ts';

// Only the fields that are read, with optional ones where possible, because instances have many versions.

/** Times are UTC without a zone: `2013-02-01 09:59:32.126000000`. */
export const time = z
  .string()
  .transform((text) => text.replace(/^(\d{4}-\d\d-\d\d) (\d\d:\d\d:\d\d)(\.\d{1,3})?\d*$/, '$1T$2$3Z'))
  .pipe(hostTime);

export const maybeTime = z
  .string()
  .nullish()
  .transform((text) => text ?? null)
  .pipe(time.nullable());

const account = z.object({
  _account_id: z.number().int().nullish(),
  name: z.string().nullish(),
  email: z.string().nullish(),
  username: z.string().nullish(),
  tags: z.array(z.string()).nullish(),
  avatars: z.array(z.object({ url: z.string() })).nullish(),
});

export interface GerritUser extends HostUser {
  /** The preferred address, absent if the host does not return it. */
  email?: string;
}

/** Stands for an account that the host does not return. */
export const ghost: GerritUser = { login: 'ghost', avatarUrl: null, isAgent: false };

/**
 * An account; null if absent. The host has no names for accounts without a user name: the address stands for it. Of a
 * deleted account, it returns only the number.
 */
export const maybeUser = account.nullish().transform((found): GerritUser | null => {
  if (!found) return null;
  const id = found._account_id;
  if (!found.username && !found.email && !found.name) return id == null ? null : { ...ghost, hostId: String(id) };
  return {
    login: found.username || found.email || (id == null ? found.name : undefined) || `account-${id}`,
    ...(id != null && { hostId: String(id) }),
    ...(found.email && { email: found.email }),
    avatarUrl: found.avatars?.at(-1)?.url || null,
    // Members of the group “Service Users”.
    isAgent: found.tags?.includes('SERVICE_USER') ?? false,
  };
});

/** An account, or the placeholder for a deleted one. */
export const user = maybeUser.transform((found): GerritUser => found ?? ghost);

/** Names are only unique per instance, so that IDs contain its host and path. */
export const idAt = (instance: string, id: string): string => `${id}@${instance}`;

/** `https://review.example.com/r` → `review.example.com/r`. */
export function instanceOf(baseURL: string): string {
  const { host, pathname } = new URL(baseURL);
  return `${host}${pathname}`.replace(/\/+$/, '');
}

/** The name of a project; that of one without a folder has no owner. */
export const nameOf = ({ owner, name }: Pick<HostRef, 'owner' | 'name'>): string =>
  owner === '' ? name : `${owner}/${name}`;

/** `/projects/plugins%2Fhooks`. */
export const projectPath = (ref: Pick<HostRef, 'owner' | 'name'>): string =>
  `/projects/${encodeURIComponent(nameOf(ref))}`;

/** `/plugins/gitiles/plugins/hooks`: the plugin has the name without encoded slashes. */
export const gitilesPath = (ref: Pick<HostRef, 'owner' | 'name'>): string =>
  `/plugins/gitiles/${nameOf(ref).split('/').map(encodeURIComponent).join('/')}`;

const head = z.string().transform((ref) => ref.replace(/^refs\/heads\//, ''));

/** `headJson`: the response with the ref that HEAD names, null if it cannot be read. */
export function repositoryFrom(baseURL: string, fullName: string, headJson: unknown): HostRepository {
  const separator = fullName.lastIndexOf('/');
  return {
    // A project cannot be renamed.
    id: idAt(instanceOf(baseURL), fullName),
    owner: separator < 0 ? '' : fullName.slice(0, separator),
    name: fullName.slice(separator + 1),
    fullName,
    defaultBranch: headJson === null ? 'master' : head.parse(headJson),
    // Access rights decide who reads a project; the host has no such setting.
    isPrivate: true,
    url: `${baseURL}/admin/repos/${fullName.split('/').map(encodeURIComponent).join('/')}`,
    pushedAt: null,
  };
}
