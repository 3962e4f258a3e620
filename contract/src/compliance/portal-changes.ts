import { z } from 'zod';
import { endpoint } from '../core/endpoint.ts';
import { ofSnapshot, portalScope } from './auditor-portals.ts';
import { hostActivity, pathMatch } from './changes.ts';
import { verdict } from './controls.ts';

/** The pseudonym of a person: the end of the opaque ID that bundles contain. */
export const pseudonymOf = (person: string): string => `Person ${person.slice(-8)}`;

/** A person whom a page of a portal mentions. */
export const portalPerson = z.object({
  /** The opaque ID that the bundle contains. */
  id: z.string(),
  pseudonym: z.string(),
  /** The current name, which the bundle does not contain. Null: the portal has pseudonyms, or the data is deleted. */
  name: z.string().nullable(),
});
export type PortalPerson = z.infer<typeof portalPerson>;

const portalActor = z.object({
  /** Null: not resolved. */
  person: z.string().nullable(),
  kind: z.enum(['human', 'agent', 'unknown']),
  identity: z.enum(['resolved', 'guessed', 'erased', 'unresolved']),
});
export type PortalActorOfChange = z.infer<typeof portalActor>;

/** A part as the bundle states it; `value` null: missing. */
const fact = <Value extends z.ZodType>(value: Value) =>
  z.object({ state: z.enum(['complete', 'partial', 'missing']), value: value.nullable() });

const truth = z.enum(['yes', 'no', 'unknown']);

/** The chain of custody of a change. */
export const custody = z.object({
  authors: fact(z.array(portalActor)),
  sessionOwners: fact(z.array(portalActor)),
  ai: fact(z.array(z.object({ lines: z.number(), confidence: z.enum(['declared', 'observed', 'inferred']) }))),
  agents: fact(
    z.array(
      z.object({
        agent: z.string(),
        isDeclared: z.boolean(),
        /** Whether telemetry shows a session for the change; unknown: no telemetry of this agent was connected. */
        observed: truth,
        sessions: z.number().int(),
      }),
    ),
  ),
  headSha: fact(z.string()),
  lastPusher: fact(portalActor),
  earlierPushers: fact(z.array(portalActor)),
  unattestedCommits: fact(z.number()),
  lastPushAt: fact(z.string()),
  reviews: fact(
    z.array(
      z.object({
        id: z.string(),
        by: portalActor,
        verdict: z.enum(['approved', 'changes_requested', 'commented']),
        submittedAt: z.string(),
        isDismissed: truth,
        /** The reviewed commit; null: unknown. */
        commit: z.string().nullable(),
        isForHead: truth,
        wasMember: truth,
      }),
    ),
  ),
  unreviewedFiles: fact(z.number()),
  hostActivity: fact(hostActivity),
  requiredChecks: fact(z.array(z.string())),
  checks: fact(
    z.array(
      z.object({
        name: z.string(),
        sha: z.string(),
        conclusion: z.string().nullable(),
        completedAt: z.string().nullable(),
        isRequired: z.boolean(),
      }),
    ),
  ),
  sourceBranch: fact(z.string()),
  labels: fact(z.array(z.string())),
  tickets: fact(z.array(z.enum(['resolved', 'not_found', 'unreachable']))),
  linkedIssues: fact(z.number()),
  pathMatches: fact(z.array(pathMatch)),
  changedLines: fact(z.number()),
  configuredServers: fact(z.array(z.string())),
  mergeRequestedBy: fact(portalActor),
  mergedBy: fact(portalActor),
});
export type Custody = z.infer<typeof custody>;

/** A recorded action; `by` null: the scheduler or the operator. */
const action = z.object({ entry: z.number().int(), at: z.string(), by: z.string().nullable() });
export type PortalAction = z.infer<typeof action>;
const outcome = action.extend({ as: z.string() });

const custodyResult = z.object({
  control: z.string(),
  title: z.string(),
  /** Position of the row in the evidence file, from 0. */
  position: z.number().int(),
  verdict,
  explanations: z.array(
    z.object({ code: z.string(), text: z.string(), about: z.string().nullable(), remedy: z.string().nullable() }),
  ),
  /** The version of the parameters that applied; 0 for the defaults. */
  setting: z.number().int(),
  /** The ledger entry of the evaluation. */
  entry: z.number().int(),
});

export const getPortalChange = endpoint({
  method: 'GET',
  path: '/v2/portal/:portalId/snapshots/:snapshotId/changes/:entry',
  summary: 'Returns the chain of custody of a change as in the bundle of a snapshot.',
  ...portalScope,
  params: ofSnapshot.extend({ entry: z.coerce.number().int().min(0).max(999_999_999_999) }),
  response: z.object({
    /** Index of its ledger entry, and the number of hashes in the inclusion proof. */
    entry: z.number().int(),
    proof: z.number().int(),
    asOf: z.string(),
    receivedAt: z.string(),
    source: z.string(),
    /** Disclosed title; null: withheld, or nothing to disclose. */
    title: z.string().nullable(),
    /** The name of the repository; null: not in the bundle. */
    repository: z.string().nullable(),
    /** The fields that the entry contains in plain text. */
    subject: z.record(z.string(), z.unknown()),
    /** The parts that the entry contains the hash of, each with its completeness. */
    parts: custody,
    /** Everyone mentioned in the response. */
    people: z.array(portalPerson),
    /** The entries of all versions of the record in the bundle, oldest first. */
    versions: z.array(
      z.object({
        entry: z.number().int(),
        version: z.number().int(),
        receivedAt: z.string(),
        proof: z.number().int(),
      }),
    ),
    /** Scans of the change; null: SCN-01 did not evaluate it. */
    scans: fact(
      z.array(z.object({ sha: z.string(), finishedAt: z.string(), state: z.enum(['ok', 'failed']) })),
    ).nullable(),
    results: z.array(custodyResult),
    /** Waivers about the change. */
    waivers: z.array(
      z.object({
        control: z.string(),
        requested: action.nullable(),
        decided: outcome.nullable(),
        ended: outcome.nullable(),
        until: z.string(),
      }),
    ),
    /** What was done about failures of the change, in words. */
    remediations: z.array(z.object({ control: z.string(), result: z.string(), entries: z.array(z.number().int()) })),
    /** Versions of policies for this repository that were in force at the merge. */
    policies: z.array(
      z.object({
        id: z.string(),
        name: z.string(),
        version: z.number().int(),
        mode: z.string(),
        made: action.nullable(),
        ended: action.nullable(),
      }),
    ),
    /** The signed evidence: the text of the entry, its inclusion proof in base64, and the checkpoint. */
    inclusion: z.object({ entry: z.string(), proof: z.array(z.string()), checkpoint: z.string() }),
  }),
  errors: ['conflict'],
});

export const exportPortalPeople = endpoint({
  method: 'GET',
  path: '/v2/auditor-portals/:portalId/people',
  summary: 'Exports the key of the pseudonyms in an auditor portal as CSV. The export is recorded in the audit log.',
  scope: 'organization',
  permission: 'read:evidence',
  params: ofSnapshot.omit({ snapshotId: true }),
  response: z.string(),
  file: ['text/csv'],
  cost: 'export',
  errors: ['conflict'],
});
