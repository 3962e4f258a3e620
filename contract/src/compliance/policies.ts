import { z } from 'zod';
import { controlId } from '../core/control-ids.ts';
import { csvExportOf } from '../core/csv-export.ts';
import { endpoint } from '../core/endpoint.ts';
import { atLedgerSize, recordedRow } from '../core/ledger-sizes.ts';
import { pagedQuery } from '../core/paging.ts';
import { boundedText, commaList, timestamp } from '../core/text.ts';
import { exportTools } from '../tools/tools.ts';
import { controlDefinition, controlSetting, controlStatus, verdict, verdictCounts, weakening } from './controls.ts';

export const policyKinds = [
  'merge',
  'scan-freshness',
  'sla',
  'tool-allow',
  'tool-deny',
  'ai-provenance',
  'access-review',
  'digest',
] as const;
export const policyKind = z.enum(policyKinds);
export type PolicyKind = z.infer<typeof policyKind>;

/**
 * `observe` counts violations. `warn` also notifies. `enforce` also sets a commit status that branch protection can
 * require.
 */
export const policyMode = z.enum(['observe', 'warn', 'enforce']);
export type PolicyMode = z.infer<typeof policyMode>;

/** Maximum number of policies in an organization at one time. */
export const MAX_POLICIES = 200;
/** Number of past days that a dry run evaluates. */
export const DRY_RUN_DAYS = 30;
/** Maximum number of tools that a policy names, and that one decision concerns. */
export const MAX_POLICY_TOOLS = 500;
/** Hours for which a dry run permits enforcement of a policy. */
export const DRY_RUN_VALIDITY_HOURS = 24;

/** Whether the kind is about tools, which the scope then names. */
export const isToolKind = (kind: PolicyKind): boolean => kind === 'tool-allow' || kind === 'tool-deny';
/**
 * Whether a policy of this kind can be limited to repositories. Tools and members belong to the entire organization.
 */
export const supportsRepositoryScope = (kind: PolicyKind): boolean => !isToolKind(kind) && kind !== 'access-review';

/** A tool of the inventory in versions that match one of the patterns; null: all versions. */
const policyTool = z.strictObject({
  id: boundedText(300).min(1),
  versions: z.array(boundedText(200).min(1)).min(1).max(50).nullable(),
});
export type PolicyTool = z.infer<typeof policyTool>;

/**
 * The scope of a policy: named or all repositories, patterns of branches in addition to the default branch, and tools.
 */
export const policyScope = z.strictObject({
  repositories: z.array(z.uuid()).min(1).max(1000).nullable(),
  branches: z.array(boundedText(200).min(1)).max(50),
  /** At least one for the kinds about tools, none for other kinds. */
  tools: z.array(policyTool).max(MAX_POLICY_TOOLS).default([]),
});
export type PolicyScope = z.infer<typeof policyScope>;

const policySettings = z.partialRecord(controlId, controlSetting);
export type PolicySettings = z.infer<typeof policySettings>;

/** One version of a policy. A change creates a new version; archiving the policy ends its last version. */
export const policyVersion = z.object({
  id: z.uuid(),
  version: z.number().int().min(1),
  name: boundedText(200),
  kind: policyKind,
  scope: policyScope,
  /** The parameters that it sets, by control. */
  settings: policySettings,
  mode: policyMode,
  from: timestamp,
  /** Null: still in force. */
  until: timestamp.nullable(),
  author: z.object({ id: z.string(), name: z.string() }),
});
export type PolicyVersion = z.infer<typeof policyVersion>;

/** The current or last version of a policy, with the repositories that the requesting member can see. */
export const policy = policyVersion.extend({
  /** At most ten of `scope.repositories`, by name. */
  repositories: z.array(z.object({ id: z.string(), fullName: z.string() })),
  /** Whether a change that weakens the policy awaits a decision. */
  hasPendingChange: z.boolean(),
  /** The actions that the requesting member may take. */
  allowed: z.object({ change: z.boolean(), delete: z.boolean(), restore: z.boolean() }),
  recorded: recordedRow.optional(),
});
export type Policy = z.infer<typeof policy>;

