import { createHash } from 'node:crypto';
import { createIncrementalTree } from '@sightline/evidence/ledger/tree.ts';
import type { ArchivedEventRow, ArchivedSegment } from '#core/archived-events.ts';
import { fullEventTexts } from '#core/event-text.ts';
import { createLedgerEntry } from '#core/ledger.ts';
import type { Services } from '#core/services.ts';
import type { Tx } from '#database/database.ts';
import { maybeParsedEntry } from './audit.ts';
import type { ReportProblem } from './problem.ts';

const rowsPerPage = 2000;

interface EventProofRow extends Record<string, unknown> {
  proof: string;
  id: string;
  leaf: Buffer;
  kind: string | null;
  source: string;
  actor: string | null;
  repo: string | null;
  pr: number | null;
  asOf: string;
  receivedAt: string;
  summary: string;
  detail: string;
  /** Whether an erasure removed names from it. */
  erased: boolean;
}

interface Proof extends Record<string, unknown> {
  id: string;
  epoch: number | null;
  index: number | null;
  entry: string;
}

/**
 * Compares all events, also archived ones, with the entries that prove them: their own, or that of their batch. The entry of
 * an event is recreated if the key of its person exists. Of expired events, only the hash is known.
 */
export async function checkEvents(services: Services, orgId: string, report: ReportProblem): Promise<void> {
  await services.database.withOrg(orgId, async (tx) => {
    const archived = await checkArchivedEvents(services, tx, orgId, report);
    await checkRows(services, tx, orgId, { archived, report });
    for (const batch of archived.values()) checkBatch(batch, await proofsOf(tx, orgId, [batch.proof]), report);
  });
}

/** Checks the events in rows. Takes the batches that they complete from `archived`. */
async function checkRows(
  services: Services,
  tx: Tx,
  orgId: string,
  { archived, report }: { archived: Map<string, EventBatch>; report: ReportProblem },
): Promise<void> {
  let batch: EventBatch | undefined;
  for await (const rows of pagesOfEvents(tx, orgId)) {
    // Includes the proof of a batch that continues from the previous page.
    const proofs = await proofsOf(tx, orgId, [...rows.map(({ proof }) => proof), ...(batch ? [batch.proof] : [])]);
    for (const row of rows) {
      if (batch && batch.proof !== row.proof) {
        checkBatch(batch, proofs, report);
        batch = undefined;
      }
      await checkEvent(services, tx, orgId, { row, proofs, report });
      if (isProvedAlone(row)) continue;
      batch ??= takeBatch(archived, row.proof);
      batch.leaves.push({ id: row.id, leaf: row.leaf });
    }
  }
  if (batch) checkBatch(batch, await proofsOf(tx, orgId, [batch.proof]), report);
}

/** The events that one entry proves together, as far as they were read. */
interface EventBatch {
  proof: string;
  leaves: Pick<EventProofRow, 'id' | 'leaf'>[];
}

function takeBatch(batches: Map<string, EventBatch>, proof: string): EventBatch {
  const batch = batches.get(proof) ?? { proof, leaves: [] };
  batches.delete(proof);
  return batch;
}

/**
 * Checks the segments of the archive and their events. Returns the batches that are not complete, since they have other events
 * in rows.
 */
async function checkArchivedEvents(
  services: Services,
  tx: Tx,
  orgId: string,
  report: ReportProblem,
): Promise<Map<string, EventBatch>> {
  const batches = new Map<string, EventBatch>();
  for (const segment of await services.archivedEvents.lockSegments(tx, orgId)) {
    if (!(await checkSegment(tx, orgId, segment, report))) continue;
    for await (const page of segment.events()) {
      const erased = await erasedIds(
        tx,
        orgId,
        page.map(({ id }) => id),
      );
      const rows = page.map((row) => proofRowOf(row, erased));
      const proofs = await proofsOf(
        tx,
        orgId,
        rows.map(({ proof }) => proof),
      );
      for (const row of rows) {
        await checkEvent(services, tx, orgId, { row, proofs, report });
        if (isProvedAlone(row)) continue;
        const batch = takeBatch(batches, row.proof);
        batch.leaves.push({ id: row.id, leaf: row.leaf });
        if (batch.leaves.length === countIn(proofs.get(row.proof))) checkBatch(batch, proofs, report);
        else batches.set(row.proof, batch);
      }
    }
  }
  return batches;
}

