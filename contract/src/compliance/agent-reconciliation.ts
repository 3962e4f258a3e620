import { z } from 'zod';
import { csvExportOf } from '../core/csv-export.ts';
import { endpoint } from '../core/endpoint.ts';
import { pagedQuery } from '../core/paging.ts';
import { period } from '../core/periods.ts';
import { provider } from '../core/providers.ts';
import { boundedText, commaList, timestamp } from '../core/text.ts';
import { trendDaysQuery } from '../core/trends.ts';
import { changePerson } from './changes.ts';
import { verdict } from './controls.ts';
import { policyMode } from './policies.ts';

/**
 * Declarations of an agent in a change, compared with its telemetry. `missing_evidence`: no telemetry is connected, or
 * the declarations could not be read.
 */
export const reconciliationStatuses = [
  'declared_and_observed',
  'declared_only',
  'observed_only',
  'neither',
  'missing_evidence',
] as const;
export const reconciliationStatus = z.enum(reconciliationStatuses);
export type ReconciliationStatus = z.infer<typeof reconciliationStatus>;

/** What joins a session to a change. */
export const sessionJoins = ['session_id', 'commit', 'branch', 'file', 'time'] as const;
export type SessionJoinName = (typeof sessionJoins)[number];

/** `low`: by time alone, which does not count as observed. */
const confidence = z.enum(['high', 'medium', 'low']);
export type JoinConfidence = z.infer<typeof confidence>;

/** Of the observed sessions that the reader may see. */
const costs = {
  sessions: z.number().int(),
  sessionsWithoutCost: z.number().int(),
  /** In US dollars, as the agents compute it; null: no session reported one. */
  cost: z.number().nullable(),
};

const reconciledAgent = z.object({
  change: z.object({
    id: z.string(),
    repository: z.object({ id: z.string(), provider, fullName: z.string() }),
    branch: z.string(),
    /** Number of the pull request; null for a direct push. */
    number: z.number().int().nullable(),
    title: z.string().nullable(),
    mergeSha: z.string().nullable(),
    mergedAt: timestamp,
  }),
  /** Null: the change has neither a declared nor an observed agent. */
  agent: z.string().nullable(),
  status: reconciliationStatus,
  missing: z.enum(['telemetry', 'declarations']).nullable(),
  models: z.array(z.string()),
  /** Authors, and people of observed sessions. */
  people: z.array(changePerson),
  joins: z.array(z.enum(sessionJoins)),
  /** Of the most certain session; null without one. */
  confidence: confidence.nullable(),
  ...costs,
});
export type ReconciledAgent = z.infer<typeof reconciledAgent>;

/** A name without spaces, such as of a model. */
const word = boundedText(200);
const reader = { scope: 'organization', permission: 'read:events' } as const;
const filters = {
  status: commaList(reconciliationStatus),
  agent: commaList(word),
  model: commaList(word),
  person: commaList(z.uuid()),
  repository: commaList(z.uuid()),
  period: period.optional(),
};

export const listReconciledAgents = endpoint({
  method: 'GET',
  path: '/v2/agent-reconciliation',
  summary: 'Lists the agents of merged changes: declared, observed, both, neither, or without evidence.',
  ...reader,
  query: pagedQuery(['date-desc', 'date-asc'], filters),
  topics: ['orgRepos', 'orgAgents'],
  response: z.array(reconciledAgent),
  paged: true,
});
export type ReconciledAgentsQuery = z.output<typeof listReconciledAgents.query>;

export const exportReconciledAgents = csvExportOf(listReconciledAgents);

const option = z.object({ id: z.string(), name: z.string() });

export const getReconciliationFilters = endpoint({
  method: 'GET',
  path: '/v2/agent-reconciliation/filters',
  summary: 'Lists the agents, models, people and repositories of the visible reconciled changes.',
  ...reader,
  topics: ['orgRepos', 'orgAgents'],
  response: z.object({
    agents: z.array(z.string()),
    models: z.array(z.string()),
    people: z.array(option),
    repositories: z.array(option),
  }),
});

export const reconciliationGroups = ['agent', 'model', 'person'] as const;
export type ReconciliationGroupKind = (typeof reconciliationGroups)[number];

const counts = z.record(reconciliationStatus, z.number().int());