/** A parameter of a control, or a field of a policy for it, that a proposed change makes less strict. */
const proposedWeakening = weakening.pick({ parameter: true, repositories: true, before: true, after: true }).extend({
  control: controlId,
});

const policyContent = policyVersion.pick({ name: true, kind: true, scope: true, settings: true, mode: true });
export type PolicyContent = z.infer<typeof policyContent>;

const person = z.object({ id: z.string(), name: z.string() });

/**
 * A change that weakens controls. It applies only after its approval: by another member, or by the requester if no other
 * member could approve it.
 */
export const policyChange = z.object({
  id: z.uuid(),
  policyId: z.uuid(),
  name: z.string(),
  action: z.enum(['create', 'update', 'archive', 'restore']),
  state: z.enum(['pending', 'approved', 'rejected', 'withdrawn']),
  /** Null: the policy was not active. */
  before: policyContent.nullable(),
  /** Null: the change archives the policy. */
  after: policyContent.nullable(),
  weakened: z.array(proposedWeakening),
  /** At most ten of the repositories in `before` and `after`, by name. */
  repositories: z.array(z.object({ id: z.string(), fullName: z.string() })),
  requestedBy: person,
  requestedAt: timestamp,
  decidedBy: person.nullable(),
  decidedAt: timestamp.nullable(),
  /** The reason of the decision. */
  reason: z.string(),
  /** Whether the requester approved it, because no other member could. */
  selfApproved: z.boolean(),
  /** Why a pending change cannot be approved any more; null if it can. */
  outdated: z.string().nullable(),
  /** The actions that the requesting member may take. `approve` with `withdraw`: the own request, without another approver. */
  allowed: z.object({ approve: z.boolean(), reject: z.boolean(), withdraw: z.boolean() }),
});
export type PolicyChange = z.infer<typeof policyChange>;

/** The result of a requested change. It was applied, unless it awaits an approval as `pendingChange`. */
const policyOutcome = z.object({
  /** The policy after the request; null if it is not active then and was not before. */
  policy: policy.nullable(),
  /** Null: the change weakens nothing and was applied. */
  pendingChange: policyChange.nullable(),
});
export type PolicyOutcome = z.infer<typeof policyOutcome>;

/** Policy kinds in words, with their parameters. */
const kindDefinition = z.object({
  kind: policyKind,
  controls: z.array(controlDefinition.pick({ id: true, title: true, rule: true, parameters: true })),
});
export type PolicyKindDefinition = z.infer<typeof kindDefinition>;

/** The newest results of each control for the scope of a policy; empty counts before the first run. */
const policyStatus = z.object({
  policyId: z.string(),
  /** Null until a control of the policy was evaluated. */
  status: controlStatus.nullable(),
  counts: verdictCounts,
  controls: z.array(z.object({ control: controlId, status: controlStatus, counts: verdictCounts, runAt: timestamp })),
});
export type PolicyStatus = z.infer<typeof policyStatus>;

const reading = { scope: 'organization', permission: 'read:policies' } as const;
const writing = { scope: 'organization', permission: 'write:policies' } as const;
const deleting = { scope: 'organization', permission: 'delete:policies' } as const;
const params = z.strictObject({ policyId: z.uuid() });

export const listPolicies = endpoint({
  method: 'GET',
  path: '/v2/policies',
  summary: 'Lists the active or the archived policies, now or at a ledger size.',
  ...reading,
  query: pagedQuery(['name-asc', 'name-desc', 'date-desc', 'date-asc'], {
    kinds: commaList(policyKind),
    modes: commaList(policyMode),
    state: z.enum(['held', 'ended']).default('held'),
    ...atLedgerSize,
  }),
  topics: ['orgPolicies'],
  response: z.array(policy),
  paged: true,
});
export const exportPolicies = csvExportOf(listPolicies);
export type PoliciesQuery = z.output<typeof listPolicies.query>;

