import { z } from 'zod';
import type { HostProtection } from '#providers/host-evidence.ts';
import { type BranchModel, matches, type RefMatcher, refMatcher } from './ref-matchers.ts';
import { hostId, maybeUser } from './shapes.ts';

const restriction = z.object({
  id: z.number().int(),
  // Some versions return an object.
  type: z.union([z.string(), z.object({ id: z.string() }).transform(({ id }) => id)]),
  matcher: refMatcher,
  users: z.array(maybeUser).nullish(),
  groups: z.array(z.string()).nullish(),
  accessKeys: z.array(z.object({ key: z.object({ id: hostId }) })).nullish(),
});

/** A restriction of branches, which does not apply to the exempted users, groups and access keys. */
export interface Restriction {
  type: string;
  matcher: RefMatcher;
  users: ReadonlySet<string>;
  groups: ReadonlySet<string>;
  keys: ReadonlySet<string>;
}

/** Parses a restriction of branches. Throws ZodError for anything else. */
export function restrictionFrom(json: unknown): Restriction {
  const { type, matcher, users, groups, accessKeys } = restriction.parse(json);
  return {
    type,
    matcher,
    users: new Set((users ?? []).flatMap((one) => (one ? [one.login] : []))),
    groups: new Set(groups ?? []),
    keys: new Set((accessKeys ?? []).map(({ key }) => key.id)),
  };
}

/** The restrictions that certainly apply to a full ref. */
export const restrictionsOf = (
  all: readonly Restriction[],
  ref: string,
  branches: BranchModel | undefined,
): Restriction[] => all.filter(({ matcher }) => matches(matcher, ref, branches) === true);

/** Restrictions that reject a push, a push that discards commits, and a deletion. */
const pushing = ['read-only', 'pull-request-only'];
const rewriting = [...pushing, 'fast-forward-only'];
const deleting = ['read-only', 'no-deletes'];

const isExempt = (one: Restriction): boolean => one.users.size + one.groups.size + one.keys.size > 0;

/**
 * Whether restrictions of these types bind everyone: one has no exemption, or no account is exempt from all of them. Members of
 * groups are not compared.
 */
function bindsEveryone(all: readonly Restriction[], types: readonly string[]): boolean {
  const found = all.filter(({ type }) => types.includes(type));
  if (found.some((one) => !isExempt(one))) return true;
  const [first, ...others] = found;
  if (!first || others.length === 0 || found.some(({ groups }) => groups.size > 0)) return false;
  const inAll = (names: 'users' | 'keys'): boolean =>
    [...first[names]].some((name) => others.every((one) => one[names].has(name)));
  return !inAll('users') && !inAll('keys');
}

const flag = z.union([z.boolean(), z.string().transform((text) => text === 'true')]).nullish();
// A number, in newer versions with a switch beside it.
const count = z
  .union([
    z.number().transform((number) => number),
    z
      .object({ enable: flag, enabled: flag, count: z.coerce.number().nullish() })
      .transform((found) => ((found.enable ?? found.enabled) === false ? 0 : (found.count ?? 0))),
  ])
  .nullish();

const settings = z.object({
  requiredApprovers: count,
  'com.atlassian.bitbucket.server.bundled-hooks.requiredApproversMergeHook': count,
  requiredSuccessfulBuilds: count,
  'com.atlassian.bitbucket.server.bitbucket-build.requiredBuildsMergeCheck': count,
  // Only an app sets it; without the app approvals stay after an update.
  unapproveOnUpdate: flag,
});

/** The merge checks of a repository that evidence uses. */
export interface MergeChecks {
  approvers: number;
  builds: number;
  unapprovesOnUpdate: boolean;
}

/** Parses the settings of pull requests. Throws ZodError for anything else. */
export function mergeChecksFrom(json: unknown): MergeChecks {
  const found = settings.parse(json);
  return {
    approvers: Math.max(
      found.requiredApprovers ?? 0,
      found['com.atlassian.bitbucket.server.bundled-hooks.requiredApproversMergeHook'] ?? 0,
    ),
    builds: Math.max(
      found.requiredSuccessfulBuilds ?? 0,
      found['com.atlassian.bitbucket.server.bitbucket-build.requiredBuildsMergeCheck'] ?? 0,
    ),
    unapprovesOnUpdate: found.unapproveOnUpdate ?? false,
  };
}

