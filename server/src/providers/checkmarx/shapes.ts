import { z } from 'zod';
import type { IncompleteReason } from '#providers/scanner.ts';
import type { ScannedProject } from '../scanner-connector.ts';

/** Projects and scans of the API. Any field except the ID may be missing or empty. */

const text = z.string().nullish().catch(null);
const optional = text.transform((value) => value?.trim() || null);

export const projectShape = z.object({
  id: z.string().min(1),
  name: optional,
  repoUrl: optional,
  mainBranch: optional,
  imported_proj_name: optional,
});

export const projectOf = ({
  id,
  name,
  repoUrl,
  mainBranch,
  imported_proj_name,
}: z.output<typeof projectShape>): ScannedProject => ({
  id,
  name: name ?? id,
  repoUrl,
  mainBranch,
  importedName: imported_proj_name,
});

const git = z.object({ repo_url: optional, commit: optional, branch: optional }).nullish().catch(null);

export const scanShape = z.object({
  id: z.string().min(1),
  status: text,
  statusDetails: z
    .array(z.object({ name: z.string(), status: text, details: text }))
    .nullish()
    .catch(null),
  branch: optional,
  createdAt: z.string(),
  engines: z.array(z.string()).nullish().catch(null),
  metadata: z
    .object({ Handler: z.object({ GitHandler: git }).nullish().catch(null) })
    .nullish()
    .catch(null),
});

export interface CheckmarxScan {
  id: string;
  createdAt: Date;
  branch: string | null;
  commit: string | null;
  repoUrl: string | null;
  /** False if an engine failed, so that its results are missing. */
  complete: boolean;
  /** The reasons if it is not complete. */
  incomplete: readonly IncompleteReason[];
  /** The engines that completed, such as `sast` and `kics`; null if the scan does not report them. */
  engines: readonly string[] | null;
}

/** Parses a scan; undefined if it is not finished or its time is invalid. */
export function scanOf(raw: z.output<typeof scanShape>): CheckmarxScan | undefined {
  const status = raw.status?.toLowerCase();
  const createdAt = new Date(raw.createdAt);
  if ((status !== 'completed' && status !== 'partial') || Number.isNaN(createdAt.getTime())) return undefined;
  const details = raw.statusDetails ?? [];
  const isDone = (engine: string) => {
    const detail = details.find(({ name }) => name.toLowerCase() === engine);
    return detail === undefined ? status === 'completed' : detail.status?.toLowerCase() === 'completed';
  };
  const named = raw.engines ?? (raw.statusDetails ? details.map(({ name }) => name) : null);
  const handler = raw.metadata?.Handler?.GitHandler;
  const commit = handler?.commit?.toLowerCase() ?? '';
  return {
    id: raw.id,
    createdAt,
    branch: raw.branch ?? handler?.branch ?? null,
    commit: /^[0-9a-f]{40,64}$/.test(commit) ? commit : null,
    repoUrl: handler?.repo_url ?? null,
    complete: status === 'completed',
    incomplete: status === 'completed' ? [] : failuresIn(details),
    engines: named && [...new Set(named.map((name) => name.toLowerCase()))].filter(isDone),
  };
}

function failuresIn(
  details: readonly { name: string; status?: string | null | undefined; details?: string | null | undefined }[],
) {
  const failed = details.filter(({ name, status }) => name !== 'general' && status?.toLowerCase() !== 'completed');
  const messages = failed.map(({ name, status, details: why }) =>
    [`The engine ${name} did not complete`, status?.trim(), why?.trim()].filter(Boolean).join(': ').slice(0, 500),
  );
  const all = messages.length > 0 ? messages : ['Checkmarx One reports that the scan is partial.'];
  return all.slice(0, 20).map((message): IncompleteReason => ({ code: 'engine_failed', message }));
}
