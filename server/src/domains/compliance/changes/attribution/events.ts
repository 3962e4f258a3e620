import { namesOfAgent } from '#core/agents.ts';
import { idOf } from '#core/ids.ts';
import type { Services } from '#core/services.ts';
import type { Tx } from '#database/database.ts';
import { appendFields } from '../../../timeline/events/commands.ts';
import type { RecordedRepository } from '../scope.ts';
import type { AttributionRow } from './row.ts';

type AttributionSummary = Pick<AttributionRow, 'sha' | 'agent' | 'model' | 'session' | 'confidence'>;

/**
 * Lets the events of commits and of their merge be found by the agents that rows about to be written name, their models and sessions, beside what they are
 * found by already: what earlier rows said, and commits themselves when their events were made.
 */
export async function tellEvents(
  services: Services,
  tx: Tx,
  {
    recordedRepository: { orgId, repositoryId },
    changeId,
    number,
    rows,
  }: {
    recordedRepository: RecordedRepository;
    changeId: string;
    number: number | null;
    rows: readonly AttributionRow[];
  },
): Promise<void> {
  const known = await tx.query<AttributionSummary & { own: boolean }>({
    name: 'changes.attributedBefore',
    text: `select commit_sha as sha, agent, model, session, confidence, coalesce(change_id = $4, false) as own from ai_attribution
           where org_id = $1 and repository_id = $2 and commit_sha = any($3::text[])
           group by commit_sha, agent, model, session, confidence, coalesce(change_id = $4, false)`,
    values: [orgId, repositoryId, [...new Set(rows.map(({ sha }) => sha))], changeId],
  });
  const before = Map.groupBy(known, ({ sha }) => sha);
  const commits = [...Map.groupBy(rows, ({ sha }) => sha)].map(([sha, said]) => ({
    id: idOf('commit', repositoryId, sha),
    fields: fieldsOf(said),
    known: fieldsOf([...(before.get(sha) ?? []), ...said.filter(({ source }) => isOfItself.has(source))]),
  }));
  const merge = number === null ? [] : [idOf('pull_request.merged', repositoryId, number)];
  const merged = merge.map((id) => ({ id, fields: fieldsOf(rows), known: fieldsOf(known.filter(({ own }) => own)) }));
  await appendFields(services, tx, orgId, [...commits, ...merged]);
}

// What a commit says itself, its event says from the beginning.
const isOfItself: ReadonlySet<string> = new Set(['trailer', 'host']);

const fieldsOf = (said: readonly AttributionSummary[]) => ({
  agent: [...new Set(said.flatMap(({ agent }) => namesOfAgent(agent)))],
  model: [...new Set(said.flatMap(({ model }) => model ?? []))],
  session: [...new Set(said.flatMap(({ session }) => session ?? []))],
  ai: [...new Set(said.map(({ confidence }) => confidence))],
});