const condition = z.object({
  buildParentKeys: z.array(z.string()),
  refMatcher,
  exemptRefMatcher: refMatcher.nullish(),
});
export type BuildCondition = z.output<typeof condition>;

/** Parses a required build. Throws ZodError for anything else. */
export const buildConditionFrom = (json: unknown): BuildCondition => condition.parse(json);

type Checks = Pick<HostProtection, 'requiredChecks' | 'requiredCheckCount' | 'requiredApps' | 'unboundChecks'>;

/** The builds that a merge into a full ref requires. `conditions` null: unknown. */
export function checksFrom(
  ref: string,
  conditions: readonly BuildCondition[] | null,
  branches: BranchModel | undefined,
  builds: number | null,
): Checks {
  if (conditions === null || builds === null) {
    return { requiredChecks: null, requiredCheckCount: null, requiredApps: null, unboundChecks: null };
  }
  const applied = conditions.map(({ refMatcher: on, exemptRefMatcher: except, buildParentKeys: keys }) => {
    const [isOn, isExcepted] = [matches(on, ref, branches), except ? matches(except, ref, branches) : false];
    if (isOn === false || isExcepted === true) return [];
    return isOn === undefined || isExcepted === undefined ? null : keys;
  });
  const isDecided = applied.every((keys) => keys !== null);
  const names = [...new Set(applied.flatMap((keys) => keys ?? []))];
  const required = Math.max(names.length, builds);
  return {
    // A number of builds has no names.
    requiredChecks: isDecided && (names.length > 0 || builds === 0) ? names : null,
    requiredCheckCount: isDecided ? required : null,
    // No app stands behind a build: every account that can read can report any.
    requiredApps: [],
    unboundChecks: isDecided ? required : null,
  };
}

/** `restrictions` undefined: the token may not read them. */
export function protectionFrom(
  {
    restrictions,
    rejectsForcePush,
    checks,
  }: {
    restrictions: readonly Restriction[] | undefined;
    rejectsForcePush: boolean;
    checks: MergeChecks | undefined;
  },
  required: Checks,
): HostProtection {
  return {
    requiredReviews: checks?.approvers ?? null,
    dismissesStaleReviews: checks?.unapprovesOnUpdate ?? null,
    allowsForcePush: restrictions ? !(rejectsForcePush || bindsEveryone(restrictions, rewriting)) : null,
    allowsDeletion: restrictions ? !bindsEveryone(restrictions, deleting) : null,
    includesAdmins: restrictions ? bindsEveryone(restrictions, pushing) : null,
    ...required,
  };
}

/** Whether restrictions prevent that anyone moves or deletes a tag. */
export const protectTags = (all: readonly Restriction[]): boolean =>
  bindsEveryone(all, pushing) && bindsEveryone(all, deleting);

/** Who may push to a branch without a pull request, or undefined for a person in a group whose members are unknown. */
export function bypassOf(all: readonly Restriction[]) {
  const found = all.filter(({ type }) => pushing.includes(type));
  return {
    /** The groups whose members matter. */
    groups: [...new Set(found.flatMap(({ groups }) => [...groups]))],
    byPerson: (login: string, groupsOf: (group: string) => ReadonlySet<string> | undefined): boolean | null => {
      let isKnown = true;
      const isExemptFrom = ({ users, groups }: Restriction): boolean => {
        if (users.has(login)) return true;
        const members = [...groups].map(groupsOf);
        if (members.some((one) => one?.has(login))) return true;
        if (members.includes(undefined)) isKnown = false;
        return members.includes(undefined);
      };
      const mayPush = found.every(isExemptFrom);
      return mayPush && !isKnown ? null : mayPush;
    },
    byGroup: (name: string): boolean => found.every(({ groups }) => groups.has(name)),
    byKey: (id: string): boolean => found.every(({ keys }) => keys.has(id)),
  };
}
