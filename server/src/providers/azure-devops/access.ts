import type { AccessRoute, HostPermission } from '@sightline/contract/sources/host-access.ts';
import { partState, readPart } from '#providers/access-parts.ts';
import type { HostAccess, HostAccessHolder } from '#providers/host-access.ts';
import type { HostRef } from '../host-facts.ts';
import { type Holder, has, permission, readHolders, readPermissions } from './permissions.ts';
import { readPolicies } from './protection.ts';
import { idAt, instanceOf } from './shapes.ts';
import type { AzureDevopsApi } from './transport.ts';

/** The administrators of the collection or of the project. */
const administrators = /-0-0-0-0-1$/;

/** Reads everyone with permissions in a repository, and who may bypass the policies of a branch. */
export async function readAccess(api: AzureDevopsApi, ref: HostRef, branch: string): Promise<HostAccess> {
  const instance = instanceOf(api.baseURL);
  const bits = await readPermissions(api, ref, `refs/heads/${branch}`);
  const found = bits && (await readHolders(api, bits));
  const policies = await readPart(() => readPolicies(api, ref, branch));
  const { contribute, bypassWhenPushing, bypassWhenCompleting } = permission;
  // Everyone who can write can push to a branch without policies.
  const bypasses = policies?.length === 0 ? [contribute] : [bypassWhenPushing, bypassWhenCompleting];
  const holders = (found ?? []).flatMap((one): HostAccessHolder[] => {
    const level = permissionOf(one.allowed);
    if (level === undefined) return [];
    const { id, name, isGroup, isService, user } = one.identity;
    const kind = isGroup ? 'team' : isService ? 'app' : 'person';
    return [
      {
        kind,
        id: idAt(instance, id),
        name: isGroup ? name : user.login,
        user: kind === 'person' ? user : null,
        permission: level,
        routes: routesOf(one),
        canBypass: policies ? has(one.allowed, ...bypasses) : null,
      },
    ];
  });
  const state = partState(found);
  return {
    // Deploy keys do not exist: SSH keys are those of accounts.
    parts: {
      people: state,
      teams: state,
      keys: 'not_offered',
      apps: state,
      owners: state,
      bypass: partState(found && policies),
    },
    holders,
  };
}

function permissionOf(allowed: number): HostPermission | undefined {
  const { administer, managePermissions, editPolicies, contribute, contributeToPullRequests, read } = permission;
  if (has(allowed, administer, managePermissions, editPolicies)) return 'admin';
  if (has(allowed, contribute)) return 'write';
  if (!has(allowed, read)) return undefined;
  return has(allowed, contributeToPullRequests) ? 'triage' : 'read';
}

function routesOf({ groups, isNamed, identity }: Holder): AccessRoute[] {
  const routes = groups.map(
    ({ descriptor }): AccessRoute => (administrators.test(descriptor) ? 'owner' : 'organization'),
  );
  const own: AccessRoute[] = isNamed ? [identity.isGroup ? 'organization' : 'direct'] : [];
  return [...new Set([...own, ...routes])];
}