export const listPolicyKinds = endpoint({
  method: 'GET',
  path: '/v2/policies/kinds',
  summary: 'Lists the kinds of policies with the controls whose parameters they can set.',
  ...reading,
  response: z.array(kindDefinition),
});

export const getPoliciesStatus = endpoint({
  method: 'GET',
  path: '/v2/policies/status',
  summary: 'Lists the compliance of each active policy by the latest evaluations.',
  scope: 'organization',
  permission: 'read:policies-status',
  topics: ['orgPolicies'],
  response: z.array(policyStatus),
});

export const getPolicy = endpoint({
  method: 'GET',
  path: '/v2/policies/:policyId',
  summary: 'Returns a policy with all versions, newest first.',
  ...reading,
  params,
  topics: ['orgPolicies'],
  response: policy.extend({ versions: z.array(policyVersion) }),
});
export type PolicyDetail = z.output<typeof getPolicy.response>;

/** The requested content of a policy. */
const policyInput = {
  name: boundedText(200).trim().min(1, { error: 'must be the name of the policy' }),
  kind: policyKind,
  scope: policyScope,
  settings: policySettings,
  mode: policyMode,
};

export const createPolicy = endpoint({
  method: 'POST',
  path: '/v2/policies',
  summary:
    'Creates a policy. An enforced policy requires a simulation of the same rules first. A policy that weakens a control requires an approval.',
  ...writing,
  body: z.strictObject({ ...policyInput, mode: policyInput.mode.default('observe') }),
  status: 201,
  changes: ['orgPolicies'],
  response: policyOutcome,
  errors: ['conflict'],
});

export const updatePolicy = endpoint({
  method: 'PUT',
  path: '/v2/policies/:policyId',
  summary:
    'Creates the next version of a policy. It applies to activity from now on. A version that weakens a control requires an approval.',
  ...writing,
  params,
  body: z.strictObject({
    ...policyInput,
    /** The version on which the change is based. The server rejects it if a newer one exists. */
    version: z.number().int().min(1),
  }),
  changes: ['orgPolicies'],
  response: policyOutcome,
  errors: ['conflict'],
});

export const deletePolicy = endpoint({
  method: 'DELETE',
  path: '/v2/policies/:policyId',
  summary:
    'Archives a policy. Its versions are kept and apply to activity of the time they were active. If that weakens a control, it requires an approval.',
  ...deleting,
  params,
  changes: ['orgPolicies'],
  response: policyOutcome,
  errors: ['conflict'],
});

export const restorePolicy = endpoint({
  method: 'POST',
  path: '/v2/policies/:policyId/restore',
  summary: 'Restores an archived policy. If that weakens a control, it requires an approval.',
  ...writing,
  params,
  changes: ['orgPolicies'],
  response: policyOutcome,
  errors: ['conflict'],
});

const toolDecisions = ['approved', 'denied'] as const;
export type ToolDecision = (typeof toolDecisions)[number];
/** The kind of policy that contains each decision. */
export const policyKindOfDecision = { approved: 'tool-allow', denied: 'tool-deny' } as const satisfies Record<
  ToolDecision,
  PolicyKind
>;

/** What a decision about tools changed in a policy, which `revertToolDecisions` takes back. */
const decidedPolicy = z.strictObject({
  id: z.uuid(),
  /** The last version after the decision. */
  version: z.int().min(1),
  /** The version before; null for a new policy, equal to `version` for an archived one. */
  previousVersion: z.int().min(1).nullable(),
});
export type DecidedPolicy = z.infer<typeof decidedPolicy>;

