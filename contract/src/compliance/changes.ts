import { z } from 'zod';
import { endpoint } from '../core/endpoint.ts';
import { pagedQuery } from '../core/paging.ts';
import { provider } from '../core/providers.ts';
import { commaList, instant, text } from '../core/text.ts';

/** How a change got into its branch. */
export const mergeMethods = ['pull_request', 'merge_queue', 'direct_push', 'unknown'] as const;
export const mergeMethod = z.enum(mergeMethods);
export type MergeMethod = z.infer<typeof mergeMethod>;

/** Whether somebody who had no part in it approved it after the last push; `unknown`: what would tell is missing. */
export const changeApproval = z.enum(['yes', 'no', 'unknown']);
export type ChangeApproval = z.infer<typeof changeApproval>;

/** Why a part of a record is not known. */
export const missingReason = z.enum(['permission', 'deleted', 'unreachable', 'unsupported', 'not_requested']);
export type MissingReason = z.infer<typeof missingReason>;

/** The parts of a record, in the order of the chain of custody. */
export const changeParts = [
  'authors',
  'sessionOwners',
  'ai',
  'headSha',
  'lastPusher',
  'lastPushAt',
  'reviews',
  'requiredChecks',
  'checks',
  'sourceBranch',
  'labels',
  'tickets',
  'linkedIssues',
  'mergeRequestedBy',
  'mergedBy',
] as const;
export const changePart = z.enum(changeParts);
export type ChangePartName = z.infer<typeof changePart>;

/** Somebody, as far as is known who. `id` is opaque; `name` is null for whoever was erased or never resolved. */
export const changePerson = z.object({
  id: z.string().nullable(),
  name: z.string().nullable(),
  avatarUrl: z.string().nullable(),
  kind: z.enum(['human', 'agent', 'unknown']),
  identity: z.enum(['resolved', 'guessed', 'erased', 'unresolved']),
});
export type ChangePerson = z.infer<typeof changePerson>;

/** A part with how far it is known. `value` is null where it is missing, and of a person where there was none. */
const part = <Value extends z.ZodType>(value: Value) =>
  z.object({
    state: z.enum(['complete', 'partial', 'missing']),
    reason: missingReason.nullable(),
    fetchedAt: instant,
    value: value.nullable(),
  });

export const changeItem = z.object({
  id: z.string(),
  version: z.number().int(),
  repository: z.object({ id: z.string(), provider, fullName: z.string() }),
  branch: z.string(),
  isDefaultBranch: z.boolean(),
  mergeMethod: mergeMethod,
  /** Of the pull request; null for a direct push. */
  number: z.number().int().nullable(),
  title: z.string().nullable(),
  /** On the code host: the pull request, or the commit. */
  url: z.string().nullable(),
  mergedAt: instant,
  mergeSha: z.string().nullable(),
  headSha: z.string().nullable(),
  authors: z.array(changePerson),
  mergedBy: changePerson.nullable(),
  approval: changeApproval,
  /** Whether an agent is known to have written for it. */
  hasAgent: z.boolean(),
  missing: z.array(changePart),
});
export type ChangeItem = z.infer<typeof changeItem>;

const truth = z.enum(['yes', 'no', 'unknown']);

export const changeReview = z.object({
  id: z.string(),
  by: changePerson,
  verdict: z.enum(['approved', 'changes_requested', 'commented']),
  submittedAt: instant,
  /** When it was dismissed or taken back; null where it stood, or nobody knows when. */
  dismissedAt: instant.nullable(),
  isDismissed: truth,
  /** The commit it was given for; null on hosts that have none of reviews, and where it was lost. */
  commit: z.string().nullable(),
  isForHead: truth,
  wasMember: truth,
});
export type ChangeReview = z.infer<typeof changeReview>;

/** What protects a branch, each point null where the host did not let us read it. */
export const protectionSnapshot = z.object({
  id: z.string(),
  capturedAt: instant,
  trigger: z.enum(['webhook', 'merge', 'poll']),
  state: z.enum(['read', 'none', 'forbidden']),
  requiredReviews: z.number().int().nullable(),
  dismissesStaleReviews: z.boolean().nullable(),
  allowsForcePush: z.boolean().nullable(),
  allowsDeletion: z.boolean().nullable(),
  includesAdmins: z.boolean().nullable(),
  requiredChecks: z.array(z.string()).nullable(),
});

export const changeVersion = z.object({
  version: z.number().int(),
  recordedAt: instant,
  cause: z.enum(['merge', 'push', 'review', 'check', 'identity', 'retry', 'reconcile']),
  approval: changeApproval,
  missing: z.array(changePart),
  /** Its entry of the ledger, and its place there; null while it waits for one. */
  entryId: z.string(),
  leaf: z.number().int().nullable(),
});

/** The commits a direct push brought. */
export const changeCommit = z.object({
  sha: z.string(),
  message: z.string().nullable(),
  authoredAt: instant.nullable(),
  url: z.string(),
});

/** Who says that an agent wrote: a note, a trace, the commit itself, whose account it was, an editor. */
export const attributionSource = z.enum(['git-ai', 'agent-trace', 'trailer', 'host', 'editor']);
export type AttributionSource = z.infer<typeof attributionSource>;
const attributionConfidence = z.enum(['declared', 'observed', 'inferred']);