/** Checks a segment against its ledger entry; returns whether its events can be read. */
async function checkSegment(
  tx: Tx,
  orgId: string,
  { id, sha256, check }: ArchivedSegment,
  report: ReportProblem,
): Promise<boolean> {
  const [found] = (await proofsOf(tx, orgId, [id])).get(id) ?? [];
  const entry = found && maybeParsedEntry(found.entry);
  const reportSegment = (message: string) =>
    report({
      what: 'event',
      epoch: found?.epoch ?? 0,
      index: found?.index ?? null,
      message: `the segment ${id} ${message}`,
    });
  if (!entry) reportSegment('has no ledger entry');
  else if (entry.subject.sha256 !== sha256) reportSegment('is not the one in its ledger entry');
  try {
    await check();
    return true;
  } catch (error) {
    reportSegment(`cannot be read: ${(error as Error).message}`);
    return false;
  }
}

async function erasedIds(tx: Tx, orgId: string, ids: readonly string[]): Promise<Set<string>> {
  const rows = await tx.query<{ id: string }>({
    name: 'ledger.check-archived-erased',
    text: 'select entry_id as id from erased_row where org_id = $1 and entry_id = any($2::uuid[])',
    values: [orgId, ids],
  });
  return new Set(rows.map(({ id }) => id));
}

const proofRowOf = (row: ArchivedEventRow, erased: ReadonlySet<string>): EventProofRow => ({
  proof: row.proof,
  id: row.id,
  leaf: Buffer.from(row.leaf_hash.slice(2), 'hex'),
  kind: row.kind,
  source: row.source,
  actor: row.actor,
  repo: row.repo,
  pr: row.pr === null ? null : Number(row.pr),
  asOf: millisecondsOf(row.as_of),
  receivedAt: millisecondsOf(row.received_at),
  summary: row.summary,
  detail: row.detail,
  erased: erased.has(row.id),
});

/** RFC 3339 with milliseconds, as entries contain it, of a time in the text format of PostgreSQL. */
const millisecondsOf = (time: string): string =>
  `${time.slice(0, 10)}T${time.slice(11, 19)}.${(/\.(\d+)/.exec(time)?.[1] ?? '').padEnd(3, '0').slice(0, 3)}Z`;

/** The number of events of a batch, from its entry. */
function countIn(entries: readonly Proof[] | undefined): unknown {
  const [found] = entries ?? [];
  return found && maybeParsedEntry(found.entry)?.subject.count;
}

/** Whether the event has a ledger entry of its own. */
const isProvedAlone = ({ proof, id }: EventProofRow) => proof === id;

/** Reads all events of an organization in pages, ordered by the entry that proves them. */
async function* pagesOfEvents(tx: Tx, orgId: string): AsyncGenerator<EventProofRow[]> {
  await tx.query({ name: '', text: `declare ledger_events no scroll cursor for ${rowsSql}`, values: [orgId] });
  const fetchPage = () =>
    tx.query<EventProofRow>({ name: '', text: `fetch ${rowsPerPage} from ledger_events`, values: [] });
  for (let rows = await fetchPage(); rows.length > 0; rows = await fetchPage()) yield rows;
}

const instant = (column: string) => `to_char(${column}, 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`;
const rowsSql = `
  select proof, id, leaf_hash as leaf, kind, source, actor, repo, pr, ${instant('as_of')} as "asOf", ${instant('received_at')} as "receivedAt",
    summary, detail, exists (select from erased_row x where x.org_id = $1 and x.entry_id = id) as erased from event where org_id = $1
  union all
  select proof, id, leaf_hash, null, null, null, null, null, null, null, null, null, false from forgotten_event where org_id = $1
  order by proof, id`;

