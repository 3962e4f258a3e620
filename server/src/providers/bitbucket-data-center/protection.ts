import { z } from 'zod';
import { readPart } from '#providers/access-parts.ts';
import type { HostProtection } from '#providers/host-evidence.ts';
import type { HostRef } from '../host-facts.ts';
import { readEveryItem } from './paging.ts';
import { partPath, repositoryPath } from './paths.ts';
import {
  type BuildCondition,
  buildConditionFrom,
  checksFrom,
  mergeChecksFrom,
  protectionFrom,
  protectTags,
  type Restriction,
  restrictionFrom,
  restrictionsOf,
} from './protection-shapes.ts';
import { type BranchModel, branchModelFrom, needsModel } from './ref-matchers.ts';
import type { DataCenterApi } from './transport.ts';

const hook = z.object({ details: z.object({ key: z.string() }), enabled: z.boolean().nullish() });
const forcePushHook = 'com.atlassian.bitbucket.server.bitbucket-bundled-hooks:force-push-hook';
// A repository has the restrictions of its project as well.
const restrictionsPart = 'branch-permissions';

/** The restrictions that apply to a branch. Throws HostRefused 403 without the right to administer the repository. */
export async function readRestrictions(api: DataCenterApi, ref: HostRef, branch: string): Promise<Restriction[]> {
  const all = await listRestrictions(api, ref);
  const model = await readModel(
    api,
    ref,
    all.some(({ matcher }) => needsModel(matcher)),
  );
  return restrictionsOf(all, `refs/heads/${branch}`, model);
}

const listRestrictions = async (api: DataCenterApi, ref: HostRef): Promise<Restriction[]> =>
  (await readEveryItem(api, `${partPath(restrictionsPart, ref)}/restrictions`)).map(restrictionFrom);

/** The branching model, if something depends on it; undefined if it cannot be read. */
const readModel = async (api: DataCenterApi, ref: HostRef, isNeeded: boolean): Promise<BranchModel | undefined> =>
  isNeeded
    ? readPart(async () => branchModelFrom((await api.json(`${partPath('branch-utils', ref)}/branchmodel`)).data))
    : undefined;

/** The protection of a branch. Restrictions need the right to administer the repository, merge checks only to read. */
export async function readProtection(api: DataCenterApi, ref: HostRef, branch: string): Promise<HostProtection> {
  const restrictions = await readPart(() => readRestrictions(api, ref, branch));
  const rejectsForcePush = restrictions ? await readForcePushHook(api, ref) : false;
  const checks = await readPart(async () =>
    mergeChecksFrom((await api.json(`${repositoryPath(ref)}/settings/pull-requests`)).data),
  );
  const conditions = await readPart(async () => readConditions(api, ref));
  const isModelNeeded = (conditions ?? []).some(
    ({ refMatcher, exemptRefMatcher }) =>
      needsModel(refMatcher) || (exemptRefMatcher ? needsModel(exemptRefMatcher) : false),
  );
  const model = await readModel(api, ref, isModelNeeded);
  const required = checksFrom(`refs/heads/${branch}`, conditions ?? null, model, checks?.builds ?? null);
  return protectionFrom({ restrictions, rejectsForcePush, checks }, required);
}

const readConditions = async (api: DataCenterApi, ref: HostRef): Promise<BuildCondition[]> =>
  (await readEveryItem(api, `${partPath('required-builds', ref)}/conditions`)).map(buildConditionFrom);

/** Whether the bundled hook rejects every forced push; false if it cannot be read, as restrictions may still do it. */
async function readForcePushHook(api: DataCenterApi, ref: HostRef): Promise<boolean> {
  const found = await readPart(() =>
    readEveryItem(api, `${repositoryPath(ref)}/settings/hooks`, { type: 'PRE_RECEIVE' }),
  );
  return (found ?? [])
    .map((json) => hook.parse(json))
    .some(({ details, enabled }) => enabled === true && details.key === forcePushHook);
}

/** Whether restrictions protect every tag from everyone; null if the token may not read them. */
export async function readTagProtection(api: DataCenterApi, ref: HostRef): Promise<boolean | null> {
  const all = await readPart(() => listRestrictions(api, ref));
  // A name that no more specific pattern contains.
  return all ? protectTags(restrictionsOf(all, 'refs/tags/any/0', undefined)) : null;
}
