import { z } from 'zod';
import { csvExportOf } from '../core/csv-export.ts';
import { endpoint } from '../core/endpoint.ts';
import { atLedgerSize, recordedRow } from '../core/ledger-sizes.ts';
import { pagedQuery } from '../core/paging.ts';
import { provider } from '../core/providers.ts';
import { commaList, timestamp } from '../core/text.ts';
import { trendDaysQuery } from '../core/trends.ts';
import { trackerName } from '../sources/trackers.ts';

/** How a change reached its branch. */
export const mergeMethods = ['pull_request', 'merge_queue', 'direct_push', 'unknown'] as const;
export const mergeMethod = z.enum(mergeMethods);
export type MergeMethod = z.infer<typeof mergeMethod>;

/** Whether an independent reviewer approved the change after the last push; `unknown`: required facts are missing. */
export const changeApproval = z.enum(['yes', 'no', 'unknown']);
export type ChangeApproval = z.infer<typeof changeApproval>;

/** Why a part of a change record is missing. */
export const missingReason = z.enum([
  'permission',
  'deleted',
  'unreachable',
  'too_large',
  'unsupported',
  'not_requested',
  'unverifiable',
]);
export type MissingReason = z.infer<typeof missingReason>;

export const hostActivity = z.enum([
  'pull_request_merge',
  'merge_queue_merge',
  'push',
  'forced_push',
  'branch_creation',
  'not_reported',
]);
export type HostActivityName = z.infer<typeof hostActivity>;

/** The parts of a record, in the order of the chain of custody. */
export const changeParts = [
  'authors',
  'sessionOwners',
  'ai',
  'headSha',
  'lastPusher',
  'earlierPushers',
  'unattestedCommits',
  'lastPushAt',
  'reviews',
  'unreviewedFiles',
  'hostActivity',
  'requiredChecks',
  'checks',
  'sourceBranch',
  'labels',
  'tickets',
  'namedTickets',
  'linkedIssues',
  'pathMatches',
  'changedLines',
  'configuredServers',
  'mergeRequestedBy',
  'mergedBy',
] as const;
export const changePart = z.enum(changeParts);
export type ChangePartName = z.infer<typeof changePart>;

/** A person, as far as identified. `id` is opaque; `name` is null if the person was erased or never resolved. */
export const changePerson = z.object({
  id: z.string().nullable(),
  name: z.string().nullable(),
  avatarUrl: z.string().nullable(),
  kind: z.enum(['human', 'agent', 'unknown']),
  identity: z.enum(['resolved', 'guessed', 'erased', 'unresolved']),
});
export type ChangePerson = z.infer<typeof changePerson>;

/** A pattern of protected files. */
export const pathMatch = z.object({ pattern: z.string(), isTouched: z.boolean() });

/** A ticket as it was at the merge, and where it is now. */
export const namedTicket = z.object({
  key: z.string(),
  tracker: trackerName.nullable(),
  state: z.enum(['resolved', 'not_found', 'created_later', 'unreachable']),
  type: z.string().nullable(),
  /** Null: unknown. */
  status: z.string().nullable(),
  /** Null: it had none, or unknown. */
  assignee: changePerson.nullable(),
  /** Null: never found. `missing`: deleted or hidden since. `key`: the present key, after moves. */
  now: z.object({ state: z.enum(['present', 'missing']), key: z.string(), url: z.string() }).nullable(),
});
export type NamedTicketView = z.infer<typeof namedTicket>;

/** A part with its completeness. `value` is null if the part is missing, or if there was no such person. */
const part = <Value extends z.ZodType>(value: Value) =>
  z.object({
    state: z.enum(['complete', 'partial', 'missing']),
    reason: missingReason.nullable(),
    fetchedAt: timestamp,
    value: value.nullable(),
  });

export const changeItem = z.object({
  id: z.string(),
  version: z.number().int(),
  repository: z.object({ id: z.string(), provider, fullName: z.string() }),
  branch: z.string(),
  isDefaultBranch: z.boolean(),
  mergeMethod: mergeMethod,
  /** Number of the pull request; null for a direct push. */
  number: z.number().int().nullable(),
  title: z.string().nullable(),
  /** Address of the pull request or commit on the code host. */
  url: z.string().nullable(),
  mergedAt: timestamp,
  mergeSha: z.string().nullable(),
  headSha: z.string().nullable(),
  authors: z.array(changePerson),
  mergedBy: changePerson.nullable(),
  approval: changeApproval,
  /** Whether an agent is known to have contributed to the change. */
  hasAgent: z.boolean(),
  missing: z.array(changePart),
  recorded: recordedRow.optional(),
});
export type ChangeItem = z.infer<typeof changeItem>;