async function proofsOf(tx: Tx, orgId: string, ids: readonly string[]): Promise<Map<string, Proof[]>> {
  if (ids.length === 0) return new Map();
  const rows = await tx.query<Proof>({
    name: 'ledger.check-proofs',
    text: `select entry_id as id, epoch, leaf_index as index, entry_text(e) as entry from ledger_entry e where org_id = $1 and entry_id = any($2::uuid[])
           union all
           select entry_id, null, null, entry from ledger_pending where org_id = $1 and entry_id = any($2::uuid[])`,
    values: [orgId, [...new Set(ids)]],
  });
  return Map.groupBy(rows, ({ id }) => id);
}

async function checkEvent(
  services: Services,
  tx: Tx,
  orgId: string,
  { row, proofs, report }: { row: EventProofRow; proofs: ReadonlyMap<string, Proof[]>; report: ReportProblem },
): Promise<void> {
  const entries = proofs.get(row.proof) ?? [];
  const [first] = entries;
  const reportEvent = (message: string) =>
    report({
      what: 'event',
      epoch: first?.epoch ?? 0,
      index: first?.index ?? null,
      message: `the event ${row.id} ${message}`,
    });
  if (first === undefined) return reportEvent('has no ledger entry');
  const entryName = `ledger entry ${first.index ?? '(pending)'}`;
  const isOwnEntryOneOf = (leaves: readonly Buffer[]) =>
    !isProvedAlone(row) || entries.some(({ entry }) => includesHash(leaves, hashOf(entry)));
  if (row.kind === null) return;
  if (row.erased) {
    // The erasure changed the text, but not the hash.
    if (!isOwnEntryOneOf([row.leaf])) reportEvent(`is not the one in ${entryName}`);
    return;
  }
  const key = row.actor === null ? undefined : (await services.people.keys(tx, orgId, [row.actor])).get(row.actor);
  if (row.actor !== null && key === undefined) return;
  const leaves = leavesOf(orgId, row, key);
  if (!includesHash(leaves, row.leaf)) return reportEvent(`does not match the proof of ${entryName}`);
  if (!isOwnEntryOneOf(leaves)) reportEvent(`does not match ${entryName}`);
}

const includesHash = (hashes: readonly Buffer[], hash: Buffer) => hashes.some((one) => one.equals(hash));

const hashOf = (text: string): Buffer => createHash('sha256').update(`\0${text}`).digest();

/** The leaf hashes of an event from its row, for each possible format of its time. */
function leavesOf(orgId: string, row: EventProofRow, key: Buffer | undefined): Buffer[] {
  const { summary, detail } = fullEventTexts(row);
  const digest = createHash('sha256').update(`[${summary},${detail}]`).digest('base64url');
  return [...new Set([row.asOf, row.asOf.replace(/\.000Z$/, 'Z')])].map(
    (asOf) =>
      createLedgerEntry(
        {
          id: row.id,
          org: orgId,
          kind: `event.${row.kind}`,
          asOf,
          receivedAt: row.receivedAt,
          person: row.actor,
          source: row.source,
          subject: { repository: row.repo, pullRequest: row.pr },
          personal: key ? { content: digest } : {},
        },
        key,
      ).leafHash,
  );
}

function checkBatch({ proof, leaves }: EventBatch, proofs: ReadonlyMap<string, Proof[]>, report: ReportProblem): void {
  const [found] = proofs.get(proof) ?? [];
  const entry = found && maybeParsedEntry(found.entry);
  if (!found || !entry) return;
  const { count, root } = entry.subject;
  if (count === leaves.length && root === rootOf(leaves)) return;
  const entryName = `ledger entry ${found.index ?? '(pending)'}`;
  report({
    what: 'event',
    epoch: found.epoch ?? 0,
    index: found.index,
    message:
      count === leaves.length
        ? `an event of the batch of ${entryName} is different`
        : `the batch of ${entryName} had ${String(count)} events, and ${leaves.length} exist`,
  });
}

/** The Merkle root over the leaf hashes in the order of the event IDs, in base64url. */
function rootOf(leaves: EventBatch['leaves']): string {
  const tree = createIncrementalTree();
  for (const { leaf } of leaves.toSorted((one, other) => (one.id < other.id ? -1 : 1))) tree.add(leaf);
  return Buffer.from(tree.root()).toString('base64url');
}
