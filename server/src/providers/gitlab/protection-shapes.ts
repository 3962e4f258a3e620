import { z } from 'zod';
import type { HostProtection } from '#providers/host-evidence.ts';
import { pipelineCheck } from './evidence-shapes.ts';

const project = z.object({
  default_branch: z.string().nullish(),
  only_allow_merge_if_pipeline_succeeds: z.boolean().nullish(),
});
const protectedBranch = z.object({
  allow_force_push: z.boolean().nullish(),
  push_access_levels: z
    .array(
      z.object({
        access_level: z.number().nullish(),
        user_id: z.number().nullish(),
        group_id: z.number().nullish(),
        deploy_key_id: z.number().nullish(),
      }),
    )
    .nullish(),
});
const approvals = z.object({ reset_approvals_on_push: z.boolean().nullish() });
const rule = z.object({
  approvals_required: z.number().int(),
  protected_branches: z.array(z.object({ name: z.string() })).nullish(),
  applies_to_all_protected_branches: z.boolean().nullish(),
});

interface ProtectionAnswers {
  settings: unknown;
  /** Null if the branch is not protected. */
  protection: unknown;
  /** Undefined without permission, or if the edition does not support them. */
  approvals: unknown;
  rules: readonly unknown[] | undefined;
}

/** Combines the protection of a branch from four responses of GitLab. Throws ZodError for anything else. */
export function protectionFrom(branch: string, found: ProtectionAnswers): HostProtection {
  const { default_branch: defaultBranch, only_allow_merge_if_pipeline_succeeds: needsPipeline } = project.parse(
    found.settings,
  );
  const guard = found.protection === null ? null : protectedBranch.parse(found.protection);
  const resets = found.approvals === undefined ? undefined : approvals.parse(found.approvals).reset_approvals_on_push;
  return {
    requiredReviews: reviewsFrom(branch, guard !== null, found.rules),
    dismissesStaleReviews: resets ?? null,
    allowsForcePush: guard === null ? true : (guard.allow_force_push ?? null),
    // The default branch cannot be deleted. Maintainers can delete any other branch, also a protected one.
    allowsDeletion: branch !== defaultBranch,
    includesAdmins: guard === null ? false : bindsAll(guard.push_access_levels),
    requiredChecks: needsPipeline == null ? null : needsPipeline ? [pipelineCheck] : [],
    requiredCheckCount: needsPipeline == null ? null : Number(needsPipeline),
    // Only GitLab runs pipelines.
    requiredApps: [],
    unboundChecks: 0,
  };
}

/** Whether no user may push without a merge request. */
function bindsAll(levels: z.output<typeof protectedBranch>['push_access_levels']): boolean | null {
  if (!levels) return null;
  return levels.every(
    ({ access_level: level, user_id: user, group_id: group, deploy_key_id: key }) =>
      level === 0 && !user && !group && !key,
  );
}

/** The required approvals of a branch. Ignores rules of other branches; null if only a pattern may match it. */
function reviewsFrom(branch: string, isProtected: boolean, rules: readonly unknown[] | undefined): number | null {
  if (!rules) return null;
  const known = rules.map((json) => rule.parse(json));
  const branchesOf = (one: z.output<typeof rule>) => (one.protected_branches ?? []).map(({ name }) => name);
  const isUncertain = known.some((one) => {
    const names = branchesOf(one);
    return one.approvals_required > 0 && !names.includes(branch) && names.some((name) => name.includes('*'));
  });
  const applicable = known.filter((one) => {
    const names = branchesOf(one);
    if (one.applies_to_all_protected_branches) return isProtected;
    return names.length === 0 || names.includes(branch);
  });
  const required = Math.max(0, ...applicable.map(({ approvals_required }) => approvals_required));
  return isUncertain && required === 0 ? null : required;
}
