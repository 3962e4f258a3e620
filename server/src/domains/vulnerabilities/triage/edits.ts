import {
  type editFindings as editFindingsCall,
  type FindingEdit,
  type FindingEditOutcome,
  MAX_EDITED_FINDINGS,
} from '@sightline/contract/vulnerabilities/finding-edits.ts';
import type { FindingFilter } from '@sightline/contract/vulnerabilities/findings.ts';
import { MAX_FINDING_LABELS } from '@sightline/contract/vulnerabilities/triage-fields.ts';
import { sql } from 'kysely';
import type { z } from 'zod';
import { findActiveRole } from '#core/active-role.ts';
import type { Actor } from '#core/actor.ts';
import { type AuditActor, recordAuditEntry } from '#core/audit.ts';
import { Conflict, Invalid, NotFound } from '#core/errors.ts';
import { newId } from '#core/ids.ts';
import type { Services } from '#core/services.ts';
import type { Tx } from '#database/database.ts';
import { listMatchingFindingIds } from '../findings/queries.ts';
import { recordFindingStates } from '../findings/states.ts';
import { requireTriager } from './commands.ts';
import type { EditedFields, TriageFields } from './edited-fields.ts';
import { lockTargets, lockTargetsOfOrganization, type TriageTarget } from './queries.ts';

type EditRequest = z.output<typeof editFindingsCall.body>;
type EditFilter = FindingFilter & { tool: string[] };

interface EditedFinding extends EditedFields {
  target: TriageTarget;
}

/**
 * Changes assignee, ticket and labels of findings, by ID or all that match a filter. Throws `conflict` if the filter
 * matches another number of findings than the user saw, 404 if no finding is in the actor's scope.
 */
export function editFindings(
  services: Services,
  requester: Actor,
  filter: EditFilter,
  { findings, edit }: EditRequest,
): Promise<FindingEditOutcome> {
  return services.database.withOrg(requester.orgId, async (tx) => {
    const actor = await requireTriager(tx, requester);
    const ids =
      'ids' in findings ? findings.ids : await matchingIds(services, tx, actor, { filter, total: findings.total });
    const targets = await lockTargets(tx, actor, ids);
    if (targets.size === 0) throw NotFound('Vulnerability');
    if (edit.assigneeId) await requireMember(tx, actor.orgId, edit.assigneeId);
    const current = await loadTriageFields(tx, actor.orgId, [...targets.keys()]);
    const edited = [...targets.values()].flatMap((target): EditedFinding[] => {
      const fields = changedFields(current.get(target.id), edit);
      return fields ? [{ target, ...fields }] : [];
    });
    const editId = await saveEdit(services, tx, editorOf(actor), edited);
    return { editId, changed: edited.length, unchanged: new Set(ids).size - edited.length };
  });
}

/** Sets the ticket of findings that a tracker created. Findings that no longer exist are skipped. */
export async function linkTicket(
  services: Services,
  tx: Tx,
  orgId: string,
  { ids, url, tracker }: { ids: readonly string[]; url: string; tracker: string },
): Promise<void> {
  const targets = await lockTargetsOfOrganization(tx, orgId, ids);
  const current = await loadTriageFields(tx, orgId, [...targets.keys()]);
  const edited = [...targets.values()].flatMap((target): EditedFinding[] => {
    const fields = changedFields(current.get(target.id), { ticketUrl: url });
    return fields ? [{ target, ...fields }] : [];
  });
  await saveEdit(services, tx, { orgId, accountId: null, auditActor: { integration: tracker } }, edited);
}

/** Restores the values before an edit of the actor, except of findings that were edited again. */
export function undoFindingEdit(
  services: Services,
  requester: Actor,
  editId: string,
): Promise<{ changed: number; unchanged: number }> {
  return services.database.withOrg(requester.orgId, async (tx) => {
    const actor = await requireTriager(tx, requester);
    const edits = await tx.db
      .selectFrom('finding_decision')
      .select(['finding_id', 'other'])
      .where('org_id', '=', actor.orgId)
      .where('edit_id', '=', editId)
      .where('account_id', '=', actor.accountId)
      .execute();
    if (edits.length === 0) throw NotFound('Edit');
    const targets = await lockTargets(
      tx,
      actor,
      edits.map((row) => row.finding_id),
    );
    const current = await loadTriageFields(tx, actor.orgId, [...targets.keys()]);
    const edited = edits.flatMap(({ finding_id: id, other }): EditedFinding[] => {
      const { before, after } = other as unknown as EditedFields;
      const target = targets.get(id);
      const now = current.get(id);
      if (!target || !now || !hasFields(now, after)) return [];
      return [{ target, before: after, after: before }];
    });
    await saveEdit(services, tx, editorOf(actor), edited);
    return { changed: edited.length, unchanged: edits.length - edited.length };
  });
}

