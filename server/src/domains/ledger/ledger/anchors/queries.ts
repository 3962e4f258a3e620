import type { Page } from '@sightline/contract/core/endpoint.ts';
import type {
  Anchor,
  AnchorAttempt,
  AnchorKind,
  getReceipt,
  listAnchorAttempts,
  listAnchors as listAnchorsEndpoint,
  listReceipts as listReceiptsEndpoint,
  Receipt,
} from '@sightline/contract/ledger/anchors.ts';
import { sql } from 'kysely';
import type { z } from 'zod';
import { NotFound } from '#core/errors.ts';
import type { Tx } from '#database/database.ts';
import { containsText, fetchPage } from '#database/page.ts';

type AnchorsQuery = z.output<typeof listAnchorsEndpoint.query>;

const sorts = {
  'party-asc': ['a.party', 'asc'],
  'party-desc': ['a.party', 'desc'],
  'date-desc': ['a.created_at', 'desc'],
  'date-asc': ['a.created_at', 'asc'],
} as const satisfies Record<AnchorsQuery['sort'], readonly ['a.party' | 'a.created_at', 'asc' | 'desc']>;

const selectAnchors = ({ db }: Tx, orgId: string) =>
  db
    .selectFrom('anchor as a')
    .leftJoinLateral(
      (eb) =>
        eb
          .selectFrom('anchor_attempt as t')
          .select(['t.id', 't.at', 't.outcome', 't.epoch', 't.size', 't.message', 't.ms'])
          .where('t.org_id', '=', orgId)
          .whereRef('t.anchor_id', '=', 'a.id')
          .orderBy('t.at', 'desc')
          .orderBy('t.id')
          .limit(1)
          .as('t'),
      (join) => join.onTrue(),
    )
    .leftJoinLateral(
      (eb) =>
        eb
          .selectFrom('ledger_receipt as l')
          .innerJoin('ledger_log as h', (join) =>
            join.onRef('h.org_id', '=', 'l.org_id').onRef('h.epoch', '=', 'l.epoch'),
          )
          .select(['l.size as last_size', 'l.at as last_at'])
          .where('l.org_id', '=', orgId)
          .where('h.closed_at', 'is', null)
          .whereRef('l.kind', '=', 'a.kind')
          .whereRef('l.party', '=', 'a.party')
          .orderBy('l.size', 'desc')
          .limit(1)
          .as('l'),
      (join) => join.onTrue(),
    )
    .where('a.org_id', '=', orgId)
    .select([
      'a.id as anchor_id',
      'a.kind',
      'a.party',
      'a.settings',
      'a.every_hours',
      'a.enabled',
      'a.failing_since',
      'a.next_at',
      'a.created_at',
      sql<boolean>`a.secret_sealed is not null`.as('has_secret'),
      sql<string[]>`case when a.kind = 'mail' then array(
        select lower(named.address) from jsonb_array_elements_text(a.settings -> 'addresses') as named(address)
        where not exists (select from anchor_address c where c.org_id = ${orgId} and c.address = lower(named.address)
          and c.confirmed_at is not null) order by 1) else '{}' end`.as('unconfirmed'),
      'l.last_size',
      'l.last_at',
      't.id',
      't.at',
      't.outcome',
      't.epoch',
      't.size',
      't.message',
      't.ms',
    ]);

/** One page of the anchors. */
export async function listAnchors(tx: Tx, orgId: string, query: AnchorsQuery): Promise<Page<Anchor[]>> {
  const [column, direction] = sorts[query.sort];
  const { rows, total } = await fetchPage(
    selectAnchors(tx, orgId)
      .$if(query.search !== '', (q) => q.where((eb) => containsText(eb.ref('a.party'), query.search)))
      .orderBy(column, direction)
      .orderBy('a.id'),
    query,
  );
  return { rows: rows.map(anchorOf), total };
}

/** One anchor. Throws 404. */
export async function findAnchor(tx: Tx, orgId: string, id: string): Promise<Anchor> {
  const row = await selectAnchors(tx, orgId).where('a.id', '=', id).executeTakeFirst();
  if (!row) throw NotFound('Anchor');
  return anchorOf(row);
}

