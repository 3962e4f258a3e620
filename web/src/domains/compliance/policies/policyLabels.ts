import type { ControlSetting } from '@sightline/contract/compliance/controls.ts';
import type {
  Policy,
  PolicyKind,
  PolicyKindDefinition,
  PolicyMode,
  PolicyVersion,
} from '@sightline/contract/compliance/policies.ts';
import type { ControlId } from '@sightline/contract/core/control-ids.ts';
import {
  IconBug,
  IconCalendarCheck,
  IconCircleCheck,
  IconCircleX,
  IconGitMerge,
  IconNews,
  IconRadar2,
  IconRobot,
  type TablerIcon,
} from '@tabler/icons-react';
import type { Tone } from '#ui/StatusBadge.tsx';

export const policiesPath = '/policies';
export const policyHref = ({ id }: { id: string }) => `${policiesPath}/${id}`;

/** Name, description and icon of each policy kind. */
export const policyKindTexts: Record<PolicyKind, readonly [name: string, description: string, Icon: TablerIcon]> = {
  merge: ['Changes', 'Reviews, checks, branch protection and tickets of changes.', IconGitMerge],
  'scan-freshness': ['Scans', 'Scans of changes and of repositories.', IconRadar2],
  sla: ['Time limits', 'Maximum age of open vulnerabilities and secrets.', IconBug],
  'tool-allow': ['Approved tools', 'Allowed tools and versions.', IconCircleCheck],
  'tool-deny': ['Denied tools', 'Prohibited tools.', IconCircleX],
  'ai-provenance': [
    'Agents',
    'Allowed agents, models and MCP servers, human review, size and protected files of agent changes.',
    IconRobot,
  ],
  'access-review': ['Access reviews', 'Quarterly review of members and roles.', IconCalendarCheck],
  digest: ['Digests', 'Timely sign-off of commit digests.', IconNews],
};

export const policyModeTexts: Record<PolicyMode, readonly [Tone, name: string, description: string]> = {
  observe: ['gray', 'Observe', 'Counts violations.'],
  warn: ['yellow', 'Warn', 'Also notifies people of each violation.'],
  enforce: [
    'purple',
    'Enforce',
    'Also sets the commit status sightline/policy on open pull requests. GitHub can require it before a merge.',
  ],
};

/** Returns a short description of the scope of a policy. */
export function policyScopeText({ scope, repositories }: Pick<Policy, 'scope' | 'repositories'>): string {
  const tools = scope.tools.map(({ id }) => id);
  if (tools.length > 0) return shortList(tools, tools.length);
  const base =
    scope.repositories === null
      ? 'All repositories'
      : shortList(
          repositories.map(({ fullName }) => fullName),
          scope.repositories.length,
        );
  return scope.branches.length === 0 ? base : `${base}, default branch and ${scope.branches.join(', ')}`;
}

function shortList(names: readonly string[], total: number): string {
  const [first = `${total} repositories`, second] = names;
  if (total <= 1 || names.length === 0) return first;
  return total === 2 && second !== undefined ? `${first} and ${second}` : `${first} and ${total - 1} more`;
}

/** A label and a value in words. */
export type LabeledValue = readonly [label: string, value: string];

/** Returns one line per parameter of a version: 'CHG-01 Independent approvals: 2'. */
export const settingLines = (rules: PolicyRules, kinds: readonly PolicyKindDefinition[]): string[] =>
  settingValues(rules, kinds).map(([label, value]) => (value === '' ? label : `${label}: ${value}`));

type PolicyRules = Pick<PolicyVersion, 'settings' | 'scope'>;

/** Returns each tool and parameter of a version with its value in words; empty for a control without parameters. */
export const settingValues = (
  { settings, scope }: PolicyRules,
  kinds: readonly PolicyKindDefinition[],
): LabeledValue[] => [
  ...scope.tools.map(({ id, versions }) => [id, versions === null ? 'all versions' : versions.join(', ')] as const),
  ...Object.entries(settings).flatMap(([control, setting]) =>
    setting === undefined ? [] : valuesOf(control as ControlId, setting, kinds),
  ),
];

function valuesOf(control: ControlId, setting: ControlSetting, kinds: readonly PolicyKindDefinition[]): LabeledValue[] {
  const definition = controlDefinition(control, kinds);
  const shown = definition?.parameters.filter(({ name }) => name !== 'branches') ?? [];
  if (shown.length === 0) return [[`${control} ${definition?.title ?? ''}`, '']];
  return shown.map((parameter) => {
    const value = setting[parameter.name] ?? parameter.default;
    const unit =
      parameter.kind === 'number' ? ` ${value === 1 ? parameter.unit.replace(/s$/, '') : parameter.unit}` : '';
    return [`${control} ${parameter.title}`, `${valueWords(value)}${unit}`];
  });
}

const controlDefinition = (control: ControlId, kinds: readonly PolicyKindDefinition[]) =>
  kinds.flatMap(({ controls }) => controls).find(({ id }) => id === control);

/** The title of a parameter of a control, or of the mode or the tools of a policy for it. */
export function weakenedTitle(
  { control, parameter }: { control: ControlId; parameter: string },
  kinds: readonly PolicyKindDefinition[],
): string {
  const title = controlDefinition(control, kinds)?.parameters.find(({ name }) => name === parameter)?.title;
  return `${control} ${title ?? parameter}`;
}

function valueWords(value: ControlSetting[string]): string {
  if (typeof value === 'boolean') return value ? 'yes' : 'no';
  if (Array.isArray(value)) return value.length === 0 ? 'none' : value.map(parameterChoiceText).join(', ');
  return String(value);
}

/** Returns the display text of a choice: 'false_positive' is 'false positive'. */
export const parameterChoiceText = (choice: string): string => choice.replaceAll('_', ' ');
