import { z } from 'zod';
import { type ControlId, controlId } from '../core/control-ids.ts';
import { endpoint } from '../core/endpoint.ts';
import { pagedQuery } from '../core/paging.ts';
import { commaList, instant, text } from '../core/text.ts';
import { controlDefinition, controlSetting, controlStatus, verdict, verdictCounts } from './controls.ts';

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

/** The controls whose parameters a policy of a kind may set. Nothing sets those of the ledger's own control. */
export const controlsOfKind: Readonly<Record<PolicyKind, readonly ControlId[]>> = {
  merge: ['CHG-01', 'CHG-02', 'CHG-03', 'CHG-04', 'CHG-05', 'CHG-06'],
  'scan-freshness': ['SCN-01', 'SCN-02'],
  sla: ['VUL-01', 'VUL-02'],
  'tool-allow': ['TOL-01'],
  'tool-deny': ['TOL-01'],
  'ai-provenance': ['AI-01'],
  'access-review': ['ACC-02'],
  digest: ['DIG-01'],
};

/** `observe` counts, `warn` tells people too, `enforce` also sets a status that the code host's protection can ask for. */
export const policyMode = z.enum(['observe', 'warn', 'enforce']);
export type PolicyMode = z.infer<typeof policyMode>;

/** The most policies an organization can have at a time. */
export const mostPolicies = 200;
/** How far back a dry run looks. */
export const dryRunDays = 30;
/** For how long what a dry run said lets a policy be enforced. */
export const dryRunHours = 24;

/** Of tools: they are named in the scope. */
export const isToolKind = (kind: PolicyKind): boolean => kind === 'tool-allow' || kind === 'tool-deny';
/** Whether a policy can be about some repositories only. Tools and members belong to the organization as a whole. */
export const takesRepositories = (kind: PolicyKind): boolean => !isToolKind(kind) && kind !== 'access-review';

/** A tool of the inventory, in versions that fit one of the patterns; null: in all. */
const policyTool = z.strictObject({
  id: text(300).min(1),
  versions: z.array(text(200).min(1)).min(1).max(50).nullable(),
});
export type PolicyTool = z.infer<typeof policyTool>;

/** What a policy is about: named repositories, or all; branches beside the default one, as patterns; of tools, which. */
export const policyScope = z.strictObject({
  repositories: z.array(z.uuid()).min(1).max(1000).nullable(),
  branches: z.array(text(200).min(1)).max(50),
  /** Of the kinds about tools at least one, of others none. */
  tools: z.array(policyTool).max(500).default([]),
});
export type PolicyScope = z.infer<typeof policyScope>;

const policySettings = z.partialRecord(controlId, controlSetting);
export type PolicySettings = z.infer<typeof policySettings>;

/** One version of a policy. A change is a new version, and taking a policy away ends its last one. */
export const policyVersion = z.object({
  id: z.uuid(),
  version: z.number().int().min(1),
  name: text(200),
  kind: policyKind,
  scope: policyScope,
  /** What it sets, by control. */
  settings: policySettings,
  mode: policyMode,
  from: instant,
  /** Null: it holds on. */
  until: instant.nullable(),
  author: z.object({ id: z.string(), name: z.string() }),
});
export type PolicyVersion = z.infer<typeof policyVersion>;

/** The version of a policy that holds, or held last, with those of its repositories that the asking person sees. */
export const policy = policyVersion.extend({
  /** Up to ten of `scope.repositories`, by name. */
  repositories: z.array(z.object({ id: z.string(), fullName: z.string() })),
  /** What the asking person may do with it. */
  allowed: z.object({ change: z.boolean(), delete: z.boolean(), restore: z.boolean() }),
});
export type Policy = z.infer<typeof policy>;

/** Kinds in words, with what each can set. */
const kindDefinition = z.object({
  kind: policyKind,
  controls: z.array(controlDefinition.pick({ id: true, title: true, rule: true, parameters: true })),
});
export type PolicyKindDefinition = z.infer<typeof kindDefinition>;

/** What the newest run of each of its controls says of what a policy is about; empty counts where none ran yet. */
const policyStatus = z.object({
  policyId: z.string(),
  /** Null until a control of it ran. */
  status: controlStatus.nullable(),
  counts: verdictCounts,
  controls: z.array(z.object({ control: controlId, status: controlStatus, counts: verdictCounts, runAt: instant })),
});
export type PolicyStatus = z.infer<typeof policyStatus>;

