import { HostRefused } from '#providers/code-host.ts';
import type { HostProtection } from '#providers/host-evidence.ts';
import type { HostRef } from '../host-facts.ts';
import {
  branchStateFrom,
  type ProtectionRule,
  protectionFrom,
  protectsEveryTag,
  ruleFrom,
  withoutProtection,
} from './protection-shapes.ts';
import { repositoryPath } from './reads.ts';
import { repositoryFrom } from './shapes.ts';
import type { GiteaApi } from './transport.ts';

/** The rule of a branch: null without one, undefined if the token may not read it. */
export async function readRule(
  api: GiteaApi,
  ref: HostRef,
  branch: string,
): Promise<ProtectionRule | null | undefined> {
  const { isProtected, rule } = await readBranch(api, ref, branch);
  return isProtected ? readNamedRule(api, ref, rule) : null;
}

const readBranch = async (api: GiteaApi, ref: HostRef, branch: string) =>
  branchStateFrom((await api.json(`${repositoryPath(ref)}/branches/${encodeURIComponent(branch)}`)).data);

async function readNamedRule(
  api: GiteaApi,
  ref: HostRef,
  name: string | undefined,
): Promise<ProtectionRule | undefined> {
  // The host tells the name to administrators only.
  if (name === undefined) return undefined;
  try {
    return ruleFrom((await api.json(`${repositoryPath(ref)}/branch_protections/${encodeURIComponent(name)}`)).data);
  } catch (error) {
    if (error instanceof HostRefused && [401, 403, 404].includes(error.status)) return undefined;
    throw error;
  }
}

/** The protection of a branch; without the right to administer the repository only what the branch discloses. */
export async function readProtection(api: GiteaApi, ref: HostRef, branch: string): Promise<HostProtection> {
  const { isProtected, rule: name, disclosed } = await readBranch(api, ref, branch);
  if (isProtected) {
    const rule = await readNamedRule(api, ref, name);
    return rule ? protectionFrom(rule) : disclosed;
  }
  const { defaultBranch } = repositoryFrom((await api.json(repositoryPath(ref))).data);
  return withoutProtection(branch === defaultBranch);
}

/** Whether a rule protects every tag from everyone; null if the token may not read the rules, or for old instances. */
export async function readTagProtection(api: GiteaApi, ref: HostRef): Promise<boolean | null> {
  try {
    return protectsEveryTag((await api.json(`${repositoryPath(ref)}/tag_protections`)).data);
  } catch (error) {
    if (error instanceof HostRefused) return null;
    throw error;
  }
}
