import { join } from 'node:path';
import type { JobData, JobDefinition } from '#core/jobs.ts';
import type { Services } from '#core/services.ts';
import type { Tx } from '#database/database.ts';
import { claimScans, endScans } from '../findings/intake.ts';
import { importSarifFile } from './import.ts';
import { receiveSarif } from './read.ts';
import { maybeUpload, readStoredFile, removeUpload, type StoredUpload } from './uploads.ts';

declare module '#core/jobs.ts' {
  interface JobData {
    /** Resumes an upload whose process died; repeats until its scans have ended. */
    'sarif.watch': { orgId: string; uploadId: string };
  }
}

export const sarifJobs = (services: Services): JobDefinition[] => [
  {
    name: 'sarif.watch',
    handle: (data) => watchUpload(services, data as JobData['sarif.watch']),
    expireMinutes: 60,
  },
];

const PAUSE_MS = 30_000;

/** Queues a check after a pause whether a process still works on the upload. */
export const queueUploadWatch = ({ jobs }: Services, tx: Tx, orgId: string, uploadId: string): Promise<void> =>
  jobs.enqueue(tx, 'sarif.watch', { orgId, uploadId }, { key: uploadId, startAfter: new Date(Date.now() + PAUSE_MS) });

/** Resumes an upload that no process works on any more. */
export async function watchUpload(services: Services, { orgId, uploadId }: JobData['sarif.watch']): Promise<void> {
  const { database, secrets } = services;
  const found = await database.withOrg(orgId, async (tx) => {
    const stored = await maybeUpload(tx, secrets, orgId, uploadId);
    if (!stored) return undefined;
    // Queued first, so that a crash of this process is detected too.
    await queueUploadWatch(services, tx, orgId, uploadId);
    return { stored, claim: await claimScans(tx, orgId, uploadId) };
  });
  if (!found || found.claim === 'running') return;
  const { stored, claim } = found;
  if (typeof claim === 'object') return resume(services, orgId, stored, claim.attempt);
  if (claim === 'exhausted') {
    const reason = 'The import was interrupted several times and nothing was imported. Upload it again.';
    await endScans(services, orgId, stored.scans, reason);
  }
  await database.withOrg(orgId, (tx) => removeUpload(tx, orgId, uploadId));
}

async function resume(services: Services, orgId: string, stored: StoredUpload, attempt: number): Promise<void> {
  const { database, secrets, config } = services;
  const bytes = readStoredFile(secrets, orgId, stored.id, (work) => database.withOrg(orgId, work));
  const file = await receiveSarif(join(config.dataDir, 'uploads'), bytes);
  try {
    await importSarifFile(services, { ...stored, orgId, attempt, file });
  } finally {
    await file.close();
  }
}
