import type { TicketTarget, TrackerName } from '@sightline/contract/sources/trackers.ts';
import type { Actor } from '#core/actor.ts';
import { recordAuditEntry } from '#core/audit.ts';
import { Conflict, Invalid } from '#core/errors.ts';
import { newId } from '#core/ids.ts';
import type { Services } from '#core/services.ts';
import type { Tx } from '#database/database.ts';
import { queueTrackerSync } from './queue.ts';
import { type NamedTicketKey, resolveTicketKeys, saveResolvedTickets, type TicketResolution } from './resolve.ts';
import { listConnectedTrackers, maybeTrackerRow, parseProjects, sealNewHookSecret } from './row.ts';
import type { TicketSubjects } from './topics.ts';

/** What the keys in a pull request refer to. See resolve.ts. */
export { type NamedTicketKey, resolveTicketKeys, saveResolvedTickets, type TicketResolution };

/** Queues a sync of the trackers with tickets of these subjects, whose state may have changed. */
export async function queueTicketsOf(
  services: Pick<Services, 'jobs' | 'realtime'>,
  tx: Tx,
  orgId: string,
  { kind, ids }: TicketSubjects,
): Promise<void> {
  const rows = await tx.query<{ tracker: TrackerName }>({
    name: 'trackers.of-subjects',
    text: `select distinct r.tracker from ticket_link l join ticket_request r on r.org_id = $1 and r.id = l.request_id
           where l.org_id = $1 and l.kind = $2 and l.subject_id = any($3::uuid[])`,
    values: [orgId, kind, ids],
  });
  for (const { tracker } of rows) await queueTrackerSync(services, tx, orgId, { tracker, ids: [] });
}

/** Moves the ticket of merged subjects to the one that remains, unless it has a ticket of its own. */
export const moveTicket = (tx: Tx, orgId: string, { kind, ids }: TicketSubjects, into: string): Promise<unknown> =>
  tx.query({
    name: 'trackers.move-link',
    text: `update ticket_link set subject_id = $4 where org_id = $1 and kind = $2 and subject_id = (
             select min(subject_id::text)::uuid from ticket_link where org_id = $1 and kind = $2 and subject_id = any($3::uuid[]))
             and not exists (select from ticket_link where org_id = $1 and kind = $2 and subject_id = $4)`,
    values: [orgId, kind, ids, into],
  });

/** A ticket to create for one subject. */
export interface TicketDraft {
  subjectId: string;
  title: string;
  /** Plain text. */
  text: string;
}

const MAX_TITLE = 250;
const MAX_TEXT = 30_000;

/**
 * Requests tickets for subjects, each one or one for all, and queues their creation. Subjects with a ticket are
 * skipped, unless it is missing or could not be created. Throws `conflict` if the tracker is not connected, and
 * `validation_failed` for an unknown project or type.
 */
