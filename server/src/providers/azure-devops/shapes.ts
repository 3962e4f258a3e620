import { z } from 'zod';
import { hostTime } from '#providers/host-data.ts';
import type { HostPerson, HostRepository, HostUser } from '../host-facts.ts';

// Only the fields that are read, with optional ones where possible, because servers have many versions.

export const time = hostTime;

/** A time; the API returns the year 1 for a missing one. */
export const maybeTime = z
  .string()
  .nullish()
  .transform((value) => (value && !value.startsWith('0001-') ? value : null))
  .pipe(hostTime.nullable());

/** The envelope of every list. */
export const list = z.object({ value: z.array(z.unknown()) }).transform(({ value }) => value);

export const guid = z
  .string()
  .regex(/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i)
  .transform((text) => text.toLowerCase());

const noIdentity = '00000000-0000-0000-0000-000000000000';

/** A person, group or service in other objects (`IdentityRef`). */
export const identityRef = z.object({
  id: z.string().nullish(),
  displayName: z.string().nullish(),
  uniqueName: z.string().nullish(),
  imageUrl: z.string().nullish(),
  descriptor: z.string().nullish(),
  isContainer: z.boolean().nullish(),
  isDeletedInOrigin: z.boolean().nullish(),
});
export type IdentityRef = z.output<typeof identityRef>;

const ghost: HostUser = { login: 'ghost', avatarUrl: null, isAgent: false };
// Build services, services of the product and service principals, by the kind of their descriptor or their domain.
const serviceDescriptor = /^(?:svc|s2s|aadsp|imp|unusr)\./;
const serviceName = /^(?:Build|AgentPool|ServiceAccount|S2S)\\|(?:^|[-_.])bot(?:@|$)|\[bot\](?:@|$)/i;

/** The account of a reference. Deleted accounts and references without an ID have a placeholder. */
export function userFrom({ id, displayName, uniqueName, imageUrl, ...rest }: IdentityRef): HostUser {
  const login = uniqueName || displayName;
  if (!id || id === noIdentity || !login || rest.isDeletedInOrigin) return ghost;
  return {
    login,
    hostId: id.toLowerCase(),
    avatarUrl: imageUrl || null,
    isAgent: serviceDescriptor.test(rest.descriptor ?? '') || serviceName.test(login),
  };
}

/** An account; null if absent or a group. */
export const maybeUser = identityRef
  .nullish()
  .transform((found): HostUser | null => (found && !found.isContainer ? userFrom(found) : null));

/** An account, or the placeholder for a deleted one. */
export const user = maybeUser.transform((found): HostUser => found ?? ghost);

/** An author or committer with the account that has the email address. */
export const personOf = (
  signature: { name?: string | null | undefined; email?: string | null | undefined } | null | undefined,
  found: HostUser | undefined,
): HostPerson => ({
  name: signature?.name ?? '',
  email: signature?.email ?? '',
  login: found?.login ?? null,
  ...(found?.hostId !== undefined && { hostId: found.hostId }),
  avatarUrl: found?.avatarUrl ?? null,
  ...(found?.isAgent && { isAgent: true }),
});

/** IDs of servers are unique there only, so that they contain its address. */
export const idAt = (instance: string, id: string): string => `${id}@${instance}`;

/** `https://server.example/tfs/Main` → `server.example/tfs/Main`. */
export const instanceOf = (baseURL: string): string => `${new URL(baseURL).host}${pathOf(baseURL, '/')}`;

/** The path of the organization or collection: `tfs/Main`. */
export const collectionPathOf = (baseURL: string): string => pathOf(baseURL, '');

const pathOf = (baseURL: string, start: string): string =>
  `${start}${decodeURIComponent(new URL(baseURL).pathname).replace(/^\/+|\/+$/g, '')}`;

export const project = z.object({ id: guid, name: z.string().min(1), visibility: z.string().nullish() });

const repository = z.object({
  id: guid,
  name: z.string().min(1),
  project,
  defaultBranch: z.string().nullish(),
  isDisabled: z.boolean().nullish(),
});

/** `refs/heads/main` → `main`. */
export const branchOf = (ref: string): string => ref.replace(/^refs\/heads\//, '');

/** Parses a repository. Its owner is the path of its project, which contains the organization or collection. */
export function repositoryFrom(json: unknown, baseURL: string): HostRepository & { isDisabled: boolean } {
  const found = repository.parse(json);
  const collection = collectionPathOf(baseURL);
  const owner = collection === '' ? found.project.name : `${collection}/${found.project.name}`;
  return {
    id: idAt(instanceOf(baseURL), found.id),
    owner,
    name: found.name,
    fullName: `${owner}/${found.name}`,
    defaultBranch: branchOf(found.defaultBranch || 'main'),
    isPrivate: found.project.visibility !== 'public',
    url: webURLOf(baseURL, found.project.name, found.name),
    pushedAt: null,
    isDisabled: found.isDisabled === true,
  };
}

export const webURLOf = (baseURL: string, projectName: string, name: string): string =>
  `${baseURL}/${encodeURIComponent(projectName)}/_git/${encodeURIComponent(name)}`;
