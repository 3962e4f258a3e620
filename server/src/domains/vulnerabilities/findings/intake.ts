import { setImmediate } from 'node:timers/promises';
import type { AuditActor } from '#core/audit.ts';
import type { Services } from '#core/services.ts';
import type { Analysis, RejectedResult, ScannerResult } from '#providers/scanner.ts';
import { claimScans, restartScans } from './claim-scans.ts';
import { completeScans, endScans, sendScanNotice } from './complete-scans.ts';
import { analysisKey } from './fingerprint.ts';
import { insertScans } from './insert-scans.ts';
import { StagedResultsOutdated } from './match.ts';
import {
  appendStagedRow,
  createStagedRows,
  type KnownAnalysis,
  maybeKnownAnalysis,
  type StagedRows,
  stageResults,
} from './staging.ts';
import {
  type RuleText,
  type RuleTextCache,
  ruleTextOf,
  stagedResultOf,
  storableJson,
  storageObstacleOf,
  truncateText,
} from './storable-values.ts';

// Functions that other features need to begin and end scans.
export { claimScans, endScans, insertScans, sendScanNotice };

/** A scan that receives results. Only one caller may use it: await each call before the next. */
export interface IncomingScan {
  readonly orgId: string;
  readonly id: string;
  readonly analysis: Analysis;
  /** Number of the import attempt: only the latest may add results. */
  readonly attempt: number;
  /** Number of accepted results. */
  received: number;
  rejected: RejectedResult[];
  rejections: number;
  texts: RuleTextCache;
  /** See staging.ts. Only for results that can be received again. */
  readonly known: KnownAnalysis | undefined;
  /** Memory of stored batches for the next ones, see staging.ts. */
  spare: Buffer[];
  toldAt: number;
  pulse: NodeJS.Timeout;
}

type Receiving = Omit<IncomingScan, 'pulse'>;

/**
 * Imports all results of one analysis and matches them to findings. All scanners use this function. Returns the scan
 * ID. On an error, also of `results`, only the failed scan with its reason remains.
 */
export async function importResults(
  services: Services,
  orgId: string,
  { actor, analysis, results }: { actor: AuditActor; analysis: Analysis; results: Results },
): Promise<string> {
  const scan = await beginScan(services, orgId, actor, analysis);
  try {
    await receiveResults(services, scan, results);
    await finishScan(services, actor, scan);
  } catch (error) {
    await failScan(services, scan, error);
    throw error;
  }
  return scan.id;
}

type Results = AsyncIterable<ScannerResult | RejectedResult> | Iterable<ScannerResult | RejectedResult>;

/** Scans of one upload, inserted by `insertScans`, each with its results. */
export interface UploadedScans {
  uploadId: string;
  attempt: number;
  scans: readonly { id: string; analysis: Analysis; results: () => Results }[];
}

/**
 * Imports all scans of an upload in one transaction, or throws and changes nothing: the caller then ends them with
 * `endScans` or retries.
 */
export async function importUpload(
  services: Services,
  orgId: string,
  actor: AuditActor,
  upload: UploadedScans,
): Promise<void> {
  const { uploadId, attempt, scans } = upload;
  const pulse = setInterval(() => void renewHeartbeat(services, orgId, { uploadId }), 10_000).unref();
  const ids = scans.map(({ id }) => id);
  const importAll = async (comparesKnown: boolean) => {
    for (const { id, analysis, results } of scans) {
      const known = comparesKnown ? await knownAnalysisOf(services, orgId, analysis) : undefined;
      await receiveResults(services, incomingOf(orgId, id, analysis, { attempt, known }), results());
    }
    await completeScans(services, actor, orgId, { ids, attempt });
  };
  try {
    await importAll(true).catch(async (error: unknown) => {
      if (!(error instanceof StagedResultsOutdated)) throw error;
      await services.database.withOrg(orgId, (tx) => restartScans(tx, orgId, { ids, attempt }));
      await importAll(false);
    });
  } finally {
    clearInterval(pulse);
  }
}

const knownAnalysisOf = (services: Services, orgId: string, analysis: Analysis) =>
  services.database.withOrg(orgId, (tx) =>
    maybeKnownAnalysis(tx, orgId, { repositoryId: analysis.repositoryId, key: analysisKey(analysis) }),
  );

async function receiveResults(services: Services, scan: Receiving, results: Results): Promise<void> {
  let batch = emptyBatch(scan);
  // The next batch is read while PostgreSQL writes the current one.
  let writing = Promise.resolve();
  for await (const result of results) {
    addToBatch(scan, batch, result);
    // The statements of the current batch and other requests continue meanwhile.
    if (batch.size % RESULTS_PER_TURN === 0) await setImmediate();
    if (batch.size < BATCH_SIZE) continue;
    await writing;
    writing = writeBatch(services, scan, endBatch(scan, batch));
    // It is awaited with the next batch; until then it must not count as an unhandled rejection.
    writing.catch(() => undefined);
    batch = emptyBatch(scan);
  }
  await writing;
  await writeBatch(services, scan, endBatch(scan, batch));
}

/** Number of results per database statement. */
const BATCH_SIZE = 2000;

/** Number of results that are converted in one turn of the event loop, a few milliseconds. */
const RESULTS_PER_TURN = 50;

/**
 * Begins a scan; end it with finishScan or failScan. Throws 404 if the repository is not enabled, 409 in an archived
 * organization.
 */
