import type { HostProtection } from '#providers/host-evidence.ts';
import type { HostRef } from '../host-facts.ts';
import { readEvery } from './paging.ts';
import { has, permission, readBypass, readPermissions } from './permissions.ts';
import { appliesTo, checksFrom, type Policy, readPolicy, reviewsFrom } from './policy-shapes.ts';
import { projectPath, repositoryPath } from './reads.ts';
import { repositoryFrom } from './shapes.ts';
import type { AzureDevopsApi } from './transport.ts';

/** The enforced policies of a branch. */
export async function readPolicies(api: AzureDevopsApi, ref: HostRef, branch: string): Promise<Policy[]> {
  const { id, defaultBranch } = repositoryFrom((await api.json(repositoryPath(ref))).data, api.baseURL);
  const place = { repositoryId: id.slice(0, id.indexOf('@')), branch, isDefault: branch === defaultBranch };
  const found = await readEvery(api, `${projectPath(ref)}/_apis/policy/configurations`, { query: { $top: 1000 } });
  return found.map(readPolicy).filter((policy) => appliesTo(policy, place));
}

/**
 * The protection of a branch by enforced policies: any of them prevents pushes without a pull request, forced ones and
 * the deletion of the branch, except for those who may bypass policies when pushing.
 */
export async function readProtection(
  api: AzureDevopsApi,
  ref: HostRef,
  branch: string,
): Promise<HostProtection | undefined> {
  const policies = await readPolicies(api, ref, branch);
  if (policies.length === 0) return undefined;
  const bypass = await readBypass(api, ref, branch);
  return {
    ...reviewsFrom(policies),
    allowsForcePush: bypass?.byForce ?? null,
    // The same permissions delete a branch.
    allowsDeletion: bypass?.byForce ?? null,
    includesAdmins: bypass ? !bypass.exists : null,
    ...checksFrom(policies),
  };
}

/** Whether no one may move or delete any tag, which the permission to push by force allows. */
export async function readTagProtection(api: AzureDevopsApi, ref: HostRef): Promise<boolean | null> {
  const bits = await readPermissions(api, ref, 'refs/tags');
  if (!bits) return null;
  return ![...bits.values()].some(({ allow, deny }) => has(allow & ~deny, permission.forcePush));
}