/** One page of the publishing attempts of an anchor. Throws 404. */
export async function listAttempts(
  tx: Tx,
  orgId: string,
  id: string,
  query: z.output<typeof listAnchorAttempts.query>,
): Promise<Page<AnchorAttempt[]>> {
  await findAnchor(tx, orgId, id);
  const { rows, total } = await fetchPage(
    tx.db
      .selectFrom('anchor_attempt as t')
      .where('t.org_id', '=', orgId)
      .where('t.anchor_id', '=', id)
      .$if(query.search !== '', (q) => q.where((eb) => containsText(eb.ref('t.message'), query.search)))
      .select(['t.id', 't.at', 't.outcome', 't.epoch', 't.size', 't.message', 't.ms'])
      .orderBy('t.at', query.sort === 'date-asc' ? 'asc' : 'desc')
      .orderBy('t.id'),
    query,
  );
  return { rows: rows.map(attemptOf), total };
}

/** One page of the published checkpoints. */
export async function listReceipts(
  tx: Tx,
  orgId: string,
  query: z.output<typeof listReceiptsEndpoint.query>,
): Promise<Page<Receipt[]>> {
  const direction = query.sort === 'date-asc' ? 'asc' : 'desc';
  const { rows, total } = await fetchPage(
    tx.db
      .selectFrom('ledger_receipt as l')
      .where('l.org_id', '=', orgId)
      .$if(query.search !== '', (q) => q.where((eb) => containsText(eb.ref('l.party'), query.search)))
      .select(['l.epoch', 'l.size', 'l.kind', 'l.party', 'l.at', sql<boolean>`l.token is not null`.as('has_receipt')])
      .orderBy('l.at', direction)
      .orderBy('l.epoch', direction)
      .orderBy('l.size', direction)
      .orderBy('l.kind')
      .orderBy('l.party'),
    query,
  );
  const receipts = rows.map(({ kind, at, epoch, size, party, has_receipt }) => ({
    epoch,
    size: Number(size),
    kind: kind as AnchorKind,
    party,
    at: at.toISOString(),
    hasReceipt: has_receipt,
  }));
  return { rows: receipts, total };
}

/** The receipt of a checkpoint. Throws 404 if the anchor returned none. */
export async function findReceipt(
  tx: Tx,
  orgId: string,
  { epoch, size, kind, party }: z.output<typeof getReceipt.query>,
): Promise<Buffer> {
  const row = await tx.db
    .selectFrom('ledger_receipt')
    .select('token')
    .where('org_id', '=', orgId)
    .where('epoch', '=', epoch)
    .where('size', '=', String(size))
    .where('kind', '=', kind)
    .where('party', '=', party)
    .executeTakeFirst();
  if (!row?.token) throw NotFound('Receipt');
  return row.token;
}

type AnchorRow = Awaited<ReturnType<ReturnType<typeof selectAnchors>['executeTakeFirstOrThrow']>>;

const anchorOf = (row: AnchorRow): Anchor => ({
  id: row.anchor_id,
  kind: row.kind as AnchorKind,
  party: row.party,
  settings: row.settings as Anchor['settings'],
  hasSecret: row.has_secret,
  everyHours: row.every_hours,
  state: !row.enabled ? 'off' : row.failing_since ? 'failing' : 'active',
  failingSince: row.failing_since?.toISOString() ?? null,
  nextAt: row.enabled ? row.next_at.toISOString() : null,
  last: row.last_size !== null && row.last_at ? { size: Number(row.last_size), at: row.last_at.toISOString() } : null,
  lastAttempt: lastAttemptOf(row),
  createdAt: row.created_at.toISOString(),
  unconfirmed: row.unconfirmed,
});

function lastAttemptOf({ id, at, outcome, message, ms, epoch, size }: AnchorRow): AnchorAttempt | null {
  if (id === null || at === null || outcome === null || message === null || ms === null) return null;
  return attemptOf({ id, at, outcome, epoch, size, message, ms });
}

interface AttemptRow {
  id: string;
  at: Date;
  outcome: string;
  epoch: number | null;
  size: string | number | null;
  message: string;
  ms: number;
}

const attemptOf = ({ id, at, outcome, epoch, size, message, ms }: AttemptRow): AnchorAttempt => ({
  id,
  at: at.toISOString(),
  outcome: outcome as AnchorAttempt['outcome'],
  epoch,
  size: size === null ? null : Number(size),
  message,
  ms,
});