const truth = z.enum(['yes', 'no', 'unknown']);

export const changeReview = z.object({
  id: z.string(),
  by: changePerson,
  verdict: z.enum(['approved', 'changes_requested', 'commented']),
  submittedAt: timestamp,
  /** When the review was dismissed or withdrawn; null if it was not, or the time is unknown. */
  dismissedAt: timestamp.nullable(),
  isDismissed: truth,
  /** The reviewed commit; null if the code host does not record it, or it was lost. */
  commit: z.string().nullable(),
  isForHead: truth,
  wasMember: truth,
});
export type ChangeReview = z.infer<typeof changeReview>;

/** The branch protection; a setting is null if the code host did not permit reading it. */
export const protectionSnapshot = z.object({
  id: z.string(),
  capturedAt: timestamp,
  trigger: z.enum(['webhook', 'merge', 'poll']),
  state: z.enum(['read', 'none', 'forbidden']),
  requiredReviews: z.number().int().nullable(),
  dismissesStaleReviews: z.boolean().nullable(),
  allowsForcePush: z.boolean().nullable(),
  allowsDeletion: z.boolean().nullable(),
  includesAdmins: z.boolean().nullable(),
  requiredChecks: z.array(z.string()).nullable(),
  /** The required checks that only one app of the code host may report, by its ID. */
  requiredApps: z.array(z.object({ name: z.string(), app: z.string() })).nullable(),
});

export const changeVersion = z.object({
  version: z.number().int(),
  recordedAt: timestamp,
  cause: z.enum(['merge', 'push', 'review', 'check', 'identity', 'retry', 'reconcile', 'session', 'ticket']),
  approval: changeApproval,
  missing: z.array(changePart),
  /** Its ledger entry and index; null while the entry is pending. */
  entryId: z.string(),
  leaf: z.number().int().nullable(),
});

/** The commits of a direct push. */
export const changeCommit = z.object({
  sha: z.string(),
  message: z.string().nullable(),
  authoredAt: timestamp.nullable(),
  url: z.string(),
});

/**
 * Who attributed a contribution to an agent: a Git note, a trace, a commit trailer, the commit account, or an editor.
 */
export const attributionSource = z.enum(['git-ai', 'agent-trace', 'trailer', 'host', 'editor']);
export type AttributionSource = z.infer<typeof attributionSource>;
const attributionConfidence = z.enum(['declared', 'observed', 'inferred']);

/** Attribution of the change to agents. It is not versioned: recorded attributions do not change. */
export const attribution = z.object({
  agents: z.array(
    z.object({
      agent: z.string(),
      model: z.string().nullable(),
      source: attributionSource,
      confidence: attributionConfidence,
      /** Whether the source names an earlier commit, from which these were made by a rebase, squash or cherry-pick. */
      carried: z.boolean(),
      commits: z.number().int(),
      /** Attributed files and lines; 0 if only commits are attributed. */
      files: z.number().int(),
      lines: z.number().int(),
    }),
  ),
  /** At most 100 files, those with most lines first. `lines` counts each line once. */
  files: z.array(
    z.object({
      path: z.string(),
      lines: z.number().int(),
      /** Line numbers at the given commit, from 1, both ends inclusive. At most 50 ranges. */
      ranges: z.array(
        z.object({
          from: z.number().int(),
          to: z.number().int(),
          commit: z.string(),
          agent: z.string(),
          confidence: attributionConfidence,
        }),
      ),
    }),
  ),
  /** Total number of files. */
  fileCount: z.number().int(),
  /** Lines added by the change that are attributed to an agent with certainty; null if either number is unknown. */
  share: z.object({ lines: z.number().int(), of: z.number().int() }).nullable(),
  sources: z.array(
    z.object({
      source: attributionSource,
      readAt: timestamp,
      records: z.number().int(),
      malformed: z.number().int(),
      /** Records that name no commit. */
      unmatched: z.number().int(),
      /** Number of records beyond the accepted maximum. */
      dropped: z.number().int(),
      /** Number of attributed lines that their commit does not add, and that were not attributed. */
      foreign: z.number().int(),
    }),
  ),
});
export type Attribution = z.infer<typeof attribution>;

