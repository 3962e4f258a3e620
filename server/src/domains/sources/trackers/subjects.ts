import type { Services } from '#core/services.ts';
import type { Tx } from '#database/database.ts';
import type { TicketSubjects } from './topics.ts';

declare module '#core/services.ts' {
  interface Services {
    /** Which subjects of tickets are done: closed findings, and remediations that are stated as such or retested. */
    doneTicketSubjects: Record<
      TicketSubjects['kind'],
      (tx: Tx, orgId: string, ids: readonly string[]) => Promise<ReadonlySet<string>>
    >;
  }
}

/** What a requested ticket is about, by kind. */
export async function subjectsOf(tx: Tx, orgId: string, requestId: string): Promise<TicketSubjects[]> {
  const rows = await tx.query<{ kind: TicketSubjects['kind']; id: string }>({
    name: 'trackers.subjects',
    text: 'select kind, subject_id as id from ticket_link where org_id = $1 and request_id = $2 order by kind, subject_id',
    values: [orgId, requestId],
  });
  return [...Map.groupBy(rows, ({ kind }) => kind)].map(([kind, all]) => ({ kind, ids: all.map(({ id }) => id) }));
}

/** Done if every subject is; undefined without a subject. */
export async function localStateOf(
  services: Services,
  tx: Tx,
  orgId: string,
  requestId: string,
): Promise<'open' | 'done' | undefined> {
  const subjects = await subjectsOf(tx, orgId, requestId);
  if (subjects.length === 0) return undefined;
  for (const { kind, ids } of subjects) {
    const done = await services.doneTicketSubjects[kind](tx, orgId, ids);
    if (ids.some((id) => !done.has(id))) return 'open';
  }
  return 'done';
}