const reading = { scope: 'organization', permission: 'read:policies' } as const;
const writing = { scope: 'organization', permission: 'write:policies' } as const;
const deleting = { scope: 'organization', permission: 'delete:policies' } as const;
const params = z.strictObject({ policyId: z.uuid() });

export const listPolicies = endpoint({
  method: 'GET',
  path: '/v2/policies',
  summary: 'Lists the active or the archived policies.',
  ...reading,
  query: pagedQuery(['name-asc', 'name-desc', 'date-desc', 'date-asc'], {
    kinds: commaList(policyKind),
    modes: commaList(policyMode),
    state: z.enum(['held', 'ended']).default('held'),
  }),
  topics: ['orgPolicies'],
  response: z.array(policy),
  paged: true,
});
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

/** What somebody wants a policy to be. */
const wanted = {
  name: text(200).trim().min(1, { error: 'must be the name of the policy' }),
  kind: policyKind,
  scope: policyScope,
  settings: policySettings,
  mode: policyMode,
};

export const createPolicy = endpoint({
  method: 'POST',
  path: '/v2/policies',
  summary: 'Creates a policy. An enforced policy requires a simulation of the same rules first.',
  ...writing,
  body: z.strictObject({ ...wanted, mode: wanted.mode.default('observe') }),
  status: 201,
  changes: ['orgPolicies'],
  response: policy,
  errors: ['conflict'],
});

export const updatePolicy = endpoint({
  method: 'PUT',
  path: '/v2/policies/:policyId',
  summary: 'Creates the next version of a policy. It applies to activity from now on.',
  ...writing,
  params,
  body: z.strictObject({
    ...wanted,
    /** The one it was made from: refused where there is a newer one. */
    version: z.number().int().min(1),
  }),
  changes: ['orgPolicies'],
  response: policy,
  errors: ['conflict'],
});

export const deletePolicy = endpoint({
  method: 'DELETE',
  path: '/v2/policies/:policyId',
  summary: 'Archives a policy. Its versions are kept and apply to activity of the time they were active.',
  ...deleting,
  params,
  status: 204,
  changes: ['orgPolicies'],
  response: z.null(),
  errors: ['conflict'],
});

export const restorePolicy = endpoint({
  method: 'POST',
  path: '/v2/policies/:policyId/restore',
  summary: 'Restores an archived policy.',
  ...writing,
  params,
  changes: ['orgPolicies'],
  response: policy,
  errors: ['conflict'],
});

/** What is tried: as it would be saved. */
const tried = z.strictObject({ kind: policyKind, scope: policyScope, settings: policySettings });

const dryRunControl = z.object({
  control: controlId,
  title: z.string(),
  before: verdictCounts,
  after: verdictCounts,
  /** Rows whose verdict would be another, or that would come into the population or leave it. */
  changed: z.number(),
});

/** The last 30 days evaluated by what holds now, and again as if what is tried had held. Says nothing of the days to come. */
const dryRun = z.object({
  id: z.string(),
  period: z.object({ from: instant, to: instant }),
  controls: z.array(dryRunControl),
  /** The first hundred that change, those that would become exceptions first. */
  rows: z.array(
    z.object({
      control: controlId,
      subject: z.string(),
      /** Null: it would not be evaluated. */
      before: verdict.nullable(),
      after: verdict.nullable(),
      reasons: z.array(z.string()),
    }),
  ),
  madeAt: instant,
});
export type DryRun = z.infer<typeof dryRun>;

export const tryPolicy = endpoint({
  method: 'POST',
  path: '/v2/policies/dry-run',
  summary: 'Simulates a new policy on the last 30 days.',
  ...writing,
  body: tried,
  changes: [],
  response: dryRun,
});

export const dryRunPolicy = endpoint({
  method: 'POST',
  path: '/v2/policies/:policyId/dry-run',
  summary: 'Simulates a change of a policy on the last 30 days.',
  ...writing,
  params,
  body: tried,
  changes: [],
  response: dryRun,
  errors: ['conflict'],
});