export async function requestTickets(
  services: Services,
  tx: Tx,
  actor: Actor,
  {
    kind,
    drafts,
    target,
    titleOfAll,
  }: {
    kind: TicketSubjects['kind'];
    drafts: readonly TicketDraft[];
    target: TicketTarget;
    titleOfAll: (count: number) => string;
  },
): Promise<{ requested: number; skipped: number }> {
  const { orgId } = actor;
  await requireProject(tx, orgId, target);
  const open = await unlinkTickets(tx, orgId, kind, drafts);
  const groups =
    target.grouping === 'each' || open.length < 2
      ? open.map((draft) => ({ ...draft, subjects: [draft.subjectId] }))
      : [
          {
            title: titleOfAll(open.length),
            text: open.map(({ title, text }) => `${title}\n${text}`).join('\n\n'),
            subjects: open.map(({ subjectId }) => subjectId),
          },
        ];
  for (const { title, text, subjects } of groups) {
    const id = newId();
    await tx.db
      .insertInto('ticket_request')
      .values({
        org_id: orgId,
        id,
        tracker: target.tracker,
        project: target.project,
        type: target.type,
        title: oneLine(title).slice(0, MAX_TITLE),
        text: text.slice(0, MAX_TEXT),
        state: 'pending',
        requested_by: actor.accountId,
      })
      .execute();
    await tx.db
      .insertInto('ticket_link')
      .values(subjects.map((subject_id) => ({ org_id: orgId, kind, subject_id, request_id: id })))
      .execute();
  }
  if (groups.length > 0) {
    await recordAuditEntry(tx, {
      people: services.people,
      orgId,
      actor,
      entry: {
        action: 'tickets.requested',
        subject: { kind: 'installation', id: target.tracker },
        data: {
          provider: target.tracker,
          project: target.project,
          about: kind,
          tickets: groups.length,
          subjects: open.map(({ subjectId }) => subjectId),
        },
      },
    });
    await queueTrackerSync(services, tx, orgId, { tracker: target.tracker, ids: [] });
  }
  return { requested: groups.length, skipped: drafts.length - open.length };
}

const oneLine = (text: string): string => text.replaceAll(/\s+/g, ' ').trim();

async function requireProject(tx: Tx, orgId: string, { tracker, project, type }: TicketTarget): Promise<void> {
  const row = await maybeTrackerRow(tx, orgId, tracker);
  if (!row || row.status === 'inactive') throw Conflict('The issue tracker is not connected.');
  const found = parseProjects(row).find(({ key }) => key === project);
  if (!found) throw Invalid('project', 'is not a project that the connection can read');
  if (found.types.length === 0 ? type !== null : !found.types.includes(type ?? ''))
    throw Invalid('type', `must be ${found.types.join(', ') || 'null'}`);
}

/** Removes links to missing and failed tickets. Returns the drafts whose subjects have no ticket. */
async function unlinkTickets(
  tx: Tx,
  orgId: string,
  kind: string,
  drafts: readonly TicketDraft[],
): Promise<TicketDraft[]> {
  const ids = drafts.map(({ subjectId }) => subjectId);
  await tx.query({
    name: 'trackers.unlink',
    text: `delete from ticket_link l using ticket_request r left join ticket t on t.org_id = $1 and t.id = r.ticket_id
           where l.org_id = $1 and l.kind = $2 and l.subject_id = any($3::uuid[]) and r.org_id = $1 and r.id = l.request_id
             and (r.state = 'failed' or t.state = 'missing')`,
    values: [orgId, kind, ids],
  });
  const rows = await tx.query<{ id: string }>({
    name: 'trackers.linked-subjects',
    text: 'select subject_id as id from ticket_link where org_id = $1 and kind = $2 and subject_id = any($3::uuid[])',
    values: [orgId, kind, ids],
  });
  const linked = new Set(rows.map(({ id }) => id));
  return drafts.filter(({ subjectId }) => !linked.has(subjectId));
}

/**
 * Generates a new secret for each webhook at trackers, which the next sync registers. Until then, deliveries with the
 * previous secret are accepted. Returns the number of webhooks.
 */
export async function rotateTrackerSecrets(services: Services, tx: Tx, orgId: string): Promise<number> {
  let count = 0;
  for (const row of await listConnectedTrackers(tx, orgId)) {
    if (row.hook_id === null || row.hook_secret === null) continue;
    count += 1;
    const tracker = row.name as TrackerName;
    if (row.previous_hook_secret === null || row.previous_hook_until !== null) {
      await tx.db
        .updateTable('tracker')
        .set({
          hook_secret: sealNewHookSecret(services.secrets, orgId, tracker),
          previous_hook_secret: row.hook_secret,
          previous_hook_until: null,
        })
        .where('org_id', '=', orgId)
        .where('name', '=', tracker)
        .execute();
    }
    await queueTrackerSync(services, tx, orgId, { tracker });
  }
  return count;
}