async function matchingIds(
  services: Services,
  tx: Tx,
  actor: Actor,
  seen: { filter: EditFilter; total: number },
): Promise<string[]> {
  const { ids, total } = await listMatchingFindingIds(services, tx, actor, {
    filter: seen.filter,
    limit: MAX_EDITED_FINDINGS,
  });
  if (total === seen.total) return ids;
  throw Conflict(
    `The list has changed: ${total} vulnerabilities match the filters now. Check the list and edit again.`,
  );
}

async function requireMember(tx: Tx, orgId: string, accountId: string): Promise<void> {
  if (!(await findActiveRole(tx, orgId, accountId)))
    throw Invalid('edit.assigneeId', 'must be a member of the organization');
}

type CurrentFields = Required<TriageFields>;

async function loadTriageFields(tx: Tx, orgId: string, ids: readonly string[]): Promise<Map<string, CurrentFields>> {
  const rows = await tx.query<CurrentFields & { id: string }>({
    name: 'triage.fields',
    text: `select f.id, f.assignee_id as "assigneeId", f.ticket_url as "ticketUrl",
             array(select l.label from finding_label l where l.org_id = $1 and l.finding_id = f.id order by l.label) as labels
           from finding f where f.org_id = $1 and f.id = any($2::uuid[])`,
    values: [orgId, ids],
  });
  return new Map(rows.map(({ id, ...fields }) => [id, fields]));
}

/** The fields that an edit changes, before and after; undefined if it changes none. */
function changedFields(current: CurrentFields | undefined, edit: FindingEdit): EditedFields | undefined {
  if (!current) return undefined;
  const fields: EditedFields = { before: {}, after: {} };
  if (edit.assigneeId !== undefined && edit.assigneeId !== current.assigneeId) {
    fields.before.assigneeId = current.assigneeId;
    fields.after.assigneeId = edit.assigneeId;
  }
  if (edit.ticketUrl !== undefined && edit.ticketUrl !== current.ticketUrl) {
    fields.before.ticketUrl = current.ticketUrl;
    fields.after.ticketUrl = edit.ticketUrl;
  }
  const kept = current.labels.filter((label) => !edit.removeLabels?.includes(label));
  const labels = [...new Set([...kept, ...(edit.addLabels ?? [])])].toSorted();
  if (labels.length > MAX_FINDING_LABELS)
    throw Conflict(`A vulnerability can have ${MAX_FINDING_LABELS} labels. Remove some of them first.`);
  if (!sameLabels(labels, current.labels)) {
    fields.before.labels = current.labels.toSorted();
    fields.after.labels = labels;
  }
  return Object.keys(fields.after).length === 0 ? undefined : fields;
}

const sameLabels = (one: readonly string[], other: readonly string[]) =>
  JSON.stringify(one.toSorted()) === JSON.stringify(other.toSorted());

const hasFields = (current: CurrentFields, { assigneeId, ticketUrl, labels }: TriageFields): boolean =>
  (assigneeId === undefined || assigneeId === current.assigneeId) &&
  (ticketUrl === undefined || ticketUrl === current.ticketUrl) &&
  (labels === undefined || sameLabels(labels, current.labels));

/** Who edits: a member, or an integration without an account. */
interface Editor {
  orgId: string;
  accountId: string | null;
  auditActor: AuditActor;
}

const editorOf = (actor: Actor): Editor => ({ orgId: actor.orgId, accountId: actor.accountId, auditActor: actor });

/** Writes fields, history and one audit entry. Returns the ID of the edit; null without changes. */
async function saveEdit(
  services: Services,
  tx: Tx,
  editor: Editor,
  edited: readonly EditedFinding[],
): Promise<string | null> {
  const [first] = edited;
  if (!first) return null;
  const { orgId } = editor;
  const editId = newId();
  await writeFields(tx, orgId, edited);
  const entryId = await recordEdit(services, tx, editor, { editId, edited });
  await tx.query({
    name: 'triage.edited',
    text: `insert into finding_decision (org_id, finding_id, id, kind, account_id, other, entry_id, edit_id)
           select $1, e.finding_id, gen_random_uuid(), 'edited', $2, e.other::jsonb, $3, $4
           from unnest($5::uuid[], $6::text[]) as e(finding_id, other)`,
    values: [
      orgId,
      editor.accountId,
      entryId,
      editId,
      edited.map(({ target }) => target.id),
      edited.map(({ before, after }) => JSON.stringify({ before, after })),
    ],
  });
  await recordFindingStates(
    tx,
    orgId,
    edited.map(({ target }) => target.id),
  );
  tx.afterCommit(() =>
    services.realtime.notifyOrganization(
      orgId,
      'orgFindings',
      edited.length === 1 ? { findingId: first.target.id } : {},
    ),
  );
  return editId;
}