/** What is said of agents having written a change, apart from its versions: what was said once stays. */
export const attribution = z.object({
  agents: z.array(
    z.object({
      agent: z.string(),
      model: z.string().nullable(),
      source: attributionSource,
      confidence: attributionConfidence,
      commits: z.number().int(),
      /** Files and lines that are told; 0 where only commits are. */
      files: z.number().int(),
      lines: z.number().int(),
    }),
  ),
  /** Those with most lines first, 100 at most; `lines` count each line once. */
  files: z.array(
    z.object({
      path: z.string(),
      lines: z.number().int(),
      /** As of the commit each is of, from 1, both ends included; 50 at most. */
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
  /** How many files there are in all. */
  fileCount: z.number().int(),
  /** Of the lines the change added, those that are surely an agent's; null where one of the two is not known. */
  share: z.object({ lines: z.number().int(), of: z.number().int() }).nullable(),
  sources: z.array(
    z.object({
      source: attributionSource,
      readAt: instant,
      records: z.number().int(),
      malformed: z.number().int(),
      /** Records that name no commit. */
      unmatched: z.number().int(),
      /** What was more than is taken. */
      dropped: z.number().int(),
    }),
  ),
});
export type Attribution = z.infer<typeof attribution>;

export const change = changeItem.extend({
  /** Why the approval is what it is, in words. */
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
    lastPushAt: part(instant),
    reviews: part(z.array(changeReview)),
    requiredChecks: part(z.array(z.string())),
    checks: part(
      z.array(
        z.object({
          name: z.string(),
          sha: z.string(),
          conclusion: z.string().nullable(),
          completedAt: instant.nullable(),
          isRequired: z.boolean(),
        }),
      ),
    ),
    sourceBranch: part(z.string()),
    labels: part(z.array(z.string())),
    tickets: part(z.array(z.enum(['resolved', 'not_found', 'unreachable']))),
    linkedIssues: part(z.number().int()),
    mergeRequestedBy: part(changePerson),
    mergedBy: part(changePerson),
  }),
  protection: protectionSnapshot.nullable(),
  attribution,
  /**
   * What scanners found new and closed: each by its run on the commit that was merged, else on the head, beside its run before on
   * the same ref. Null for whoever may not see vulnerabilities.
   */
  scans: z
    .object({
      runs: z.array(
        z.object({
          tool: z.object({ id: z.string(), name: z.string() }),
          on: z.enum(['merge', 'head']),
          commit: z.string(),
          ref: z.string(),
          finishedAt: instant,
          added: z.number().int(),
          closed: z.number().int(),
          /** The commit of the run before; null for the first. */
          since: z.string().nullable(),
          /** Whether that was where the change began; else what came in between is counted too. */
          isSinceBase: z.boolean(),
        }),
      ),
      /** Why there is none. */
      reason: z.enum(['no_scanner', 'no_run', 'failed']).nullable(),
    })
    .nullable(),
  /** The newest first. */
  versions: z.array(changeVersion),
});
export type Change = z.infer<typeof change>;

export const listChanges = endpoint({
  method: 'GET',
  path: '/v2/changes',
  summary: 'Lists merges and direct pushes to branches in scope by their latest record.',
  scope: 'organization',
  permission: 'read:events',
  query: pagedQuery(['date-desc', 'date-asc'], {
    repository: z.uuid().optional(),
    mergeMethod: commaList(mergeMethod),
    approval: commaList(changeApproval),
    /** Only changes this person wrote for, by opaque id. */
    author: z.uuid().optional(),
    /** Only changes that an agent wrote for, or that lack a part. */
    only: commaList(z.enum(['agent', 'missing'])),
    from: instant.optional(),
    to: instant.optional(),
  }),
  topics: ['orgRepos'],
  response: z.array(changeItem),
  paged: true,
});
export type ChangesQuery = z.output<typeof listChanges.query>;

const params = z.strictObject({ id: z.uuid() });

export const getChange = endpoint({
  method: 'GET',
  path: '/v2/changes/:id',
  summary: 'Returns the record of a change with the source of each part and all versions.',
  scope: 'organization',
  permission: 'read:events',
  params,
  /** Without a version, the last one. */
  query: z.strictObject({ version: z.coerce.number().int().min(1).max(1_000_000).optional() }),
  topics: ['orgRepos'],
  response: change,
  errors: ['not_found'],
});

/** An in-toto statement: what we observed of a revision of the source, in the words of SLSA's source track. */
export const vsa = z.object({
  _type: z.literal('https://in-toto.io/Statement/v1'),
  subject: z.array(
    z.object({
      uri: z.string(),
      digest: z.object({ gitCommit: z.string() }),
      annotations: z.object({ sourceRefs: z.array(z.string()) }),
    }),
  ),
  predicateType: z.literal('https://slsa.dev/verification_summary/v1'),
  predicate: z.object({
    verifier: z.object({ id: z.string() }),
    timeVerified: instant,
    resourceUri: z.string(),
    policy: z.object({ uri: z.string() }),
    verificationResult: z.literal('PASSED'),
    verifiedLevels: z.array(text(60)),
  }),
});
export type Vsa = z.infer<typeof vsa>;

export const getChangeVsa = endpoint({
  method: 'GET',
  path: '/v2/changes/:id/vsa',
  summary: 'Returns the change as an in-toto statement with a SLSA verification summary of its source.',
  scope: 'organization',
  permission: 'read:events',
  params,
  response: vsa,
  errors: ['not_found'],
});
