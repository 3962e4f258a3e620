import { z } from 'zod';
import type { HostProtection } from '#providers/host-evidence.ts';

const flag = z.boolean().nullish();
const names = z.array(z.string()).nullish();

const rule = z.object({
  rule_name: z.string().nullish(),
  branch_name: z.string().nullish(),
  enable_push: flag,
  enable_push_whitelist: flag,
  push_whitelist_usernames: names,
  push_whitelist_teams: names,
  push_whitelist_deploy_keys: flag,
  // Gitea since 1.23; elsewhere forced pushes to a protected branch are always rejected.
  enable_force_push: flag,
  enable_force_push_allowlist: flag,
  force_push_allowlist_usernames: names,
  force_push_allowlist_teams: names,
  force_push_allowlist_deploy_keys: flag,
  enable_status_check: flag,
  status_check_contexts: names,
  required_approvals: z.number().int().nullish(),
  dismiss_stale_approvals: flag,
  ignore_stale_approvals: flag,
  unprotected_file_patterns: z.string().nullish(),
  // Gitea since 1.24 and Forgejo; without them administrators can merge in spite of the rule.
  block_admin_merge_override: flag,
  apply_to_admins: flag,
});
export type ProtectionRule = z.output<typeof rule>;

export const ruleFrom = (json: unknown): ProtectionRule => rule.parse(json);

/** The protection by a rule, which also prevents that the branch is deleted. */
export function protectionFrom(found: ProtectionRule): HostProtection {
  return {
    requiredReviews: found.required_approvals ?? 0,
    dismissesStaleReviews: (found.dismiss_stale_approvals || found.ignore_stale_approvals) ?? false,
    allowsForcePush: mayForcePush(found),
    allowsDeletion: false,
    includesAdmins: !administratorsOverride(found) && !mayPush(found) && !found.unprotected_file_patterns,
    ...checksFrom(found.enable_status_check === true, found.status_check_contexts ?? []),
  };
}

/** Administrators can merge in spite of the rule unless it says otherwise. */
const administratorsOverride = ({ block_admin_merge_override: blocks, apply_to_admins: applies }: ProtectionRule) =>
  blocks !== true && applies !== true;

/** Whether anyone may push without a pull request. */
const mayPush = (one: ProtectionRule): boolean =>
  one.enable_push === true &&
  (one.enable_push_whitelist !== true ||
    (one.push_whitelist_usernames ?? []).length > 0 ||
    (one.push_whitelist_teams ?? []).length > 0 ||
    one.push_whitelist_deploy_keys === true);

const mayForcePush = (one: ProtectionRule): boolean =>
  one.enable_force_push === true &&
  mayPush(one) &&
  (one.enable_force_push_allowlist !== true ||
    (one.force_push_allowlist_usernames ?? []).length > 0 ||
    (one.force_push_allowlist_teams ?? []).length > 0 ||
    one.force_push_allowlist_deploy_keys === true);

// Contexts are patterns; with these characters they name no check.
const pattern = /[*?[\]{}\\]/;

function checksFrom(
  isEnabled: boolean,
  contexts: readonly string[],
): Pick<HostProtection, 'requiredChecks' | 'requiredCheckCount' | 'requiredApps' | 'unboundChecks'> {
  const required = isEnabled ? [...new Set(contexts)] : [];
  return {
    requiredChecks: required.some((context) => pattern.test(context)) ? null : required,
    requiredCheckCount: required.length,
    // No app stands behind a status: every account that can write can report any context.
    requiredApps: [],
    unboundChecks: required.length,
  };
}

const branch = z.object({
  protected: z.boolean(),
  required_approvals: z.number().int().nullish(),
  enable_status_check: flag,
  status_check_contexts: names,
  // Empty without the right to administer the repository.
  effective_branch_protection_name: z.string().nullish(),
});

export interface BranchState {
  isProtected: boolean;
  /** The name of the rule that applies; undefined if the host does not disclose it. */
  rule: string | undefined;
  /** The settings that everyone with access sees. */
  disclosed: HostProtection;
}

export function branchStateFrom(json: unknown): BranchState {
  const found = branch.parse(json);
  return {
    isProtected: found.protected,
    rule: found.effective_branch_protection_name || undefined,
    disclosed: {
      requiredReviews: found.required_approvals ?? null,
      dismissesStaleReviews: null,
      allowsForcePush: null,
      allowsDeletion: false,
      includesAdmins: null,
      ...checksFrom(found.enable_status_check === true, found.status_check_contexts ?? []),
    },
  };
}

/** Without a rule everyone who can write can push and force-push; the default branch cannot be deleted. */
export const withoutProtection = (isDefault: boolean): HostProtection => ({
  requiredReviews: 0,
  dismissesStaleReviews: false,
  allowsForcePush: true,
  allowsDeletion: !isDefault,
  includesAdmins: false,
  ...checksFrom(false, []),
});

/** Who may bypass the rule of a branch by pushing, or by merging as an administrator. */
export function bypassOf(found: ProtectionRule) {
  const pushers = new Set((found.push_whitelist_usernames ?? []).map((name) => name.toLowerCase()));
  const teams = new Set(found.push_whitelist_teams ?? []);
  const isOpen = found.enable_push === true && found.enable_push_whitelist !== true;
  const isListed = found.enable_push === true && found.enable_push_whitelist === true;
  return {
    byPerson: (login: string, canWrite: boolean, isAdmin: boolean, memberOf: readonly string[]): boolean =>
      (isOpen && canWrite) ||
      (isListed && (pushers.has(login.toLowerCase()) || memberOf.some((team) => teams.has(team)))) ||
      (isAdmin && administratorsOverride(found)),
    byTeam: (name: string, canWrite: boolean, isAdmin: boolean): boolean =>
      (isOpen && canWrite) || (isListed && teams.has(name)) || (isAdmin && administratorsOverride(found)),
    byKey: (canWrite: boolean): boolean =>
      canWrite && (isOpen || (isListed && found.push_whitelist_deploy_keys === true)),
  };
}

const tagRule = z.object({ name_pattern: z.string(), whitelist_usernames: names, whitelist_teams: names });

/** Whether a rule prevents that anyone moves or deletes a tag. */
export const protectsEveryTag = (json: unknown): boolean =>
  z
    .array(tagRule)
    .parse(json ?? [])
    .some(
      ({ name_pattern: name, whitelist_usernames: users, whitelist_teams: teams }) =>
        ['*', '**', '/.*/', '/^.*$/'].includes(name) && (users ?? []).length === 0 && (teams ?? []).length === 0,
    );