export const decideAboutTools = endpoint({
  method: 'POST',
  path: '/v2/policies/tools/decide',
  summary:
    'Approves or denies tools in a policy, by ID or all that match filters, and ends contradicting decisions. Changes that weaken a control require an approval.',
  ...writing,
  body: z.strictObject({
    decision: z.enum(toolDecisions),
    tools: z.union([
      z.strictObject({ ids: z.array(policyTool.shape.id).min(1).max(MAX_POLICY_TOOLS) }),
      z.strictObject({
        filter: exportTools.body,
        /** The number of matching tools as seen by the user. The server rejects the request if it has changed. */
        total: z.int().min(1).max(MAX_POLICY_TOOLS),
      }),
    ]),
    versions: policyTool.shape.versions.default(null),
    /** Null: a new policy. Undefined: the first policy of the kind that is not enforced, or a new one. */
    policyId: z.uuid().nullable().optional(),
  }),
  changes: ['orgPolicies'],
  response: z.object({
    /** Tools with a new decision that applies. */
    decided: z.number(),
    /** Tools whose new decision applies after another person approved the change of the policy. */
    pending: z.number(),
    /** Tools that had the decision already. */
    unchanged: z.number(),
    /** Tools with a contradicting decision, which ends, if its end weakens a control after an approval. */
    overruled: z.number(),
    /** The name of the policy that contains the decision. */
    policy: z.string(),
    /** The applied changes of policies. */
    changes: z.array(decidedPolicy),
    /** The changes of policies that await an approval, one for each policy. */
    pendingChangeIds: z.array(z.uuid()),
  }),
  errors: ['conflict'],
});
export type ToolDecisionOutcome = z.output<typeof decideAboutTools.response>;

export const revertToolDecisions = endpoint({
  method: 'POST',
  path: '/v2/policies/tools/revert',
  summary:
    'Takes back a decision about tools: pending changes are withdrawn, and policies have their previous content in a new version. Changes that weaken a control require an approval.',
  ...writing,
  body: z.strictObject({
    changes: z.array(decidedPolicy).max(MAX_POLICIES),
    pendingChangeIds: z.array(z.uuid()).max(MAX_POLICIES).default([]),
  }),
  changes: ['orgPolicies'],
  response: z.object({
    /** Policies whose previous content applies after another person approved the change. */
    pending: z.number(),
  }),
  errors: ['not_found', 'conflict'],
});

/** The proposed policy, as it would be saved. */
const proposedPolicy = z.strictObject({ kind: policyKind, scope: policyScope, settings: policySettings });

const dryRunControl = z.object({
  control: controlId,
  title: z.string(),
  before: verdictCounts,
  after: verdictCounts,
  /** Rows whose verdict would change, or that would enter or leave the population. */
  changed: z.number(),
});

/** The last 30 days, evaluated with the current and with the proposed rules. It makes no prediction. */
const dryRun = z.object({
  id: z.string(),
  period: z.object({ from: timestamp, to: timestamp }),
  controls: z.array(dryRunControl),
  /** The first 100 rows that change, new failures first. */
  rows: z.array(
    z.object({
      control: controlId,
      subject: z.string(),
      /** Null: not in the population. */
      before: verdict.nullable(),
      after: verdict.nullable(),
      reasons: z.array(z.string()),
    }),
  ),
  madeAt: timestamp,
});
export type DryRun = z.infer<typeof dryRun>;

export const dryRunProposedPolicy = endpoint({
  method: 'POST',
  path: '/v2/policies/dry-run',
  summary: 'Simulates a new policy on the last 30 days.',
  ...writing,
  body: proposedPolicy,
  changes: [],
  response: dryRun,
});

export const dryRunPolicy = endpoint({
  method: 'POST',
  path: '/v2/policies/:policyId/dry-run',
  summary: 'Simulates a change of a policy on the last 30 days.',
  ...writing,
  params,
  body: proposedPolicy,
  changes: [],
  response: dryRun,
  errors: ['conflict'],
});