export async function beginScan(
  services: Services,
  orgId: string,
  actor: AuditActor,
  analysis: Analysis,
): Promise<IncomingScan> {
  const [id = ''] = await services.database.withOrg(orgId, (tx) =>
    insertScans(tx, orgId, actor, { analyses: [analysis] }),
  );
  sendScanNotice(services, orgId, analysis.repositoryId, id);
  const pulse = setInterval(() => void renewHeartbeat(services, orgId, { id }), 10_000).unref();
  return { ...incomingOf(orgId, id, analysis), pulse };
}

const incomingOf = (
  orgId: string,
  id: string,
  analysis: Analysis,
  { attempt, known }: Pick<Receiving, 'attempt' | 'known'> = { attempt: 1, known: undefined },
): Receiving => ({
  orgId,
  id,
  analysis,
  attempt,
  known,
  received: 0,
  rejected: [],
  rejections: 0,
  texts: new Map(),
  spare: [],
  toldAt: Date.now(),
});

/** Stages results until the scan is finished. Callers pass about a thousand at a time. */
export async function addResults(
  services: Services,
  scan: Receiving,
  results: readonly (ScannerResult | RejectedResult)[],
): Promise<void> {
  const batch = emptyBatch(scan);
  for (const result of results) addToBatch(scan, batch, result);
  await writeBatch(services, scan, endBatch(scan, batch));
}

/** Results as rows, which need less memory than the results. */
interface Batch {
  size: number;
  rows: StagedRows;
  texts: RuleText[];
}

/** A batch with the numbers of results up to its end. */
interface EndedBatch extends Batch, Pick<Receiving, 'received' | 'rejections' | 'rejected'> {}

const emptyBatch = ({ spare }: Receiving): Batch => ({ size: 0, rows: createStagedRows(spare.pop()), texts: [] });

const endBatch = ({ received, rejections, rejected }: Receiving, batch: Batch): EndedBatch => ({
  ...batch,
  received,
  rejections,
  rejected: [...rejected],
});

function addToBatch(scan: Receiving, batch: Batch, result: ScannerResult | RejectedResult): void {
  batch.size += 1;
  const rejection = rejectionOf(result);
  if (rejection) {
    scan.rejections += 1;
    if (scan.rejected.length < 100) scan.rejected.push(rejection);
    return;
  }
  const { text, isNew } = ruleTextOf(scan.texts, result as ScannerResult);
  appendStagedRow(batch.rows, stagedResultOf(scan.analysis, result as ScannerResult, scan.received, text));
  scan.received += 1;
  if (isNew) batch.texts.push(text);
}

async function writeBatch(services: Services, scan: Receiving, batch: EndedBatch): Promise<void> {
  if (batch.size === 0) return;
  const { orgId, id, analysis } = scan;
  await services.database.withOrg(orgId, async (tx) => {
    const [receiving] = await tx.query<{ state: string }>({
      name: 'scan.receive',
      // Staged results do not survive a crash anyway: nothing waits for the disk until the scan is matched.
      text: `update scan set received = $3, rejections = $4, rejected = $5, touched_at = clock_timestamp()
             where org_id = $1 and id = $2 and state = 'receiving' and attempt = $6
             returning state, set_config('synchronous_commit', 'off', true)`,
      values: [orgId, id, batch.received, batch.rejections, storableJson(batch.rejected), scan.attempt],
    });
    if (!receiving) throw new Error('The scan has ended already');
    await stageResults(tx, scan, batch.rows, batch.texts);
  });
  scan.spare.push(batch.rows.bytes);
  if (Date.now() - scan.toldAt < 500) return;
  scan.toldAt = Date.now();
  sendScanNotice(services, orgId, analysis.repositoryId, id);
}

/** Matches the received results to findings. On an error, the caller must fail the scan. */
export async function finishScan(services: Services, actor: AuditActor, scan: IncomingScan): Promise<void> {
  await completeScans(services, actor, scan.orgId, { ids: [scan.id], attempt: scan.attempt });
  clearInterval(scan.pulse);
}

/**
 * Marks a scan as failed and deletes its results. Shows users the message of a `Refusal` or a text; any other error is
 * only logged.
 */
export async function failScan(services: Services, scan: IncomingScan, reason: unknown): Promise<void> {
  clearInterval(scan.pulse);
  await endScans(services, scan.orgId, [scan.id], reason);
}

function rejectionOf(result: ScannerResult | RejectedResult): RejectedResult | undefined {
  if (!('ruleId' in result))
    return { place: truncateText(result.place, 300), reason: truncateText(result.reason, 500) };
  const reason = storageObstacleOf(result);
  return reason === undefined
    ? undefined
    : { place: `${result.ruleId} in ${truncateText(result.path ?? '', 100)}`, reason };
}

/**
 * Renews the heartbeat of scans; scans without one count as interrupted. Scans that are being matched are locked
 * instead.
 */
const renewHeartbeat = (services: Services, orgId: string, of: { id: string } | { uploadId: string }) =>
  services.database
    .withOrg(orgId, (tx) =>
      tx.query({
        name: `scan.touch ${'id' in of ? 'one' : 'upload'}`,
        text: `update scan set touched_at = clock_timestamp() where org_id = $1 and id in (
                 select id from scan where org_id = $1 and ${'id' in of ? 'id' : 'upload_id'} = $2 and state in ('receiving', 'matching')
                 for update skip locked)`,
        values: [orgId, 'id' in of ? of.id : of.uploadId],
      }),
    )
    .catch((error: Error) => services.log.warn({ err: error }, 'scan'));