export const change = changeItem.extend({
  /** The reasons for the approval status, in words. */
  approvalReasons: z.array(
    z.object({ code: z.string(), text: z.string(), about: z.string().nullable(), remedy: z.string().nullable() }),
  ),
  commits: z.array(changeCommit),
  parts: z.object({
    authors: part(z.array(changePerson)),
    sessionOwners: part(z.array(changePerson)),
    ai: part(z.array(z.object({ lines: z.number(), confidence: z.enum(['declared', 'observed', 'inferred']) }))),
    headSha: part(z.string()),
    lastPusher: part(changePerson),
    /** Who pushed to the branch of the pull request before the last push. */
    earlierPushers: part(z.array(changePerson)),
    /** Number of commits that a program pushed, without a verified signature. */
    unattestedCommits: part(z.number().int()),
    lastPushAt: part(timestamp),
    reviews: part(z.array(changeReview)),
    /** Number of files that the merged commit changes and the pull request does not. */
    unreviewedFiles: part(z.number().int()),
    /** What the activity list of the code host names the push that brought the commit to the branch. */
    hostActivity: part(hostActivity),
    requiredChecks: part(z.array(z.string())),
    checks: part(
      z.array(
        z.object({
          name: z.string(),
          /** ID of the app that reported it; null: a commit status, or the code host does not tell. */
          app: z.string().nullable(),
          sha: z.string(),
          conclusion: z.string().nullable(),
          completedAt: timestamp.nullable(),
          isRequired: z.boolean(),
        }),
      ),
    ),
    sourceBranch: part(z.string()),
    labels: part(z.array(z.string())),
    tickets: part(z.array(z.enum(['resolved', 'not_found', 'unreachable']))),
    /** Tickets that the pull request names, as they were at the merge. Missing in records of earlier versions. */
    namedTickets: part(z.array(namedTicket)),
    linkedIssues: part(z.number().int()),
    /** Whether the change touches files that match patterns of policies. */
    pathMatches: part(z.array(pathMatch)),
    /** Number of added and deleted lines. */
    changedLines: part(z.number().int()),
    /** Sources of the MCP servers in the agent configuration that the change adds or modifies. */
    configuredServers: part(z.array(z.string())),
    mergeRequestedBy: part(changePerson),
    mergedBy: part(changePerson),
  }),
  protection: protectionSnapshot.nullable(),
  attribution,
  /**
   * New and closed findings per scanner: its scan of the merged commit, otherwise of the head commit, compared with the
   * previous scan of the same ref. Null without permission to read vulnerabilities.
   */
  scans: z
    .object({
      runs: z.array(
        z.object({
          tool: z.object({ id: z.string(), name: z.string() }),
          on: z.enum(['merge', 'head']),
          commit: z.string(),
          ref: z.string(),
          finishedAt: timestamp,
          added: z.number().int(),
          closed: z.number().int(),
          /** The commit of the previous scan; null for the first. */
          since: z.string().nullable(),
          /** Whether the previous scan covers the base of the change. Otherwise the counts include other changes. */
          isSinceBase: z.boolean(),
        }),
      ),
      /** Why there are no scans. */
      reason: z.enum(['no_scanner', 'no_run', 'failed']).nullable(),
    })
    .nullable(),
  /** Newest first. */
  versions: z.array(changeVersion),
});
export type Change = z.infer<typeof change>;

export const listChanges = endpoint({
  method: 'GET',
  path: '/v2/changes',
  summary: 'Lists merges and direct pushes to branches in scope by their latest record, now or at a ledger size.',
  scope: 'organization',
  permission: 'read:events',
  query: pagedQuery(['date-desc', 'date-asc'], {
    ...atLedgerSize,
    repository: z.uuid().optional(),
    mergeMethod: commaList(mergeMethod),
    approval: commaList(changeApproval),
    /** Only changes with contributions by this person, by opaque ID. */
    author: z.uuid().optional(),
    /** Only changes with agent contributions, or with missing parts. */
    only: commaList(z.enum(['agent', 'missing'])),
    from: timestamp.optional(),
    to: timestamp.optional(),
  }),
  topics: ['orgRepos'],
  response: z.array(changeItem),
  paged: true,
});
export type ChangesQuery = z.output<typeof listChanges.query>;

