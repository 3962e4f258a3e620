import { createPolicy, policyKinds } from '@sightline/contract/compliance/policies.ts';
import { z } from 'zod';
import { call } from '#lib/api.ts';
import { useChange } from '#lib/change.ts';
import { docsHref } from '#lib/docs.ts';
import { hasPermission, useSession } from '#lib/session.ts';
import { useUrlQuery } from '#lib/url-query.ts';
import { Empty } from '#ui/Empty.tsx';
import { useNavigate } from '#ui/Link.tsx';
import { PageHeader } from '#ui/PageHeader.tsx';
import { Panel } from '#ui/Panel.tsx';
import { toast } from '#ui/toast.ts';
import { emptyPolicyFields } from './draft.ts';
import { type PolicyBody, PolicyForm } from './PolicyForm.tsx';
import { awaitsApprovalText, policyChangesPath } from './policyChangeTexts.ts';
import { policiesPath, policyHref } from './policyLabels.ts';
import { policyTemplates } from './policyTemplates.ts';

const addressSchema = z.object({ from: z.string().default(''), kind: z.enum(policyKinds).default('merge') });

/** Creates a policy, from scratch or from a template. */
export function NewPolicyPage() {
  const [{ from, kind }] = useUrlQuery(addressSchema);
  const writes = hasPermission(useSession(), 'write:policies');
  const navigate = useNavigate();
  const starter = policyTemplates.find(({ id }) => id === from);
  const save = useChange(
    (body: PolicyBody) => call(createPolicy, { body }),
    ({ policy }) => {
      if (policy) toast.success(`${policy.name} is active.`);
      else toast.info(awaitsApprovalText);
      navigate(policy ? policyHref(policy) : policyChangesPath);
    },
    { quiet: true },
  );
  const { name = '', settings = {} } = starter ?? {};
  return (
    <>
      <PageHeader
        title="New policy"
        back={{ label: 'Policies', href: policiesPath }}
        help={{ href: docsHref('policies'), about: 'policies' }}
      />
      {writes ? (
        <PolicyForm
          key={from}
          first={{ ...emptyPolicyFields(starter?.kind ?? kind), name, settings }}
          submit="Create policy"
          pending={save.isPending}
          error={save.error}
          onSave={save.mutate}
        />
      ) : (
        <Panel>
          <Empty kind="not-allowed" title="Only Account Owners create policies">
            Ask an Account Owner. You can read every policy.
          </Empty>
        </Panel>
      )}
    </>
  );
}
