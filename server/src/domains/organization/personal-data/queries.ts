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
export const findPersonalData = ({ config, database }: Services, actor: Actor): Promise<PersonalData> =>
  database.withOrg(actor.orgId, async (tx) => {
    const items: PersonalDataItem[] = [];
    for (const recorded of personalDataCatalog(config)) items.push(await countOf(tx, actor, recorded));
    return {
      items,
      pauses: await listPauses(tx, actor),
      erasure: await maybeLatestErasure(tx, actor.orgId, actor.personId),
      backupDays: config.BACKUP_DAYS ?? null,
    };
  });

async function countOf(tx: Tx, actor: Actor, { counted: text, ...item }: PersonalDataKind): Promise<PersonalDataItem> {
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
async function listPauses(tx: Tx, actor: Actor): Promise<Pause[]> {
  const events = await tx.query<PauseEvent>({
    name: 'collected.pauses',
    text: `select as_of as at, source as program, summary from event
           where org_id = $1 and actor = any($2::uuid[]) and kind = 'other'
             and (summary like '%paused recording%' or summary like '%resumed recording%')
           order by as_of desc, id desc limit $3`,
    values: [actor.orgId, personIdsOfActor(actor), maxPauseEvents],
  });
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
