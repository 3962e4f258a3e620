import { z } from 'zod';
import { readPart } from '#providers/access-parts.ts';
import type { HostRef } from '../host-facts.ts';
import { type AzureDevopsIdentity, readIdentities } from './identities.ts';
import { repositoryPath } from './reads.ts';
import { guid, list, project } from './shapes.ts';
import type { AzureDevopsApi } from './transport.ts';

const gitNamespace = '2e9eb7ed-3c0a-47d4-87c1-0ffdd275fd87';

/** Permissions in Git repositories. */
export const permission = {
  administer: 1,
  read: 2,
  contribute: 4,
  forcePush: 8,
  bypassWhenPushing: 128,
  editPolicies: 2048,
  managePermissions: 8192,
  contributeToPullRequests: 16384,
  bypassWhenCompleting: 32768,
} as const;

/** The permissions of one descriptor. */
interface Bits {
  allow: number;
  deny: number;
}

const accessControlList = z.object({
  token: z.string(),
  inheritPermissions: z.boolean().nullish(),
  acesDictionary: z.record(
    z.string(),
    z.object({ descriptor: z.string(), allow: z.number().int().nullish(), deny: z.number().int().nullish() }),
  ),
});

const repository = z.object({ id: guid, project });

/** Services of the product itself, which have every permission. */
const ownService = /-0-0-0-0-2$/;

/** The names of branches and tags are in hexadecimal UTF-16, without slashes. */
const segmentOf = (name: string): string => Buffer.from(name, 'utf16le').toString('hex');

const refToken = (ref: string): string[] => {
  const [, kind = 'heads', name = ''] = /^refs\/(heads|tags)(?:\/(.*))?$/.exec(ref) ?? [];
  const segments = [
    'refs',
    kind,
    ...name
      .split('/')
      .filter((part) => part !== '')
      .map(segmentOf),
  ];
  return segments.slice(1).map((_, index) => segments.slice(0, index + 2).join('/'));
};

/**
 * Reads the permissions of each descriptor at a ref, by the lists from the collection down to it: what a list says about
 * a permission replaces what those above it say. Undefined if the token may not read them.
 */
export async function readPermissions(
  api: AzureDevopsApi,
  ref: HostRef,
  gitRef: string,
): Promise<Map<string, Bits> | undefined> {
  const found = repository.parse((await api.json(repositoryPath(ref))).data);
  const root = `repoV2/${found.project.id}/${found.id}`;
  const tokens = ['repoV2', `repoV2/${found.project.id}`, root, ...refToken(gitRef).map((part) => `${root}/${part}`)];
  const bits = new Map<string, Bits>();
  for (const token of tokens) {
    const lists = await readPart(() => readLists(api, token));
    if (lists === undefined) return undefined;
    for (const one of lists) {
      if (canonicalToken(one.token) !== canonicalToken(token)) continue;
      if (one.inheritPermissions === false) bits.clear();
      for (const { descriptor, allow, deny } of Object.values(one.acesDictionary)) {
        if (ownService.test(descriptor)) continue;
        bits.set(descriptor, replaced(bits.get(descriptor), { allow: allow ?? 0, deny: deny ?? 0 }));
      }
    }
  }
  return bits;
}

/** The vendor documents tokens of refs with a slash at their end; shorter ones have none. */
const canonicalToken = (token: string): string => token.toLowerCase().replace(/\/+$/, '');

async function readLists(api: AzureDevopsApi, token: string) {
  const query = { token, includeExtendedInfo: false, recurse: false };
  const { data } = await api.json(`/_apis/accesscontrollists/${gitNamespace}`, { query });
  return list.parse(data).map((json) => accessControlList.parse(json));
}

const replaced = (above: Bits = { allow: 0, deny: 0 }, here: Bits): Bits => ({
  allow: (above.allow & ~here.deny) | here.allow,
  deny: (above.deny & ~here.allow) | here.deny,
});

export interface Holder {
  identity: AzureDevopsIdentity;
  /** The groups with permissions that it is in, without itself. */
  groups: readonly AzureDevopsIdentity[];
  /** Whether it is named itself. */
  isNamed: boolean;
  allowed: number;
}

/**
 * Finds everyone with permissions, by name or by a group. A denial by one of them wins. Undefined if the token may not
 * read identities.
 */
export async function readHolders(api: AzureDevopsApi, bits: ReadonlyMap<string, Bits>): Promise<Holder[] | undefined> {
  const named = await readPart(() => readIdentities(api, [...bits.keys()], 'Expanded'));
  if (named === undefined) return undefined;
  const groups = named.filter(({ isGroup }) => isGroup);
  const known = new Set(named.map(({ descriptor }) => descriptor));
  const others = [...new Set(groups.flatMap(({ members }) => members))].filter((one) => !known.has(one));
  const members = await readPart(() => readIdentities(api, others, 'None'));
  if (members === undefined) return undefined;
  return [...named, ...members].map((identity): Holder => {
    const own = groups.filter((group) => group !== identity && group.members.includes(identity.descriptor));
    const all = [identity, ...own].flatMap(({ descriptor }) => bits.get(descriptor) ?? []);
    const [allow, deny] = [all.reduce((sum, one) => sum | one.allow, 0), all.reduce((sum, one) => sum | one.deny, 0)];
    return { identity, groups: own, isNamed: bits.has(identity.descriptor), allowed: allow & ~deny };
  });
}

export const has = (allowed: number, ...wanted: number[]): boolean => wanted.some((one) => (allowed & one) === one);

/** Whether anyone can complete or push in spite of policies, and push by force. Undefined if unknown. */
export async function readBypass(
  api: AzureDevopsApi,
  ref: HostRef,
  branch: string,
): Promise<{ exists: boolean; byForce: boolean } | undefined> {
  const bits = await readPermissions(api, ref, `refs/heads/${branch}`);
  if (!bits) return undefined;
  // A group counts also without members, who can be added at any time.
  const all = [...bits.values()].map(({ allow, deny }) => allow & ~deny);
  return {
    exists: all.some((one) => has(one, permission.bypassWhenPushing, permission.bypassWhenCompleting)),
    byForce:
      all.some((one) => has(one, permission.bypassWhenPushing | permission.forcePush)) || (await canCombine(api, bits)),
  };
}

/** Whether someone has by several groups what no group has alone. Without identities it is assumed if it is possible. */
async function canCombine(api: AzureDevopsApi, bits: ReadonlyMap<string, Bits>): Promise<boolean> {
  const wanted = permission.bypassWhenPushing | permission.forcePush;
  const all = [...bits.values()].reduce((sum, { allow, deny }) => sum | (allow & ~deny), 0);
  if (!has(all, wanted)) return false;
  const holders = await readHolders(api, bits);
  return holders === undefined || holders.some(({ allowed }) => has(allowed, wanted));
}