async function writeFields(tx: Tx, orgId: string, edited: readonly EditedFinding[]): Promise<void> {
  const ids = edited.map(({ target }) => target.id);
  const columns = [
    ...(edited.some(({ after }) => after.assigneeId !== undefined)
      ? [
          sql`assignee_id = case when e.fields ? 'assigneeId' then (e.fields ->> 'assigneeId')::uuid else f.assignee_id end`,
        ]
      : []),
    ...(edited.some(({ after }) => after.ticketUrl !== undefined)
      ? [sql`ticket_url = case when e.fields ? 'ticketUrl' then e.fields ->> 'ticketUrl' else f.ticket_url end`]
      : []),
  ];
  // A ticket changes no count: without the column of the assignee, the transaction does not wait for those of others.
  if (columns.length > 0) {
    await sql`
      update finding f set ${sql.join(columns)}
      from unnest(${ids}::uuid[], ${edited.map(({ after }) => JSON.stringify(after))}::jsonb[]) as e(id, fields)
      where f.org_id = ${orgId} and f.id = e.id and (e.fields ? 'assigneeId' or e.fields ? 'ticketUrl')`.execute(tx.db);
  }
  await writeLabels(tx, orgId, edited);
}

/** Deletes and inserts the labels that differ: each row costs entries of two indexes and of its counts. */
async function writeLabels(tx: Tx, orgId: string, edited: readonly EditedFinding[]): Promise<void> {
  const differences = (one: keyof EditedFields, other: keyof EditedFields) =>
    edited.flatMap(({ target, ...fields }) =>
      (fields[one].labels ?? [])
        .filter((label) => !fields[other].labels?.includes(label))
        .map((label) => ({ id: target.id, label })),
    );
  const valuesOf = (rows: readonly { id: string; label: string }[]) => [
    orgId,
    rows.map(({ id }) => id),
    rows.map(({ label }) => label),
  ];
  const removed = differences('before', 'after');
  if (removed.length > 0)
    await tx.query({
      name: '',
      text: `delete from finding_label l using unnest($2::uuid[], $3::text[]) as r(id, label)
             where l.org_id = $1 and l.finding_id = r.id and l.label = r.label`,
      values: valuesOf(removed),
    });
  const added = differences('after', 'before');
  if (added.length > 0)
    await tx.query({
      name: '',
      // Looked up one by one: a join may read all findings.
      text: `insert into finding_label (org_id, finding_id, label, status, lane, discovered_at, repository_id, title_id)
             select $1, f.id, l.label, f.status, f.lane, f.discovered_at, f.repository_id, f.title_id
             from unnest($2::uuid[], $3::text[]) as l(id, label) cross join lateral (
               select * from finding f where f.org_id = $1 and f.id = l.id limit 1) f`,
      values: valuesOf(added),
    });
}

/** One entry for all findings; their own history refers to it. Labels and tickets are free text, as comments are. */
function recordEdit(
  services: Services,
  tx: Tx,
  { orgId, auditActor }: Editor,
  { editId, edited }: { editId: string; edited: readonly EditedFinding[] },
): Promise<string> {
  const [first] = edited;
  const only = edited.length === 1 ? first : undefined;
  const fields = [...new Set(edited.flatMap(({ after }) => Object.keys(after)))].toSorted();
  const freeText = only && {
    before: freeTextOf(only.before),
    after: freeTextOf(only.after),
  };
  return recordAuditEntry(tx, {
    people: services.people,
    orgId,
    actor: auditActor,
    entry: {
      action: 'finding.edited',
      subject: only ? { kind: 'finding', id: only.target.id } : { kind: 'organization', id: orgId },
      data: {
        editId,
        fields,
        ...(only ? { title: only.target.title, repository: only.target.repositoryId } : { findings: edited.length }),
        ...(only?.after.assigneeId !== undefined && {
          before: { assigneeId: only.before.assigneeId ?? null },
          after: { assigneeId: only.after.assigneeId },
        }),
      },
      ...(freeText && { personal: freeText }),
    },
  });
}

const freeTextOf = ({ ticketUrl, labels }: TriageFields) => ({
  ...(ticketUrl !== undefined && { ticketUrl }),
  ...(labels !== undefined && { labels }),
});
