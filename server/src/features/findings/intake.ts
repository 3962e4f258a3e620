import { isArchived } from '#core/archived.ts';
import { actorOf, type Doer } from '#core/audit.ts';
import { Archived, NotFound, Refusal } from '#core/errors.ts';
import { newId } from '#core/ids.ts';
import type { Services } from '#core/services.ts';
import type { Analysis, Rejection, Result } from '#providers/scanner.ts';
import { completeScan, endScan, tellScan } from './finish.ts';
import { analysisKey } from './identity.ts';
import { stage } from './staging.ts';
import { cut, type KnownTexts, obstacleOf, type RuleText, storable, storedOf, textOf } from './stored.ts';

/** A scan while its results come in. One caller at a time: await each call before the next. */
export interface Incoming {
  readonly orgId: string;
  readonly id: string;
  readonly analysis: Analysis;
  /** Results taken so far. */
  received: number;
  rejected: Rejection[];
  rejections: number;
  texts: KnownTexts;
  /** What is sent next, see staging.ts. */
  bytes: Buffer;
  toldAt: number;
  pulse: NodeJS.Timeout;
}

/**
 * The one door for what scanners find: takes all results of one analysis in and makes findings of them. Answers the id of
 * the scan. When anything goes wrong, also in the middle of `results`, nothing of it stays but the scan with the reason.
 */
export async function importResults(
  services: Services,
  orgId: string,
  doer: Doer,
  analysis: Analysis,
  results: AsyncIterable<Result | Rejection> | Iterable<Result | Rejection>,
  begun: (scanId: string) => void = () => undefined,
): Promise<string> {
  const scan = await beginScan(services, orgId, doer, analysis);
  begun(scan.id);
  try {
    let batch: (Result | Rejection)[] = [];
    // While PostgreSQL writes one batch, the next is read.
    let writing = Promise.resolve();
    for await (const result of results) {
      batch.push(result);
      if (batch.length < batchSize) continue;
      await writing;
      writing = addResults(services, scan, batch);
      // It is awaited with the next batch; until then it must not count as unheard.
      writing.catch(() => undefined);
      batch = [];
    }
    await writing;
    await addResults(services, scan, batch);
    await finishScan(services, doer, scan);
  } catch (error) {
    await failScan(services, scan, error);
    throw error;
  }
  return scan.id;
}

/** How many results go to the database at once. */
const batchSize = 1000;

/** Throws 404 for a repository that is not enabled, 409 in an archived organisation. End it by finishScan or failScan. */
export async function beginScan(services: Services, orgId: string, doer: Doer, analysis: Analysis): Promise<Incoming> {
  const id = newId();
  await services.database.withOrg(orgId, async (tx) => {
    const repository = await tx.db
      .selectFrom('repository')
      .where('org_id', '=', orgId)
      .where('id', '=', analysis.repositoryId)
      .where('tracked', '=', true)
      .select('id')
      .executeTakeFirst();
    if (!repository) throw NotFound('The repository');
    if (await isArchived(tx, orgId)) throw Archived();
    const { tool } = analysis;
    await tx.db
      .insertInto('scan')
      .values({
        org_id: orgId,
        id,
        repository_id: analysis.repositoryId,
        source: analysis.source,
        tool: tool.key,
        tool_name: tool.name,
        tool_version: tool.version,
        category: analysis.category,
        ref: analysis.ref,
        commit_sha: analysis.commit,
        native_id: analysis.nativeId,
        analysis: analysisKey(analysis),
        complete: analysis.complete,
        state: 'receiving',
        ...actorOf(doer),
      })
      .execute();
    await tx.db
      .insertInto('finding_tool')
      .values({ org_id: orgId, tool: tool.key, name: tool.name })
      .onConflict((conflict) =>
        conflict
          .columns(['org_id', 'tool'])
          .doUpdateSet({ name: tool.name })
          .where('finding_tool.name', '<>', tool.name),
      )
      .execute();
  });
  tellScan(services, orgId, analysis.repositoryId, id);
  const pulse = setInterval(() => void touch(services, orgId, id), 10_000).unref();
  const none = {
    received: 0,
    rejected: [],
    rejections: 0,
    texts: new Map(),
    bytes: Buffer.alloc(0),
    toldAt: Date.now(),
  };
  return { orgId, id, analysis, ...none, pulse };
}

/** Keeps results until the scan is finished. A thousand or so at once. */
export async function addResults(
  services: Services,
  scan: Incoming,
  results: readonly (Result | Rejection)[],
): Promise<void> {
  if (results.length === 0) return;
  const { orgId, id, analysis } = scan;
  const rows: string[] = [];
  const texts: RuleText[] = [];
  for (const result of results) {
    const rejection = rejectionOf(result);
    if (rejection) {
      scan.rejections += 1;
      if (scan.rejected.length < 100) scan.rejected.push(rejection);
      continue;
    }
    const { text, isNew } = textOf(scan.texts, result as Result);
    rows.push(storedOf(analysis, result as Result, scan.received, text));
    scan.received += 1;
    if (isNew) texts.push(text);
  }
  await services.database.withOrg(orgId, async (tx) => {
    const [standing] = await tx.query<{ state: string }>({
      name: 'scan.receive',
      text: `update scan set received = $3, rejections = $4, rejected = $5, touched_at = clock_timestamp()
             where org_id = $1 and id = $2 and state = 'receiving' returning state`,
      values: [orgId, id, scan.received, scan.rejections, storable(scan.rejected)],
    });
    if (!standing) throw new Error('The scan has ended already');
    await stage(tx, scan, rows, texts);
  });
  if (Date.now() - scan.toldAt < 500) return;
  scan.toldAt = Date.now();
  tellScan(services, orgId, analysis.repositoryId, id);
}

/** Makes findings of what came in. Throws where that fails; the scan is then to be failed. */
export async function finishScan(services: Services, doer: Doer, scan: Incoming): Promise<void> {
  await completeScan(services, doer, scan.orgId, scan.id);
  clearInterval(scan.pulse);
}

/**
 * Ends a scan that could not be taken in: nothing of it stays but its row, with the reason. A refusal and a text are for
 * people and are shown; of any other error only the log tells more.
 */
export async function failScan(services: Services, scan: Incoming, reason: unknown): Promise<void> {
  clearInterval(scan.pulse);
  const said = typeof reason === 'string' ? reason : reason instanceof Refusal ? reason.message : undefined;
  if (said === undefined) services.log.error({ error: reason, scan: scan.id }, 'scan failed');
  await endScan(
    services,
    scan.orgId,
    scan.id,
    said ?? 'Something went wrong here, and nothing of it was kept. Send it again.',
  );
}

function rejectionOf(result: Result | Rejection): Rejection | undefined {
  if (!('ruleId' in result)) return { place: cut(result.place, 300), reason: cut(result.reason, 500) };
  const obstacle = obstacleOf(result);
  return obstacle === undefined
    ? undefined
    : { place: `${result.ruleId} in ${cut(result.path ?? '', 100)}`, reason: obstacle };
}

/** A scan without a sign of life is taken for interrupted. */
const touch = (services: Services, orgId: string, id: string) =>
  services.database
    .withOrg(orgId, (tx) =>
      tx.query({
        name: 'scan.touch',
        text: `update scan set touched_at = clock_timestamp() where org_id = $1 and id = $2 and state = 'receiving'`,
        values: [orgId, id],
      }),
    )
    .catch((error: Error) => services.log.warn({ error: error.message }, 'scan'));
