import { z } from 'zod';
import type { HostRef } from '../host-facts.ts';
import { projectPath } from './shapes.ts';
import type { GerritApi } from './transport.ts';

const rule = z.object({
  action: z.string().nullish(),
  force: z.boolean().nullish(),
  min: z.number().int().nullish(),
  max: z.number().int().nullish(),
});
export type AccessRule = z.output<typeof rule>;

const permission = z.object({ exclusive: z.boolean().nullish(), rules: z.record(z.string(), rule).nullish() });

const access = z.object({
  inherits_from: z.object({ name: z.string() }).nullish(),
  local: z.record(z.string(), z.object({ permissions: z.record(z.string(), permission).nullish() })).nullish(),
  groups: z.record(z.string(), z.object({ name: z.string().nullish() })).nullish(),
  // Whether the caller may see all access rights, not only those of the refs that it owns.
  config_visible: z.boolean().nullish(),
  is_owner: z.boolean().nullish(),
});

interface Section {
  ref: string;
  /** Number of parents between the project and the one that defines the section. */
  distance: number;
  permissions: Readonly<Record<string, z.output<typeof permission>>>;
}

/** The access rights of a project with those that it inherits. */
export interface AccessRights {
  sections: readonly Section[];
  /** Names of groups by ID. */
  groups: ReadonlyMap<string, string>;
}

const MAX_PARENTS = 20;

/**
 * Reads the access rights of a project and of its parents. Undefined if the account does not see all of them: a
 * missing rule would be mistaken for an absent one.
 */
export async function readAccessRights(
  api: GerritApi,
  ref: Pick<HostRef, 'owner' | 'name'>,
): Promise<AccessRights | undefined> {
  const sections: Section[] = [];
  const groups = new Map<string, string>();
  let path = projectPath(ref);
  for (let distance = 0; distance < MAX_PARENTS; distance += 1) {
    const found = access.parse(await api.json(`${path}/access`));
    if (found.config_visible !== true && found.is_owner !== true) return undefined;
    for (const [name, { permissions }] of Object.entries(found.local ?? {}))
      sections.push({ ref: name, distance, permissions: permissions ?? {} });
    for (const [id, { name }] of Object.entries(found.groups ?? {})) groups.set(id, name ?? id);
    if (!found.inherits_from) return { sections, groups };
    path = `/projects/${encodeURIComponent(found.inherits_from.name)}`;
  }
  return undefined;
}

/** Whether a pattern names a ref; undefined for a regular expression, which is not evaluated. */
export function matches(pattern: string, ref: string): boolean | undefined {
  if (pattern.startsWith('^') || pattern.includes('${')) return undefined;
  return pattern.endsWith('*') ? ref.startsWith(pattern.slice(0, -1)) : pattern === ref;
}

/** The longer a pattern, the more specific; one without an asterisk is the most specific. */
const specificity = ({ ref }: Section): number => (ref.endsWith('*') ? ref.length : Number.POSITIVE_INFINITY);

/**
 * The permissions that bring commits to a branch without what submissions require, with the refs that have them: a push,
 * and a submission during the upload, which checks neither labels nor requirements.
 */
export const bypassesOf = (branchRef: string): readonly (readonly [name: string, ref: string])[] => [
  ['push', branchRef],
  ['submit', `refs/for/${branchRef}`],
];

/** Groups that contain every account. */
const everyone = ['global:Anonymous-Users', 'global:Registered-Users'];

/** A rule that allows a permission to a group. */
export interface Grant extends AccessRule {
  group: string;
}

/**
 * The rules that allow a permission on a ref, by the order of the host: more specific sections first, then the project
 * before its parents; an exclusive permission hides the sections after it, and a blocked group has none. Undefined if a
 * pattern that cannot be evaluated has the permission.
 */
export function grantsOf({ sections }: AccessRights, name: string, ref: string): Grant[] | undefined {
  const relevant = sections.filter(({ permissions }) => permissions[name] !== undefined);
  if (relevant.some((one) => matches(one.ref, ref) === undefined)) return undefined;
  const sorted = relevant
    .filter((one) => matches(one.ref, ref) === true)
    .toSorted((one, other) => specificity(other) - specificity(one) || one.distance - other.distance);
  const rulesOf = (one: Section) => Object.entries(one.permissions[name]?.rules ?? {});
  const blocked = new Set<string>();
  // A block applies in spite of exclusive permissions, except where its own section allows the group.
  for (const one of sorted) for (const [group, { action }] of rulesOf(one)) if (action === 'BLOCK') blocked.add(group);
  const isBlocked = (one: Section, group: string): boolean => {
    const own = rulesOf(one).some(([, { action }]) => action === 'BLOCK');
    return !own && (blocked.has(group) || everyone.some((all) => blocked.has(all)));
  };
  const grants: Grant[] = [];
  const denied = new Set<string>();
  for (const one of sorted) {
    for (const [group, found] of rulesOf(one)) {
      if (found.action === 'DENY') denied.add(group);
      else if (found.action !== 'BLOCK' && !denied.has(group) && !isBlocked(one, group))
        grants.push({ ...found, group });
    }
    if (one.permissions[name]?.exclusive) break;
  }
  return grants;
}
