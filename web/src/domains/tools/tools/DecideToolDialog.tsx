import { Radio, Select, TextInput } from '@mantine/core';
import { listPolicies, policyKindOfDecision, type ToolDecision } from '@sightline/contract/compliance/policies.ts';
import type { Tool } from '@sightline/contract/tools/tools.ts';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { endpointQuery } from '#lib/api.ts';
import { errorMessageOf } from '#lib/reason.ts';
import { FormDialog } from '#ui/FormDialog.tsx';
import { contradictingPolicies, policyNamesTool, toolPoliciesQuery, useToolDecision } from './decideAboutTool.ts';

export interface ToolDecisionRequest {
  tool: Pick<Tool, 'id' | 'name' | 'version'>;
  decision: ToolDecision;
}

const verbs: Record<ToolDecision, string> = { approved: 'Approve', denied: 'Deny' };
const newPolicy = 'new';

/** Approves or denies all or some versions of a tool in a policy. */
export function DecideToolDialog({
  request: { tool, decision },
  onClose,
}: {
  request: ToolDecisionRequest;
  onClose: () => void;
}) {
  const [partial, setPartial] = useState(false);
  const [patterns, setPatterns] = useState(tool.version ?? '');
  const [chosen, setChosen] = useState<string>();
  const policies = useQuery({ ...endpointQuery(listPolicies, toolPoliciesQuery), meta: { quiet: true } }).data?.rows;
  const ofKind = policies?.filter(({ kind }) => kind === policyKindOfDecision[decision]) ?? [];
  const into = chosen ?? (ofKind.find((policy) => policyNamesTool(policy, tool)) ?? ofKind[0])?.id ?? newPolicy;
  const versions = partial ? patterns.split(/[\s,]+/).filter((pattern) => pattern !== '') : null;
  const verb = verbs[decision];
  const deciding = useToolDecision({ quiet: true, onDone: onClose });
  const decide = () =>
    deciding.mutate({
      name: tool.name,
      count: 1,
      body: { decision, tools: { ids: [tool.id] }, versions, policyId: into === newPolicy ? null : into },
    });
  const contradicting = policies ? contradictingPolicies(policies, tool, decision, versions) : [];
  return (
    <FormDialog
      title={`${verb} ${tool.name}`}
      submit={verb}
      danger={decision === 'denied'}
      ready={policies !== undefined && (versions === null || versions.length > 0)}
      width={480}
      pending={deciding.isPending}
      problem={deciding.error ? errorMessageOf(deciding.error, 'Not saved.') : undefined}
      onClose={onClose}
      onSubmit={decide}
    >
      <Radio.Group label="Versions" value={partial ? 'some' : 'all'} onChange={(value) => setPartial(value === 'some')}>
        <Radio value="all" label="All versions" mt={6} />
        <Radio value="some" label="Some versions" mt={6} />
      </Radio.Group>
      {partial && (
        <TextInput
          label="Patterns"
          description="Separated by commas. * is a wildcard, as in 2.*"
          value={patterns}
          onChange={({ currentTarget }) => setPatterns(currentTarget.value)}
        />
      )}
      <Select
        label="Policy"
        description={`A new version becomes active${decision === 'approved' ? ' after another person approves it' : ''}. Earlier activity is evaluated by the earlier version.`}
        data={[
          ...ofKind.map(({ id, name, mode }) => ({
            value: id,
            label: mode === 'enforce' ? `${name} (enforced)` : name,
          })),
          { value: newPolicy, label: 'New policy in observe mode' },
        ]}
        value={into}
        allowDeselect={false}
        onChange={(value) => setChosen(value ?? undefined)}
      />
      {contradicting.length > 0 && (
        <p className="dim">
          It is removed from {contradicting.map(({ name }) => `“${name}”`).join(' and ')}, which{' '}
          {contradicting.length === 1 ? 'says' : 'say'} otherwise.
        </p>
      )}
    </FormDialog>
  );
}
