import {
  createPolicy as createCall,
  decideAboutTools as decideAboutToolsCall,
  deletePolicy as deleteCall,
  dryRunPolicy,
  dryRunProposedPolicy,
  exportPolicies,
  getPoliciesStatus,
  getPolicy,
  listPolicies as listCall,
  listPolicyKinds,
  restorePolicy as restoreCall,
  revertToolDecisions as revertToolDecisionsCall,
  updatePolicy as updateCall,
} from '@sightline/contract/compliance/policies.ts';
import {
  decidePolicyChange,
  exportPolicyChanges,
  listPolicyChanges as listChangesCall,
  withdrawPolicyChange,
} from '@sightline/contract/compliance/policy-changes.ts';
import type { FastifyInstance } from 'fastify';
import { exportRoute } from '#core/list-exports.ts';
import { route } from '#core/route.ts';
import type { Services } from '#core/services.ts';
import { listPolicyChanges } from './change-queries.ts';
import { archivePolicy, createPolicy, restorePolicy, updatePolicy } from './commands.ts';
import { policyChangeCsvColumns, policyCsvColumns } from './csv-columns.ts';
import { decidePolicyChangeById, withdrawPolicyChangeById } from './decide-change.ts';
import { dryRun } from './dry-run.ts';
import { findPolicy, listKinds, listPolicies } from './queries.ts';
import { statusOfPolicies } from './status.ts';
import { decideAboutTools, revertToolDecisions } from './tool-approvals.ts';

export function policyRoutes(app: FastifyInstance, services: Services): void {
  const { withOrg } = services.database;
  route(app, services, listCall, ({ actor, query }) => withOrg(actor.orgId, (tx) => listPolicies(tx, actor, query)));
  exportRoute(app, services, [listCall, exportPolicies], { name: 'Policies', columns: policyCsvColumns });
  route(app, services, listPolicyKinds, async () => listKinds());
  route(app, services, getPoliciesStatus, ({ actor: { orgId } }) =>
    withOrg(orgId, (tx) => statusOfPolicies(tx, orgId)),
  );
  route(app, services, getPolicy, ({ actor, params }) =>
    withOrg(actor.orgId, (tx) => findPolicy(tx, actor, params.policyId)),
  );
  route(app, services, listChangesCall, ({ actor, query }) =>
    withOrg(actor.orgId, (tx) => listPolicyChanges(tx, actor, query)),
  );
  exportRoute(app, services, [listChangesCall, exportPolicyChanges], {
    name: 'Policy changes',
    columns: policyChangeCsvColumns,
  });
  route(app, services, decidePolicyChange, ({ actor, params, body }) =>
    decidePolicyChangeById(services, actor, params.changeId, body),
  );
  route(app, services, withdrawPolicyChange, ({ actor, params }) =>
    withdrawPolicyChangeById(services, actor, params.changeId),
  );
  route(app, services, createCall, ({ actor, body }) => createPolicy(services, actor, body));
  route(app, services, updateCall, ({ actor, params, body }) => updatePolicy(services, actor, params.policyId, body));
  route(app, services, deleteCall, ({ actor, params }) => archivePolicy(services, actor, params.policyId));
  route(app, services, restoreCall, ({ actor, params }) => restorePolicy(services, actor, params.policyId));
  route(app, services, decideAboutToolsCall, ({ actor, body }) => decideAboutTools(services, actor, body));
  route(app, services, revertToolDecisionsCall, ({ actor, body }) => revertToolDecisions(services, actor, body));
  route(app, services, dryRunProposedPolicy, ({ actor, body }) => dryRun(services, actor, body));
  route(app, services, dryRunPolicy, ({ actor, params, body }) => dryRun(services, actor, body, params.policyId));
}
