import type { ControlSetting } from '@sightline/contract/compliance/controls.ts';
import {
  isToolKind,
  type PolicyKind,
  type PolicyKindDefinition,
  type PolicyMode,
  type PolicyScope,
  type PolicySettings,
  type PolicyVersion,
  supportsRepositoryScope,
} from '@sightline/contract/compliance/policies.ts';

/** The form state of a policy. Text is stored as typed. */
export interface PolicyFields {
  name: string;
  kind: PolicyKind;
  /** Null means all. */
  repositories: string[] | null;
  /** One pattern per line. */
  branches: string;
  tools: { id: string; versions: string }[];
  /** By control ID. Controls that the policy does not set are absent. */
  settings: Partial<Record<string, Record<string, ControlSetting[string]>>>;
  mode: PolicyMode;
}

export const emptyPolicyFields = (kind: PolicyKind = 'merge'): PolicyFields => ({
  name: '',
  kind,
  repositories: null,
  branches: '',
  tools: [],
  mode: 'observe',
  settings: {},
});

export const policyFieldsOf = (policy: PolicyVersion): PolicyFields => ({
  name: policy.name,
  kind: policy.kind,
  repositories: policy.scope.repositories,
  branches: policy.scope.branches.join('\n'),
  tools: policy.scope.tools.map(({ id, versions }) => ({ id, versions: versions?.join(', ') ?? '' })),
  settings: policy.settings,
  mode: policy.mode,
});

type Body = { kind: PolicyKind; scope: PolicyScope; settings: PolicySettings };

/** Converts a draft to the request body. */
export function policyBodyOf(draft: PolicyFields, definition: PolicyKindDefinition | undefined): Body {
  const settings = Object.fromEntries(
    Object.entries(draft.settings).flatMap(([control, values]) =>
      values && definition?.controls.some(({ id }) => id === control) ? [[control, without(values, 'branches')]] : [],
    ),
  ) as PolicySettings;
  return {
    kind: draft.kind,
    scope: {
      repositories: supportsRepositoryScope(draft.kind) ? draft.repositories : null,
      branches: hasBranchParameter(draft, definition) ? uniqueLinesOf(draft.branches) : [],
      tools: isToolKind(draft.kind)
        ? draft.tools.map(({ id, versions }) => {
            const patterns = uniqueLinesOf(versions.replaceAll(',', '\n'));
            return { id, versions: patterns.length === 0 ? null : patterns };
          })
        : [],
    },
    settings,
  };
}

/** Whether a selected control has a branch parameter. */
export const hasBranchParameter = (draft: PolicyFields, definition: PolicyKindDefinition | undefined): boolean =>
  definition?.controls.some(
    ({ id, parameters }) => draft.settings[id] !== undefined && parameters.some(({ name }) => name === 'branches'),
  ) ?? false;

/** Returns the instruction for the first missing field, or undefined if the draft is complete. */
export function missingFieldText(draft: PolicyFields): string | undefined {
  if (draft.name.trim() === '') return 'Name the policy';
  if (isToolKind(draft.kind)) return draft.tools.length === 0 ? 'Choose at least one tool' : undefined;
  if (draft.repositories?.length === 0) return 'Choose at least one repository';
  return Object.values(draft.settings).every((one) => one === undefined) ? 'Choose at least one control' : undefined;
}

export const uniqueLinesOf = (text: string): string[] => [
  ...new Set(
    text
      .split('\n')
      .map((line) => line.trim())
      .filter((line) => line !== ''),
  ),
];

const without = <T extends object>(values: T, name: string): T =>
  Object.fromEntries(Object.entries(values).filter(([key]) => key !== name)) as T;
