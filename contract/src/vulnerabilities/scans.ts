import { z } from 'zod';
import { csvExportOf } from '../core/csv-export.ts';
import { endpoint } from '../core/endpoint.ts';
import { scanSource } from '../core/scan-sources.ts';
import { boundedText, timestamp } from '../core/text.ts';
import { repositoryParams } from '../sources/repositories.ts';

/** Why a scan is incomplete: the run or an engine failed, classes were missing, or the run has no results. */
export const incompleteCodes = ['failed', 'missing_classes', 'no_results', 'engine_failed'] as const;

/** One delivery of scan results for a repository and ref. Counts are of findings, `rejected` of results. */
export const scan = z.object({
  id: z.string(),
  repository: z.object({ id: z.string(), fullName: z.string() }),
  source: scanSource,
  tool: z.object({ id: z.string(), name: z.string(), version: z.string().nullable() }),
  /** Distinguishes several analyses of one tool, such as by language; empty for a single analysis. */
  category: z.string(),
  ref: z.string(),
  commit: z.string().nullable(),
  state: z.enum(['receiving', 'matching', 'done', 'failed']),
  /** Number of results processed so far. */
  received: z.number(),
  counts: z
    .object({
      new: z.number(),
      unchanged: z.number(),
      fixed: z.number(),
      reopened: z.number(),
      rejected: z.number(),
    })
    .nullable(),
  /** The first 100 rejections, each with its position in the file. */
  rejected: z.array(z.object({ place: z.string(), reason: z.string() })),
  /** Why unreported findings may still exist; null for a complete scan. */
  incomplete: z
    .object({
      reasons: z.array(z.object({ code: z.enum(incompleteCodes), message: z.string() })),
      /** Unreported findings count as fixed nevertheless, since an owner allowed it for missing classes. */
      fixes: z.boolean(),
      /** Whether an owner allows it from the next scan on. */
      allowed: z.boolean(),
    })
    .nullable(),
  /** Why it failed, in words. */
  error: z.string().nullable(),
  startedBy: z.string(),
  receivedAt: timestamp,
  finishedAt: timestamp.nullable(),
});
export type Scan = z.infer<typeof scan>;

export const listScans = endpoint({
  method: 'GET',
  path: '/v2/repositories/:provider/:repoPath/scans',
  summary: 'Lists the scans of a repository, newest first.',
  scope: 'organization',
  permission: 'read:vulnerabilities',
  flag: 'vulnerabilities',
  params: repositoryParams,
  query: z.strictObject({
    page: z.coerce.number().int().min(1).max(1_000_000).default(1),
    perPage: z.coerce.number().int().min(1).max(100).default(10),
  }),
  topics: ['orgScans'],
  response: z.array(scan),
  paged: true,
});
export const exportScans = csvExportOf(listScans);

export const getScan = endpoint({
  method: 'GET',
  path: '/v2/scans/:scanId',
  summary: 'Returns a scan with its progress and results.',
  scope: 'organization',
  permission: 'read:vulnerabilities',
  flag: 'vulnerabilities',
  accessKey: 'sarif',
  params: z.strictObject({ scanId: z.uuid() }),
  topics: ['orgScans'],
  response: scan,
});

export const allowMissingClasses = endpoint({
  method: 'PUT',
  path: '/v2/repositories/:provider/:repoPath/missing-classes',
  summary: 'Sets whether findings count as fixed if a scanner reports missing classes, starting with its next scan.',
  scope: 'organization',
  permission: 'manage:integrations',
  flag: 'vulnerabilities',
  params: repositoryParams,
  body: z.strictObject({ tool: boundedText(100), allowed: z.boolean() }),
  status: 204,
  changes: ['orgScans'],
  response: z.null(),
});

/** A full git ref, such as `refs/heads/main`, or a branch name. */
export const gitRef = boundedText(300).regex(/^[^\s~^:?*[\\]+$/, {
  error: 'must be the name of a branch, or a full ref',
});
export const commitSha = z.string().regex(/^[0-9a-f]{40,64}$/i, { error: 'must be a full commit hash' });

/** Maximum size of an uncompressed file in bytes. */
export const MAX_UPLOAD_BYTES = 100 * 1024 * 1024;

export const uploadSarif = endpoint({
  method: 'POST',
  path: '/v2/repositories/:provider/:repoPath/sarif',
  summary: 'Imports a SARIF 2.1.0 file, plain or gzip. Each scanner and category in it is a scan.',
  scope: 'organization',
  permission: 'write:findings',
  flag: 'vulnerabilities',
  accessKey: 'sarif',
  cost: 'upload',
  params: repositoryParams,
  query: z.strictObject({
    /** Default: the default branch of the repository. */
    ref: gitRef.optional(),
    /** Default: the value in the file. */
    commit: commitSha.optional(),
    /** Distinguishes several analyses of one scanner. Default: the value in the file. */
    category: boundedText(200).trim().optional(),
  }),
  upload: {
    types: ['application/sarif+json', 'application/json', 'application/gzip', 'application/octet-stream'],
    maxBytes: MAX_UPLOAD_BYTES,
  },
  status: 202,
  changes: ['orgScans'],
  /** Scans that take more than a few seconds continue in the background; `getScan` returns their progress. */
  response: z.array(scan),
});