const reconciliationGroup = z.object({
  /** The name of an agent or model, or the ID of a person. */
  key: z.string(),
  name: z.string(),
  counts,
  /** Changes with an observed session. */
  changes: z.number().int(),
  ...costs,
});
export type ReconciliationGroup = z.infer<typeof reconciliationGroup>;

export const listReconciliationGroups = endpoint({
  method: 'GET',
  path: '/v2/agent-reconciliation/groups',
  summary:
    'Counts the agents of changes of a period, or of the last 90 days, by agent, model or person, with their cost.',
  ...reader,
  query: pagedQuery(['changes-desc', 'changes-asc'], { by: z.enum(reconciliationGroups).default('agent'), ...filters }),
  topics: ['orgRepos', 'orgAgents'],
  response: z.array(reconciliationGroup),
  paged: true,
});
export const exportReconciliationGroups = csvExportOf(listReconciliationGroups);
export type ReconciliationGroupsQuery = z.output<typeof listReconciliationGroups.query>;

export const getReconciliationTrend = endpoint({
  method: 'GET',
  path: '/v2/agent-reconciliation/trend',
  summary: 'Returns the agents of merged changes by week and status with the cost per change, for 30 or 90 days.',
  ...reader,
  query: z.strictObject({ days: trendDaysQuery, ...filters }).omit({ status: true, period: true }),
  topics: ['orgRepos', 'orgAgents'],
  response: z.object({
    /** By the Monday of the week of the merge (UTC), oldest first. */
    points: z.array(z.object({ day: z.iso.date(), counts, changes: z.number().int(), ...costs })),
  }),
});
export type ReconciliationTrend = z.output<typeof getReconciliationTrend.response>;

const joinedSession = z.object({
  id: z.string(),
  /** False: it expired, or the reader may not see it. */
  isOpenable: z.boolean(),
  agent: z.string(),
  person: changePerson.nullable(),
  models: z.array(z.string()),
  joins: z.array(z.enum(sessionJoins)),
  confidence,
  cost: z.number().nullable(),
  /** How many other changes it is joined to with more than low confidence. */
  otherChanges: z.number().int(),
  firstAt: timestamp,
  lastAt: timestamp,
});

export const getChangeAgents = endpoint({
  method: 'GET',
  path: '/v2/changes/:id/agents',
  summary: 'Returns the agents of a change: declared, observed, and the sessions that are joined to it.',
  ...reader,
  params: z.strictObject({ id: z.uuid() }),
  topics: ['orgRepos', 'orgAgents', 'orgPolicies'],
  response: z.object({
    /** Empty: the change was recorded before agents were reconciled. */
    agents: z.array(
      z.object({
        agent: z.string().nullable(),
        status: reconciliationStatus,
        missing: z.enum(['telemetry', 'declarations']).nullable(),
        models: z.array(z.string()),
        /** MCP servers whose tools the observed sessions called; null: unknown. */
        mcpServers: z.array(z.string()).nullable(),
        sessions: z.array(joinedSession),
        /** Sessions of others, which only they and roles that see all sessions may see. */
        hiddenSessions: z.number().int(),
      }),
    ),
    ...costs,
    /** Commit messages that contain links to agent sessions, which Sightline never requests. */
    sessionLinks: z.number().int(),
    /** The result of AI-01 by the policy at the merge. Null: it does not concern the change. */
    policy: z
      .object({
        verdict,
        explanations: z.array(
          z.object({ code: z.string(), text: z.string(), about: z.string().nullable(), remedy: z.string().nullable() }),
        ),
        /** Null: the defaults, or several policies combined. */
        policy: z.object({ id: z.string(), version: z.number().int(), name: z.string(), mode: policyMode }).nullable(),
        rules: z.object({
          agents: z.array(z.string()),
          models: z.array(z.string()),
          mcpServers: z.array(z.string()),
          approvals: z.number().int(),
          unreviewedLines: z.number().int(),
          protectedPaths: z.array(z.string()),
        }),
      })
      .nullable(),
    /** Sources of the MCP servers in the agent configuration that the change adds or modifies; null: unknown. */
    configuredServers: z.array(z.string()).nullable(),
  }),
  errors: ['not_found'],
});
export type ChangeAgents = z.output<typeof getChangeAgents.response>;
