import { Button } from '@mantine/core';
import {
  deletePolicy,
  getPoliciesStatus,
  getPolicy,
  listPolicyKinds,
  type PolicyDetail,
  restorePolicy,
  updatePolicy,
} from '@sightline/contract/compliance/policies.ts';
import { useQuery } from '@tanstack/react-query';
import { useParams } from '@tanstack/react-router';
import { call, endpointQuery } from '#lib/api.ts';
import { useChange } from '#lib/change.ts';
import { docsHref } from '#lib/docs.ts';
import { Failure } from '#ui/Failure.tsx';
import { useNavigate } from '#ui/Link.tsx';
import { PageHeader } from '#ui/PageHeader.tsx';
import { Panel } from '#ui/Panel.tsx';
import { StatusBadge } from '#ui/StatusBadge.tsx';
import { toast } from '#ui/toast.ts';
import { policyFieldsOf } from './draft.ts';
import { PendingPolicyChange } from './PendingPolicyChange.tsx';
import s from './Policies.module.css';
import { PolicyCompliance } from './PolicyCompliance.tsx';
import { type PolicyBody, PolicyForm } from './PolicyForm.tsx';
import { PolicyVersions } from './PolicyVersions.tsx';
import { awaitsApprovalText } from './policyChangeTexts.ts';
import {
  policiesPath,
  policyHref,
  policyKindTexts,
  policyModeTexts,
  policyScopeText,
  settingLines,
} from './policyLabels.ts';

/** Shows one policy: compliance, current rules, and earlier versions. */
export function PolicyPage() {
  const { policyId } = useParams({ strict: false }) as { policyId: string };
  const { data, error, refetch } = useQuery({
    ...endpointQuery(getPolicy, { params: { policyId } }),
    meta: { quiet: true },
  });
  if (error && !data) {
    return (
      <>
        <PageHeader title="Policy" back={{ label: 'Policies', href: policiesPath }} />
        <Panel>
          <Failure title="The policy could not be loaded" error={error} onRetry={() => void refetch()} />
        </Panel>
      </>
    );
  }
  if (!data) {
    return (
      <>
        <PageHeader title="Policy" back={{ label: 'Policies', href: policiesPath }} />
        <p className="dim" role="status" aria-busy>
          Loading
        </p>
      </>
    );
  }
  return <Loaded policy={data} />;
}

function Loaded({ policy }: { policy: PolicyDetail }) {
  const status = useQuery({ ...endpointQuery(getPoliciesStatus, {}), meta: { quiet: true } }).data;
  const params = { policyId: policy.id };
  const save = useChange(
    (body: PolicyBody) => call(updatePolicy, { params, body: { ...body, version: policy.version } }),
    ({ policy: saved, pendingChange }) =>
      pendingChange ? toast.info(awaitsApprovalText) : toast.success(`Version ${saved?.version} is active.`),
    { quiet: true },
  );
  const [tone, mode] = policyModeTexts[policy.mode];
  return (
    <>
      <PageHeader
        title={policy.name}
        back={{ label: 'Policies', href: policiesPath }}
        help={{ href: docsHref('policies'), about: 'policies' }}
        after={
          policy.until === null ? (
            <StatusBadge tone={tone}>{mode}</StatusBadge>
          ) : (
            <StatusBadge tone="gray">Archived</StatusBadge>
          )
        }
        note={`${policyKindTexts[policy.kind][0]} · ${policyScopeText(policy)} · version ${policy.version}`}
        actions={<Actions policy={policy} />}
      />
      <div className={s.form}>
        {policy.hasPendingChange && <PendingPolicyChange policyId={policy.id} />}
        {policy.until === null && <PolicyCompliance status={status?.find(({ policyId }) => policyId === policy.id)} />}
        {policy.allowed.change ? (
          <>
            <div className={s.form} data-screen>
              <PolicyForm
                key={policy.version}
                first={policyFieldsOf(policy)}
                policyId={policy.id}
                submit="Save new version"
                pending={save.isPending}
                error={save.error}
                onSave={save.mutate}
              />
            </div>
            <div className={s.paper}>
              <PolicyRules policy={policy} />
            </div>
          </>
        ) : (
          <PolicyRules policy={policy} />
        )}
        <PolicyVersions versions={policy.versions} />
      </div>
    </>
  );
}

function PolicyRules({ policy }: { policy: PolicyDetail }) {
  const kinds = useQuery(endpointQuery(listPolicyKinds, {})).data ?? [];
  return (
    <Panel title="Rules">
      <ul className={s.said}>
        {settingLines(policy, kinds).map((line) => (
          <li key={line}>{line}</li>
        ))}
      </ul>
    </Panel>
  );
}

/** Archives a policy and offers Undo, or restores an archived one. */
function Actions({ policy }: { policy: PolicyDetail }) {
  const navigate = useNavigate();
  const params = { policyId: policy.id };
  const restore = useChange(
    () => call(restorePolicy, { params }),
    ({ policy: again, pendingChange }) => {
      if (pendingChange) toast.info(awaitsApprovalText);
      else
        toast.success(
          again?.mode === policy.mode ? `${policy.name} is restored.` : `${policy.name} is restored in observe mode.`,
        );
      navigate(policyHref(policy));
    },
  );
  const remove = useChange(
    () => call(deletePolicy, { params }),
    ({ pendingChange }) => {
      if (pendingChange) {
        toast.info(awaitsApprovalText);
        return;
      }
      toast.offer(`${policy.name} is archived.`, 'Undo', () => restore.mutate());
      navigate(policiesPath);
    },
  );
  if (policy.allowed.delete) {
    return (
      <Button variant="default" loading={remove.isPending} onClick={() => remove.mutate()}>
        Delete
      </Button>
    );
  }
  return (
    policy.allowed.restore && (
      <Button loading={restore.isPending} onClick={() => restore.mutate()}>
        Restore
      </Button>
    )
  );
}
