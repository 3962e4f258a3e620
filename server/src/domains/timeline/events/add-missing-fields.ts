import type { EventKind } from '@sightline/contract/timeline/events.ts';
import { fullEventTexts, parsedEventTexts } from '#core/event-text.ts';
import type { Services } from '#core/services.ts';
import type { Tx } from '#database/database.ts';
import { fieldTerms, fieldValuesOf, mergeFields } from './fields.ts';
import { queueLateTerms } from './late-fields.ts';
import type { EventFieldValues } from './new-event.ts';
import { hashTerm, termOfParameter } from './terms.ts';

const eventsPerBatch = 1000;

interface RefieldRow {
  id: string;
  as_of: string;
  kind: EventKind;
  repo: string | null;
  pr: number | null;
  source: string;
  summary: string;
  detail: string;
  /** Whether it was received before events were written with their fields. */
  old: boolean;
}

/**
 * The job `events.refield`: adds fields to events that were written before fields existed, from the newest on. The position is stored in the same
 * transaction, so that a run resumes after a crash and adds nothing twice.
 */
export async function addMissingFields(services: Services, orgId: string): Promise<void> {
  for (;;) {
    const hasMore = await services.database.withOrg(orgId, async (tx) => {
      const [mark] = await tx.query<{ as_of: string; id: string; received_before: string }>({
        name: 'events.refield.mark',
        text: 'select as_of::text, id, received_before::text from event_reindex where org_id = $1 for update',
        values: [orgId],
      });
      if (!mark) return false;
      const rows = await tx.query<RefieldRow>({
        name: 'events.refield.rows',
        text: `select id, as_of::text, kind, repo, pr, source, summary, detail, received_at < $4::timestamptz as old
               from event where org_id = $1 and (as_of, id) < ($2::timestamptz, $3::uuid) order by as_of desc, id desc limit $5`,
        values: [orgId, mark.as_of, mark.id, mark.received_before, eventsPerBatch],
      });
      await addFields(
        tx,
        orgId,
        rows.filter((row) => row.old),
      );
      await moveMark(tx, orgId, rows.length < eventsPerBatch ? undefined : rows.at(-1));
      tx.afterCommit(() => services.newEvents.add(orgId, rows.length));
      return rows.length === eventsPerBatch;
    });
    if (!hasMore) return;
  }
}

async function moveMark(tx: Tx, orgId: string, last: RefieldRow | undefined): Promise<void> {
  if (!last)
    await tx.query({
      name: 'events.refield.done',
      text: 'delete from event_reindex where org_id = $1',
      values: [orgId],
    });
  else {
    await tx.query({
      name: 'events.refield.move',
      text: 'update event_reindex set as_of = $2::timestamptz, id = $3 where org_id = $1',
      values: [orgId, last.as_of, last.id],
    });
  }
}

async function addFields(tx: Tx, orgId: string, rows: readonly RefieldRow[]): Promise<void> {
  const read = rows.map((row) => {
    const shown = {
      ...row,
      ...parsedEventTexts(row),
      fields: statusFromSentence({ ...row, ...fullEventTexts(row) }),
    };
    const tools = [...shown.summary.parameters, ...shown.detail.map(({ parameter }) => parameter)]
      .filter(({ kind }) => kind === 'tool')
      .map(({ ident }) => ident);
    return { row, fields: fieldValuesOf(shown), known: new Set(tools.map((ident) => termOfParameter('tool', ident))) };
  });
  const files = await filesOfCommitEvents(
    tx,
    orgId,
    read.map(({ row, fields }) => ({ row, sha: [...(fields.get('sha') ?? [])][0] })),
  );
  await queueLateTerms(
    tx,
    orgId,
    read.map(({ row, fields, known }) => {
      const merged = mergeFields(fields, { file: files.get(row.id) ?? [] });
      const terms = [...fieldTerms(merged), ...(row.pr === null ? [] : [hashTerm(`pr\n${row.pr}`)])];
      // Tools were indexed before other fields existed.
      return { id: row.id, asOf: row.as_of, fields: merged, terms: terms.filter((term) => !known.has(term)) };
    }),
  );
}

/** The known files of commits, by event ID. */
export async function filesOfCommitEvents(
  tx: Tx,
  orgId: string,
  events: readonly { row: Pick<RefieldRow, 'id' | 'kind' | 'repo'>; sha: string | undefined }[],
): Promise<Map<string, string[]>> {
  const commits = events.flatMap(({ row, sha }) =>
    row.kind === 'commit' && row.repo !== null && sha !== undefined ? [{ id: row.id, repo: row.repo, sha }] : [],
  );
  const rows = await tx.query<{ id: string; paths: string[] }>({
    name: 'events.refield.files',
    text: `select x.id, array(select f->>'path' from jsonb_array_elements(c.files) f) as paths
           from unnest($2::uuid[], $3::uuid[], $4::text[]) as x(id, repo, sha)
           join commit c on c.org_id = $1 and c.repository_id = x.repo and c.sha = x.sha
           where jsonb_typeof(c.files) = 'array'`,
    values: [orgId, commits.map(({ id }) => id), commits.map(({ repo }) => repo), commits.map(({ sha }) => sha)],
  });
  return new Map(rows.map(({ id, paths }) => [id, paths]));
}

// The sentences of older events; newer events contain their status.
const patterns: readonly [RegExp, string][] = [
  [/ opened \{1\}/, 'opened'],
  [/merged/, 'merged'],
  [/closed/, 'closed'],
  [/ approved \{1\}/, 'approved'],
  [/requested changes on/, 'changes_requested'],
  [/ reviewed \{1\}/, 'commented'],
  [/had a review dismissed on/, 'dismissed'],
];

/** Derives the status field of an event from its sentence, for events that were written without fields. */
export function statusFromSentence({
  kind,
  pr,
  summary,
  detail,
}: Pick<RefieldRow, 'kind' | 'pr' | 'summary' | 'detail'>): EventFieldValues {
  const { phrase } = JSON.parse(summary) as { phrase: string };
  if (kind === 'pull_request' && pr !== null)
    return { status: patterns.flatMap(([pattern, status]) => (pattern.test(phrase) ? [status] : [])).slice(0, 1) };
  if (kind !== 'vulnerability') return {};
  const counts = new Map(
    (JSON.parse(detail) as { label: string; parameter: { ident: string } }[]).map(({ label, parameter }) => [
      label.toLowerCase(),
      Number(parameter.ident),
    ]),
  );
  const open = ['critical', 'high', 'medium', 'low', 'info'].some((severity) => (counts.get(severity) ?? 0) > 0);
  return {
    status: [...(open ? ['open'] : []), ...['fixed', 'reopened'].filter((status) => (counts.get(status) ?? 0) > 0)],
  };
}
