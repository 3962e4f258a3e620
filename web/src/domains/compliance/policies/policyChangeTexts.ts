import {
  type PolicyChange,
  type PolicyContent,
  type PolicyKindDefinition,
  supportsRepositoryScope,
} from '@sightline/contract/compliance/policies.ts';
import type { Tone } from '#ui/StatusBadge.tsx';
import { type LabeledValue, policyModeTexts, settingValues, weakenedTitle } from './policyLabels.ts';

export const policyChangesPath = '/policies/changes';

export const awaitsApprovalText = 'The change makes controls less strict. It applies after another person approves it.';

export const policyChangeStates: Record<PolicyChange['state'], readonly [Tone, string]> = {
  pending: ['yellow', 'Pending'],
  approved: ['purple', 'Approved'],
  rejected: ['red', 'Rejected'],
  withdrawn: ['gray', 'Withdrawn'],
};

/** The requested action as a noun phrase: 'New version'. */
export const policyChangeActions: Record<PolicyChange['action'], string> = {
  create: 'New policy',
  update: 'New version',
  archive: 'Archive policy',
  restore: 'Restore policy',
};

/** A value of a policy before and after a change. */
export interface ChangedValue {
  label: string;
  /** Null: not set. */
  before: string | null;
  after: string | null;
}

/** Returns what a change makes less strict, with the values in force. */
export const weakenedValues = (
  { weakened }: Pick<PolicyChange, 'weakened'>,
  kinds: readonly PolicyKindDefinition[],
): ChangedValue[] =>
  weakened.map((one) => ({
    label: `${weakenedTitle(one, kinds)}${repositoriesText(one.repositories)}`,
    before: one.before,
    after: one.after,
  }));

const repositoriesText = (count: number | null): string => {
  if (count === null) return '';
  return count === 1 ? ', 1 repository' : `, ${count} repositories`;
};

/** Returns every value of the policy that a change sets, removes or replaces. */
export function changedValues(
  { before, after, repositories }: Pick<PolicyChange, 'before' | 'after' | 'repositories'>,
  kinds: readonly PolicyKindDefinition[],
): ChangedValue[] {
  const [was, is] = [before, after].map(
    (content) => new Map(content ? contentValues(content, repositories, kinds) : []),
  ) as [Map<string, string>, Map<string, string>];
  return [...new Set([...was.keys(), ...is.keys()])].flatMap((label) => {
    const [old = null, next = null] = [was.get(label), is.get(label)];
    return old === next ? [] : [{ label, before: old, after: next }];
  });
}

function contentValues(
  content: PolicyContent,
  repositories: PolicyChange['repositories'],
  kinds: readonly PolicyKindDefinition[],
): LabeledValue[] {
  const { name, mode, kind, scope } = content;
  return [
    ['Name', name],
    ['Mode', policyModeTexts[mode][1]],
    ...(supportsRepositoryScope(kind) ? [['Repositories', scopeText(scope.repositories, repositories)] as const] : []),
    ...(scope.branches.length > 0 ? [['Branches', `default branch, ${scope.branches.join(', ')}`] as const] : []),
    ...settingValues(content, kinds),
  ];
}

function scopeText(ids: readonly string[] | null, visible: PolicyChange['repositories']): string {
  if (ids === null) return 'all';
  const names = visible.filter(({ id }) => ids.includes(id)).map(({ fullName }) => fullName);
  const hidden = ids.length - names.length;
  return [...names, ...(hidden > 0 ? [`${hidden} more`] : [])].join(', ');
}
