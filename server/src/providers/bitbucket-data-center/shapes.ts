import { z } from 'zod';
import { hostTime } from '#providers/host-data.ts';
import type { HostPerson, HostRepository, HostUser } from '../host-facts.ts';

// Only the fields that are read, with optional ones where possible, because instances have many versions.

const latest = Date.UTC(9999, 11, 31);

/** A time: milliseconds since 1970, in some webhooks ISO 8601. */
export const time = z.union([
  z.number().transform((at) => new Date(Math.min(Math.max(at, 0), latest)).toISOString()),
  hostTime,
]);
export const maybeTime = time.nullish().transform((at) => at ?? null);

export const hostId = z.number().int().transform(String);

const account = z.object({
  // Absent in the author of a commit whose address has no account.
  id: z.number().int().nullish(),
  name: z.string().nullish(),
  emailAddress: z.string().nullish(),
  displayName: z.string().nullish(),
  type: z.string().nullish(),
});
type AccountJson = z.output<typeof account>;

const ghost: HostUser = { login: 'ghost', avatarUrl: null, isAgent: false };
const agent = /(?:^|[-_.])bot$|\[bot\]$/i;

/** Accounts of access tokens and apps have the type SERVICE. */
const accountFrom = ({ id, name, type }: AccountJson): HostUser | null =>
  id == null || !name
    ? null
    : { login: name, hostId: String(id), avatarUrl: null, isAgent: type === 'SERVICE' || agent.test(name) };

/** An account; null if absent. */
export const maybeUser = account.nullish().transform((found): HostUser | null => (found ? accountFrom(found) : null));

/** An account, or the placeholder for one that is not named. */
export const user = maybeUser.transform((found): HostUser => found ?? ghost);

/** An author or committer: an account if the address has one, else the name and address of the commit. */
export const person = account.nullish().transform((found): HostPerson => {
  const known = found ? accountFrom(found) : null;
  return {
    name: (known ? found?.displayName : found?.name) ?? known?.login ?? '',
    email: found?.emailAddress ?? '',
    login: known?.login ?? null,
    ...(known?.hostId !== undefined && { hostId: known.hostId }),
    avatarUrl: null,
  };
});

// Published examples of webhooks contain null instead of an address.
const links = z.object({ self: z.array(z.object({ href: z.url() }).nullish()).nullish() }).nullish();
export const selfLink = ({ links: found }: { links?: z.output<typeof links> }): string | undefined =>
  found?.self?.[0]?.href;

export const linked = z.object({ links });

const repository = z.object({
  id: hostId,
  slug: z.string().min(1),
  public: z.boolean().nullish(),
  defaultBranch: z.string().nullish(),
  project: z.object({ key: z.string().min(1), public: z.boolean().nullish() }),
  links,
});

/** IDs are only unique per instance, so that they contain its host and path. */
export const idAt = (instance: string, id: string): string => `${id}@${instance}`;

/** `https://code.example.com/git` → `code.example.com/git`. */
export function instanceOf(baseURL: string): string {
  const { host, pathname } = new URL(baseURL);
  return `${host}${pathname}`.replace(/\/+$/, '');
}

// `/projects/PRJ/repos/app/browse`, for personal repositories `/users/ada/repos/app/browse`.
const page = /\/(?:projects|users)\/[^/]+\/repos\/[^/]+/;

/**
 * Parses a repository of the API. `defaultBranch`: read separately, as most versions omit it. Throws ZodError for
 * anything else.
 */
export function repositoryFrom(json: unknown, defaultBranch?: string): HostRepository {
  const found = repository.parse(json);
  const { key } = found.project;
  const self = selfLink(found) ?? '';
  const [path] = page.exec(self) ?? [];
  if (path === undefined) throw new Error('The code host returned a repository without its address');
  const base = self.slice(0, self.indexOf(path));
  return {
    id: idAt(instanceOf(base), found.id),
    owner: key,
    name: found.slug,
    fullName: `${key}/${found.slug}`,
    defaultBranch: defaultBranch || found.defaultBranch || 'main',
    isPrivate: !(found.public || found.project.public),
    url: `${base}${path}`,
    pushedAt: null,
  };
}
