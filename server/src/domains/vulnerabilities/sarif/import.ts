import type { Services } from '#core/services.ts';
import { endScans, importUpload } from '../findings/intake.ts';
import { type SarifAnalysis, sarifAnalysesOf } from './analyses.ts';
import type { SarifFile } from './read.ts';
import { removeUpload, type StoredUpload } from './uploads.ts';

export interface SarifFileImport extends StoredUpload {
  orgId: string;
  attempt: number;
  file: SarifFile;
}

/**
 * Imports all scans of a stored upload, or ends all of them with the reason. If the server stops or the database is
 * unavailable, they stay unfinished: the job `sarif.watch` resumes them.
 */
export async function importSarifFile(
  services: Services,
  imported: SarifFileImport,
  stopped?: AbortSignal,
): Promise<void> {
  const { orgId, id, upload, actor, scans, attempt, file } = imported;
  const parts = sarifAnalysesOf(file, upload).map(({ analysis, results }, index) => ({
    id: scans[index] ?? '',
    analysis,
    results: () => untilStopped(stopped, results),
  }));
  try {
    await importUpload(services, orgId, actor, { uploadId: id, attempt, scans: parts });
  } catch (error) {
    if (stopped?.aborted || isDatabaseLost(error)) {
      services.log.warn({ err: error, upload: id }, 'an upload was interrupted; it is resumed');
      return;
    }
    await endScans(services, orgId, scans, error);
  }
  await services.database.withOrg(orgId, (tx) => removeUpload(tx, orgId, id));
}

/** Throws from the results when the server stops. */
async function* untilStopped(
  stopped: AbortSignal | undefined,
  results: SarifAnalysis['results'],
): ReturnType<SarifAnalysis['results']> {
  for await (const result of results()) {
    if (stopped?.aborted) throw new Error('The server was stopped before the file was imported.');
    yield result;
  }
}

/** PostgreSQL shut down, or the connection to it broke. */
function isDatabaseLost(error: unknown): boolean {
  const { code = '', message = '' } = error as { code?: string; message?: string };
  return /^(08...|57P0.|ECONNREFUSED|ECONNRESET|EPIPE|ETIMEDOUT)$/.test(code) || /^Connection terminated/.test(message);
}
