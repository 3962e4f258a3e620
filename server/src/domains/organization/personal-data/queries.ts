import type { Pause, PersonalData, PersonalDataItem } from '@sightline/contract/organization/personal-data.ts';
import type { Summary } from '@sightline/contract/timeline/events.ts';
import type { Actor } from '#core/actor.ts';
import { fullSummary } from '#core/event-text.ts';
import type { Services } from '#core/services.ts';
import type { Tx } from '#database/database.ts';
import { maybeLatestErasure } from '../erasure/queries.ts';
import { type PersonalDataKind, personalDataCatalog } from './catalog.ts';

/** The current and former person IDs of the actor. */
export const personIdsOfActor = ({ personId, formerIds }: Actor): string[] => [personId, ...formerIds];

/** The personal data of the actor, and of no other person. */
export async function findPersonalData(services: Services, actor: Actor): Promise<PersonalData> {
  const { config, database } = services;
  const archived = await archivedEventsOf(services, actor);
  return database.withOrg(actor.orgId, async (tx) => {
    const items: PersonalDataItem[] = [];
    for (const recorded of personalDataCatalog(config))
      items.push(withArchived(await countOf(tx, actor, recorded), recorded, archived));
    return {
      items,
      pauses: await listPauses(tx, actor, archived),
      erasure: await maybeLatestErasure(tx, actor.orgId, actor.personId),
      backupDays: config.BACKUP_DAYS ?? null,
    };
  });
}

/** An archived event, with its sentence if it may be about a pause. */
interface ArchivedEvent {
  at: string;
  kind: string;
  source: string;
  pause: string | undefined;
}

async function archivedEventsOf({ archivedEvents }: Services, actor: Actor): Promise<ArchivedEvent[]> {
  const events: ArchivedEvent[] = [];
  for await (const rows of archivedEvents.eventsOf(actor.orgId, personIdsOfActor(actor))) {
    for (const { as_of, kind, source, summary } of rows) {
      const isPause = kind === 'other' && /(?:paused|resumed) recording/.test(summary);
      const at = new Date(`${as_of.replace(' ', 'T')}:00`).toISOString();
      events.push({ at, kind, source, pause: isPause ? summary : undefined });
    }
  }
  return events;
}

/** Adds archived events to a count of rows. */
function withArchived(
  item: PersonalDataItem,
  { countsArchived, beginsWithArchived }: PersonalDataKind,
  archived: readonly ArchivedEvent[],
): PersonalDataItem {
  const counted = countsArchived ? archived.filter(countsArchived) : [];
  const older = beginsWithArchived ? archived.filter(beginsWithArchived) : [];
  const first = [item.first, ...[...counted, ...older].map(({ at }) => at)].filter((at) => at !== null).sort()[0];
  const last = [item.last, ...counted.map(({ at }) => at)]
    .filter((at) => at !== null)
    .sort()
    .at(-1);
  return { ...item, count: item.count + counted.length, first: first ?? null, last: last ?? null };
}

async function countOf(
  tx: Tx,
  actor: Actor,
  { counted: text, countsArchived: _counts, beginsWithArchived: _begins, ...item }: PersonalDataKind,
): Promise<PersonalDataItem> {
  const [row] = await tx.query<{ n: number; first: Date | null; last: Date | null }>({
    name: '',
    text: `select c.* from (select $1::uuid as org, $2::uuid[] as persons, $3::uuid as account) given cross join (${text}) c`,
    values: [actor.orgId, personIdsOfActor(actor), actor.accountId],
  });
  return {
    ...item,
    count: row?.n ?? 0,
    first: row?.first?.toISOString() ?? null,
    last: row?.last?.toISOString() ?? null,
  };
}

interface PauseEvent extends Record<string, unknown> {
  at: Date;
  program: string;
  /** In its stored form. */
  summary: string;
}

const maxPauseEvents = 1000;

/** The pauses of the extensions of the actor, the latest first. */
async function listPauses(tx: Tx, actor: Actor, archived: readonly ArchivedEvent[]): Promise<Pause[]> {
  const rows = await tx.query<PauseEvent>({
    name: 'collected.pauses',
    text: `select as_of as at, source as program, summary from event
           where org_id = $1 and actor = any($2::uuid[]) and kind = 'other'
             and (summary like '%paused recording%' or summary like '%resumed recording%')
           order by as_of desc, id desc limit $3`,
    values: [actor.orgId, personIdsOfActor(actor), maxPauseEvents],
  });
  const older = archived.flatMap(({ at, source, pause }) =>
    pause === undefined ? [] : { at: new Date(at), program: source, summary: pause },
  );
  const events = [...rows, ...older].toSorted((one, other) => +other.at - +one.at).slice(0, maxPauseEvents);
  const open = new Map<string, Pause>();
  const pauses: Pause[] = [];
  for (const { at, program, summary } of events.toReversed()) {
    const { phrase } = JSON.parse(fullSummary(summary)) as Summary;
    const begins = phrase.includes('paused recording');
    // A name in a sentence may contain the same words.
    if (!begins && !phrase.includes('resumed recording')) continue;
    const time = at.toISOString();
    const running = open.get(program);
    if (begins && !running) {
      const pause: Pause = { program, side: browsers.has(program) ? 'browser' : 'ide', from: time, to: null };
      open.set(program, pause);
      pauses.push(pause);
    } else if (!begins && running) {
      running.to = time;
      open.delete(program);
    }
  }
  return pauses.reverse();
}

const browsers: ReadonlySet<string> = new Set(['chrome', 'firefox', 'edge', 'brave', 'opera', 'safari']);
