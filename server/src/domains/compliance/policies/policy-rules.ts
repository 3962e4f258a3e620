import type { ControlSetting } from '@sightline/contract/compliance/controls.ts';
import {
  isToolKind,
  type PolicyKind,
  type PolicyMode,
  type PolicyScope,
  type PolicySettings,
  supportsRepositoryScope,
} from '@sightline/contract/compliance/policies.ts';
import { controls } from '@sightline/evidence/controls/control-list.ts';
import { type Parameters, readSetting } from '@sightline/evidence/controls/parameters.ts';
import { type CanonicalValue, canonicalJson } from '@sightline/evidence/ledger/canonical.ts';
import { Invalid } from '#core/errors.ts';
import { sha256 } from '#core/hmac.ts';
import type { Tx } from '#database/database.ts';
import { controlsOfKind } from './kinds.ts';

/** The rules of a policy for controls, without name and mode. */
export interface PolicyRules {
  kind: PolicyKind;
  scope: PolicyScope;
  /** Every parameter of each control it sets. */
  settings: PolicySettings;
}

/** A policy as requested, before it is saved as a version. */
export interface PolicyDraft extends PolicyRules {
  name: string;
  mode: PolicyMode;
}

/**
 * Normalizes requested rules: adds defaults for omitted parameters and removes duplicates. Throws `validation_failed`
 * for a parameter of another kind or out of range.
 */
export async function normalizeRules(
  tx: Tx,
  orgId: string,
  { kind, scope, settings }: PolicyRules,
): Promise<PolicyRules> {
  const repositories = await readRepositories(tx, orgId, kind, scope.repositories);
  const read: PolicySettings = {};
  for (const id of controlsOfKind[kind]) {
    const given = settings[id];
    if (given === undefined) continue;
    const parameters: Parameters = controls[id].parameters;
    const found = readSetting(parameters, given);
    if ('problems' in found) {
      const [problem] = found.problems;
      throw Invalid(`settings.${id}.${problem?.parameter}`, problem?.message ?? 'is not a known parameter');
    }
    const values: ControlSetting = Object.fromEntries(
      Object.entries(found.setting).map(([name, value]) => [
        name,
        typeof value === 'object' ? value.toSorted() : value,
      ]),
    );
    // Branches are stored only in the scope.
    read[id] = 'branches' in parameters ? { ...values, branches: [...new Set(scope.branches)].toSorted() } : values;
  }
  const unknown = Object.keys(settings).find((id) => !controlsOfKind[kind].some((one) => one === id));
  if (unknown !== undefined) throw Invalid(`settings.${unknown}`, 'is not a control of this kind of policy');
  if (Object.keys(read).length === 0 && !isToolKind(kind))
    throw Invalid('settings', 'must contain at least one control');
  if (scope.branches.length > 0 && !takesBranches(read)) {
    throw Invalid('scope.branches', 'must be empty, because this policy has no parameters for branches');
  }
  return {
    kind,
    scope: { repositories, branches: [...new Set(scope.branches)].toSorted(), tools: readTools(kind, scope) },
    settings: read,
  };
}

const takesBranches = (settings: PolicySettings) =>
  Object.values(settings).some((setting) => setting !== undefined && 'branches' in setting);

async function readRepositories(
  { db }: Tx,
  orgId: string,
  kind: PolicyKind,
  ids: PolicyScope['repositories'],
): Promise<string[] | null> {
  if (ids === null) return null;
  if (!supportsRepositoryScope(kind)) {
    throw Invalid('scope.repositories', 'must be null, because this kind of policy applies to the whole organization');
  }
  const uniqueIds = [...new Set(ids)].toSorted();
  const known = await db
    .selectFrom('repository')
    .select('id')
    .where('org_id', '=', orgId)
    .where('id', 'in', uniqueIds)
    .execute();
  if (known.length < uniqueIds.length) throw Invalid('scope.repositories', 'contains an unknown repository');
  return uniqueIds;
}

function readTools(kind: PolicyKind, { tools }: PolicyScope): PolicyScope['tools'] {
  if (isToolKind(kind) !== tools.length > 0) {
    throw Invalid('scope.tools', isToolKind(kind) ? 'must contain at least one tool' : 'must be empty for this kind');
  }
  if (new Set(tools.map(({ id }) => id)).size < tools.length) throw Invalid('scope.tools', 'contains a tool twice');
  return tools.toSorted((a, b) => (a.id < b.id ? -1 : 1));
}

/**
 * The hash that identifies simulated rules, as a change of a policy version or as a new policy. A policy can be enforced
 * only after a simulation with the same hash.
 */
export const simulationHash = (rules: PolicyRules, of: { id: string; version: number } | undefined): Buffer =>
  sha256(canonicalJson({ of: of ? { id: of.id, version: of.version } : null, ...plainRules(rules) }));

/** The rules as canonical JSON, for the hash of a simulation and the audit log. */
export const plainRules = ({ kind, scope, settings }: PolicyRules): { readonly [key: string]: CanonicalValue } => ({
  kind,
  scope: JSON.parse(JSON.stringify(scope)),
  settings: JSON.parse(JSON.stringify(settings)),
});
