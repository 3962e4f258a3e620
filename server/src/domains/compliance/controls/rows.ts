import type { ControlRow } from '@sightline/contract/compliance/control-rows.ts';
import type { Verdict } from '@sightline/contract/compliance/controls.ts';
import type { Page } from '@sightline/contract/core/endpoint.ts';
import { explainReason } from '@sightline/evidence/controls/reasons.ts';
import type { Actor } from '#core/actor.ts';
import type { Tx } from '#database/database.ts';
import { loadRemediations } from '../remediations/queries.ts';
import { loadEvaluatedItems } from './evaluated-items.ts';
import type { RunRow } from './runs.ts';

interface RowsQuery {
  verdict: readonly Verdict[];
  reason: string;
  repository?: string | undefined;
  search: string;
  sort: 'position-asc' | 'position-desc';
  page: number;
  perPage: number;
}

/** Lists items of a run; empty if they were deleted. */
export async function listRows(tx: Tx, actor: Actor, run: RunRow, filters: RowsQuery): Promise<Page<ControlRow[]>> {
  const { orgId } = actor;
  const values = [
    ...[orgId, run.rowsOf, filters.verdict.length > 0 ? filters.verdict : null, filters.repository ?? null],
    ...[filters.reason === '' ? null : filters.reason, filters.search === '' ? null : filters.search],
  ];
  const rows = await tx.query<StoredVerdictRow>({
    name: `controls.rows-${filters.sort}`,
    text: `with page as (
             select * from control_row r where ${where} order by ord ${filters.sort === 'position-asc' ? 'asc' : 'desc'} limit $7 offset $8
           ) ${rowsSql} order by page.ord ${filters.sort === 'position-asc' ? 'asc' : 'desc'}`,
    values: [...values, filters.perPage, (filters.page - 1) * filters.perPage],
  });
  const [counted] = await tx.query<{ total: number }>({
    name: 'controls.count-rows',
    text: `select count(*)::int as total from control_row r where ${where}`,
    values,
  });
  return { rows: await rowsOf(tx, actor, run, rows), total: counted?.total ?? 0 };
}

/**
 * Draws the same items as `drawSample` of the controls, in its order, without loading the others: by the SHA-256 of the
 * seed, a line break and the leaf index, or the subject.
 */
export async function drawRows(
  tx: Tx,
  actor: Actor,
  run: RunRow,
  { seed, size }: { seed: string; size: number },
): Promise<ControlRow[]> {
  const rows = await tx.query<StoredVerdictRow & { drawn: number }>({
    name: 'controls.sample',
    text: `with placed as (
             select *, row_number() over (
               order by sha256(convert_to($3 || E'\\n' || coalesce(leaf::text, subject), 'UTF8')), subject collate "C") as drawn
             from control_row where org_id = $1 and run_id = $2
           ), page as (select * from placed order by drawn limit $4)
           ${rowsSql} order by page.drawn`,
    values: [actor.orgId, run.rowsOf, seed, size],
  });
  return rowsOf(tx, actor, run, rows);
}

const where = `r.org_id = $1 and r.run_id = $2 and ($3::text[] is null or r.verdict = any($3))
  and ($4::uuid is null or r.repository_id = $4)
  and ($5::text is null or exists (select from unnest(r.reasons) reason where split_part(reason, ':', 1) = $5))
  and ($6::text is null or strpos(lower(r.subject), lower($6)) > 0)`;

const rowsSql = `select page.ord as place, page.subject, page.verdict, page.reasons, page.leaf, page.leaves, page.setting,
    repository.id as "repositoryId", repository.provider, repository.full_name as "fullName"
  from page left join repository on repository.org_id = $1 and repository.id = page.repository_id`;

interface StoredVerdictRow extends Record<string, unknown> {
  place: number;
  subject: string;
  verdict: Verdict;
  reasons: string[];
  leaf: number | null;
  leaves: (number | string)[];
  setting: number;
  repositoryId: string | null;
  provider: string | null;
  fullName: string | null;
}

async function rowsOf(
  tx: Tx,
  actor: Actor,
  { control, from, to }: RunRow,
  rows: readonly StoredVerdictRow[],
): Promise<ControlRow[]> {
  const subjects = rows.map(({ subject }) => subject);
  const items = await loadEvaluatedItems(tx, actor.orgId, subjects);
  const period = { from: from.toISOString(), to: to.toISOString() };
  const remediations = await loadRemediations(tx, actor, { control, period, subjects });
  return rows.map((row) => rowOf(row, items.get(row.subject) ?? null, remediations.get(row.subject) ?? null));
}

const rowOf = (
  { place, subject, verdict, reasons, leaf, leaves, setting, ...row }: StoredVerdictRow,
  item: ControlRow['item'],
  remediation: ControlRow['remediation'],
): ControlRow => ({
  position: place,
  subject,
  item,
  remediation,
  verdict,
  reasons,
  leaf,
  leaves: leaves.map(Number),
  setting,
  repository:
    row.repositoryId === null
      ? null
      : { id: row.repositoryId, provider: row.provider ?? '', fullName: row.fullName ?? '' },
  explanations: reasons.flatMap((reason) => {
    const explanation = explainReason(reason);
    return explanation ? [explanation] : [];
  }),
});
