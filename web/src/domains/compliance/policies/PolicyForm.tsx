import { Button, Radio, Select, TextInput } from '@mantine/core';
import {
  type DryRun,
  dryRunPolicy,
  dryRunProposedPolicy,
  listPolicyKinds,
  policyKinds,
  policyMode,
} from '@sightline/contract/compliance/policies.ts';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { call, endpointQuery } from '#lib/api.ts';
import { errorMessageOf } from '#lib/reason.ts';
import { Banner } from '#ui/Banner.tsx';
import { DisabledReason } from '#ui/DisabledReason.tsx';
import { Panel } from '#ui/Panel.tsx';
import { ControlFields } from './ControlFields.tsx';
import { DryRunResult } from './DryRunResult.tsx';
import { missingFieldText, type PolicyFields, policyBodyOf } from './draft.ts';
import s from './Policies.module.css';
import { policyKindTexts, policyModeTexts } from './policyLabels.ts';
import { ScopeFields } from './ScopeFields.tsx';

export type PolicyBody = ReturnType<typeof policyBodyOf> & Pick<PolicyFields, 'name' | 'mode'>;

interface PolicyFormProps {
  /** The initial values. */
  first: PolicyFields;
  /** The edited policy; undefined creates a policy. */
  policyId?: string;
  /** The button label: 'Create'. */
  submit: string;
  pending: boolean;
  /** The error of the last attempt to save. */
  error: unknown;
  onSave: (saved: PolicyBody) => void;
}

/** Edits a policy. A simulation is available before saving, and required before enforcing. */
export function PolicyForm({ first, policyId, submit, pending, error, onSave }: PolicyFormProps) {
  const [draft, setDraft] = useState(first);
  const kinds = useQuery(endpointQuery(listPolicyKinds, {})).data;
  const definition = kinds?.find(({ kind }) => kind === draft.kind);
  const patch = (change: Partial<PolicyFields>) => setDraft({ ...draft, ...change });
  const body = policyBodyOf(draft, definition);
  const simulation = useMutation<DryRun, Error, string>({
    mutationFn: (text) => {
      const parsedBody = JSON.parse(text) as typeof body;
      return policyId === undefined
        ? call(dryRunProposedPolicy, { body: parsedBody })
        : call(dryRunPolicy, { params: { policyId }, body: parsedBody });
    },
    meta: { quiet: true },
  });
  const text = JSON.stringify(body);
  const isSimulated = simulation.data !== undefined && simulation.variables === text;
  const isChanged = JSON.stringify(policyBodyOf(first, definition)) !== text;
  const mustSimulate =
    draft.mode === 'enforce' && !isSimulated && (isChanged || first.mode !== 'enforce' || policyId === undefined);
  const missing = missingFieldText(draft);
  const reason = missing ?? (mustSimulate ? 'Simulate it on the last 30 days before you enforce it' : undefined);
  return (
    <form
      className={s.form}
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        if (reason === undefined && !pending) onSave({ ...body, name: draft.name.trim(), mode: draft.mode });
      }}
    >
      <Panel title="General">
        <div className={s.fields}>
          <TextInput
            label="Name"
            placeholder="Require independent review"
            w={420}
            maw="100%"
            value={draft.name}
            maxLength={200}
            autoComplete="off"
            onChange={({ currentTarget }) => patch({ name: currentTarget.value })}
          />
          {policyId === undefined && (
            <Select
              label="Kind"
              description={policyKindTexts[draft.kind][1]}
              w={420}
              maw="100%"
              allowDeselect={false}
              data={policyKinds.map((value) => ({ value, label: policyKindTexts[value][0] }))}
              value={draft.kind}
              onChange={(kind) => kind && setDraft({ ...draft, kind: kind as PolicyFields['kind'], settings: {} })}
            />
          )}
          <ScopeFields draft={draft} definition={definition} onChange={patch} />
        </div>
      </Panel>
      <Panel title="Control parameters">
        {definition ? (
          <ControlFields
            key={draft.kind}
            controls={definition.controls}
            settings={draft.settings}
            onChange={(settings) => patch({ settings })}
          />
        ) : (
          <p className="dim" role="status" aria-busy>
            Loading
          </p>
        )}
      </Panel>
      <Panel title="Action on violation">
        <Radio.Group
          aria-label="Mode"
          value={draft.mode}
          onChange={(mode) => patch({ mode: mode as PolicyFields['mode'] })}
        >
          <div className={s.choices}>
            {policyMode.options.map((mode) => (
              <Radio key={mode} value={mode} label={policyModeTexts[mode][1]} description={policyModeTexts[mode][2]} />
            ))}
          </div>
        </Radio.Group>
      </Panel>
      <Panel
        title="Simulation"
        aside={
          <Button
            variant="default"
            loading={simulation.isPending}
            disabled={missing !== undefined && missing !== 'Name the policy'}
            onClick={() => simulation.mutate(text)}
          >
            Simulate on the last 30 days
          </Button>
        }
      >
        {simulation.error ? (
          <Banner tone="error">
            {errorMessageOf(simulation.error, 'The simulation failed. Your input is unchanged.')}
          </Banner>
        ) : simulation.data ? (
          <DryRunResult run={simulation.data} stale={!isSimulated} />
        ) : (
          <p className="dim">
            Evaluates the last 30 days with the current and the proposed parameters and lists each item whose verdict
            would change. Required before a policy can be enforced.
          </p>
        )}
      </Panel>
      {error != null && <Banner tone="error">{errorMessageOf(error, 'Not saved. Your input is unchanged.')}</Banner>}
      <div className={s.end}>
        <DisabledReason reason={reason}>
          <Button type="submit" disabled={reason !== undefined} loading={pending}>
            {submit}
          </Button>
        </DisabledReason>
        <span className="dim">
          It applies to activity from then on. If it is less strict, another person must approve it first.
        </span>
      </div>
    </form>
  );
}
