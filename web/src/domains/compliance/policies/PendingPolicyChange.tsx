import { Button } from '@mantine/core';
import type { PolicyChange } from '@sightline/contract/compliance/policies.ts';
import { listPolicyChanges } from '@sightline/contract/compliance/policy-changes.ts';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { endpointQuery } from '#lib/api.ts';
import { Banner } from '#ui/Banner.tsx';
import { Failure } from '#ui/Failure.tsx';
import { Panel } from '#ui/Panel.tsx';
import { PersonName } from '#ui/PersonName.tsx';
import { TimeAgo } from '#ui/TimeAgo.tsx';
import { type PolicyChangeAction, PolicyChangeDialog } from './PolicyChangeDialog.tsx';
import { PolicyChangeDiff } from './PolicyChangeDiff.tsx';
import s from './PolicyChanges.module.css';
import { policyChangeActions } from './policyChangeTexts.ts';

/** The change of a policy that awaits a decision, with the actions of the member. */
export function PendingPolicyChange({ policyId }: { policyId: string }) {
  const { data, error, refetch } = useQuery({
    ...endpointQuery(listPolicyChanges, { query: { policyId, perPage: 5 } }),
    meta: { quiet: true },
  });
  if (error && !data) {
    return (
      <Panel title="Pending change">
        <Failure title="The pending change could not be loaded" error={error} onRetry={() => void refetch()} />
      </Panel>
    );
  }
  const [change] = data?.rows ?? [];
  return change ? <Loaded change={change} /> : null;
}

const buttons = [
  ['approve', 'Approve change', 'filled'],
  ['reject', 'Reject change', 'default'],
  ['withdraw', 'Withdraw change', 'default'],
] as const;

function Loaded({ change }: { change: PolicyChange }) {
  const [action, setAction] = useState<PolicyChangeAction>();
  const { requestedBy, requestedAt, outdated, allowed } = change;
  return (
    <Panel title="Pending change">
      <div className={s.panel}>
        <p>
          {policyChangeActions[change.action]}, requested by <PersonName person={requestedBy} />,{' '}
          <TimeAgo at={requestedAt} />. It makes controls less strict and applies only after{' '}
          {allowed.withdraw && allowed.approve ? 'your' : "another person's"} approval.
        </p>
        {outdated !== null && <Banner tone="warning">{`${outdated} It cannot be approved any more.`}</Banner>}
        <PolicyChangeDiff change={change} />
        <div className={s.buttons}>
          {buttons.map(
            ([kind, label, variant]) =>
              allowed[kind] && (
                <Button key={kind} variant={variant} onClick={() => setAction({ kind, change })}>
                  {label}
                </Button>
              ),
          )}
        </div>
      </div>
      <PolicyChangeDialog action={action} onClose={() => setAction(undefined)} />
    </Panel>
  );
}