export const exportChanges = csvExportOf(listChanges);

export const getApprovalTrend = endpoint({
  method: 'GET',
  path: '/v2/changes/approval-trend',
  summary: 'Returns merges by week and independent approval, for 30 or 90 days.',
  scope: 'organization',
  permission: 'read:events',
  query: z.strictObject({ days: trendDaysQuery, repository: z.uuid().optional() }),
  topics: ['orgRepos'],
  response: z.object({
    /** Merges by the Monday of their week (UTC), oldest first, by `approval` of the list of changes. Without direct pushes. */
    points: z.array(z.object({ day: z.iso.date(), yes: z.number(), no: z.number(), unknown: z.number() })),
  }),
});
export type ApprovalTrend = z.output<typeof getApprovalTrend.response>;

const params = z.strictObject({ id: z.uuid() });

export const getChange = endpoint({
  method: 'GET',
  path: '/v2/changes/:id',
  summary: 'Returns the record of a change with the source of each part and all versions.',
  scope: 'organization',
  permission: 'read:events',
  params,
  /** Without a version, the latest. */
  query: z.strictObject({ version: z.coerce.number().int().min(1).max(1_000_000).optional() }),
  topics: ['orgRepos'],
  response: change,
  errors: ['not_found'],
});

/** A signed in-toto statement as a DSSE envelope. `payload` and `sig` are base64, `keyid` is the ID of a signing key. */
const dsseEnvelope = z.object({
  payload: z.string(),
  payloadType: z.literal('application/vnd.in-toto+json'),
  signatures: z.array(z.object({ keyid: z.string(), sig: z.string() })),
});

/** The path, outside `/api`, of the policy that SLSA statements name: canonical JSON. */
export const sourcePolicyPath = '/.well-known/sightline/slsa-source-policy.json';

const sourceReason = z.object({ code: z.string(), text: z.string() });

/** The SLSA source level of the revision of a change, with the requirements that it follows from. */
const sourceLevel = z.object({
  /** The merged commit; null if unknown. Then there is no statement. */
  revision: z.string().nullable(),
  /** 0 to 4. */
  level: z.number().int(),
  /** `FAILED`: the change certainly lacks a review or a check that the branch protection required at its merge. */
  result: z.enum(['PASSED', 'FAILED']),
  verifiedLevels: z.array(z.string()),
  violations: z.array(sourceReason),
  requirements: z.array(
    z.object({
      /** The anchor of the requirement in the SLSA specification. */
      id: z.string(),
      level: z.number().int(),
      title: z.string(),
      fact: z.string(),
      state: z.enum(['met', 'unmet', 'unknown']),
      reasons: z.array(sourceReason),
    }),
  ),
  /** The revision since which each control is continuously in force; `since` null: it is not. */
  controls: z.array(
    z.object({
      control: z.enum(['history', 'tags', 'technical', 'review']),
      since: z
        .object({
          revision: z.string().nullable(),
          at: timestamp,
          /** Whether it may have been in force longer: only the last 200 pushes are examined. */
          isBounded: z.boolean(),
        })
        .nullable(),
    }),
  ),
});
export type SourceLevel = z.infer<typeof sourceLevel>;

const sourceEndpoint = {
  method: 'GET',
  scope: 'organization',
  permission: 'read:events',
  params,
  errors: ['not_found'],
} as const;

export const getChangeSourceLevel = endpoint({
  ...sourceEndpoint,
  path: '/v2/changes/:id/source-level',
  summary: 'Returns the SLSA source level of a change, requirement by requirement.',
  topics: ['orgRepos'],
  response: sourceLevel,
});

export const getChangeVsa = endpoint({
  ...sourceEndpoint,
  path: '/v2/changes/:id/vsa',
  summary: 'Returns the SLSA verification summary attestation of a change as a signed DSSE envelope.',
  response: dsseEnvelope,
  errors: ['not_found', 'conflict'],
});

export const getChangeProvenance = endpoint({
  ...sourceEndpoint,
  path: '/v2/changes/:id/source-provenance',
  summary: 'Returns the source provenance of a change, on which its SLSA level is based, as a signed DSSE envelope.',
  response: dsseEnvelope,
  errors: ['not_found', 'conflict'],
});
