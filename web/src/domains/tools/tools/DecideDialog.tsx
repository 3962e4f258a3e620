import { Radio, Select, TextInput } from '@mantine/core';
import { listPolicies } from '@sightline/contract/compliance/policies.ts';
import type { Tool } from '@sightline/contract/tools/tools.ts';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { ask } from '#lib/api.ts';
import { reasonOf } from '#lib/reason.ts';
import { FormDialog } from '#ui/FormDialog.tsx';
import { toast } from '#ui/toast.ts';
import { type ApprovalDecision, against, decide, kindOf, names, policiesOfTools } from './decide.ts';

export interface DecisionRequest {
  tool: Tool;
  decision: ApprovalDecision;
}

const verbs: Record<ApprovalDecision, readonly [now: string, done: string]> = {
  approved: ['Approve', 'is approved'],
  denied: ['Deny', 'is denied'],
};
const another = 'new';

/** Approves or denies a tool, in all versions or some, by a policy that says so from now on. */
export function DecideDialog({ asked: { tool, decision }, onClose }: { asked: DecisionRequest; onClose: () => void }) {
  const [some, setSome] = useState(false);
  const [patterns, setPatterns] = useState(tool.version ?? '');
  const [chosen, setChosen] = useState<string>();
  const held = useQuery({ ...ask(listPolicies, policiesOfTools), meta: { quiet: true } }).data?.rows;
  const ofKind = held?.filter(({ kind }) => kind === kindOf[decision]) ?? [];
  const into = chosen ?? (ofKind.find((policy) => names(policy, tool)) ?? ofKind[0])?.id ?? another;
  const versions = some ? patterns.split(/[\s,]+/).filter((pattern) => pattern !== '') : null;
  const [verb, done] = verbs[decision];
  const deciding = useMutation({
    mutationFn: () => decide({ tool, decision, versions, into: ofKind.find(({ id }) => id === into) }),
    meta: { quiet: true },
    onSuccess: () => {
      toast.success(`${tool.name} ${done}.`);
      onClose();
    },
  });
  const gone = held ? against(held, tool, decision, versions) : [];
  return (
    <FormDialog
      title={`${verb} ${tool.name}`}
      submit={verb}
      danger={decision === 'denied'}
      ready={held !== undefined && (versions === null || versions.length > 0)}
      width={480}
      pending={deciding.isPending}
      problem={deciding.error ? reasonOf(deciding.error, 'Not saved.') : undefined}
      onClose={onClose}
      onSubmit={() => deciding.mutate()}
    >
      <Radio.Group label="Versions" value={some ? 'some' : 'all'} onChange={(value) => setSome(value === 'some')}>
        <Radio value="all" label="All versions" mt={6} />
        <Radio value="some" label="Some versions" mt={6} />
      </Radio.Group>
      {some && (
        <TextInput
          label="Patterns"
          description="Separated by commas. * is a wildcard, as in 2.*"
          value={patterns}
          onChange={({ currentTarget }) => setPatterns(currentTarget.value)}
        />
      )}
      <Select
        label="Policy"
        description="A new version becomes active. Earlier activity is evaluated by the earlier version."
        data={[
          ...ofKind.map(({ id, name, mode }) => ({
            value: id,
            label: mode === 'enforce' ? `${name} (enforced)` : name,
          })),
          { value: another, label: 'New policy in observe mode' },
        ]}
        value={into}
        allowDeselect={false}
        onChange={(value) => setChosen(value ?? undefined)}
      />
      {gone.length > 0 && (
        <p className="dim">
          It is removed from {gone.map(({ name }) => `“${name}”`).join(' and ')}, which{' '}
          {gone.length === 1 ? 'says' : 'say'} otherwise.
        </p>
      )}
    </FormDialog>
  );
}
