import { agentQueryNames } from '#core/agents.ts';
import { factId } from '#core/ids.ts';
import type { Services } from '#core/services.ts';
import type { Tx } from '#database/database.ts';
import { indexLateFields } from '../../../timeline/events/commands.ts';
import type { RecordedRepository } from '../scope.ts';
import type { AttributionRow } from './row.ts';

type AttributionSummary = Pick<AttributionRow, 'sha' | 'agent' | 'model' | 'session' | 'confidence'>;

/**
 * Adds the agents, models and sessions of new rows to the search fields of the commit and merge events. The known
 * fields come from earlier rows, and from the commits themselves.
 */
export async function addAttributionToEvents(
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
  const commits = [...Map.groupBy(rows, ({ sha }) => sha)].map(([sha, ofCommit]) => ({
    id: factId('commit', repositoryId, sha),
    fields: fieldsOf(ofCommit),
    known: fieldsOf([...(before.get(sha) ?? []), ...ofCommit.filter(({ source }) => commitSources.has(source))]),
  }));
  const merge = number === null ? [] : [factId('pull_request.merged', repositoryId, number)];
  const merged = merge.map((id) => ({ id, fields: fieldsOf(rows), known: fieldsOf(known.filter(({ own }) => own)) }));
  await indexLateFields(services, tx, orgId, [...commits, ...merged]);
}

// Sources within the commit: the event of the commit has these fields from the beginning.
const commitSources: ReadonlySet<string> = new Set(['trailer', 'host']);

const fieldsOf = (rows: readonly AttributionSummary[]) => ({
  agent: [...new Set(rows.flatMap(({ agent }) => agentQueryNames(agent)))],
  model: [...new Set(rows.flatMap(({ model }) => model ?? []))],
  session: [...new Set(rows.flatMap(({ session }) => session ?? []))],
  ai: [...new Set(rows.map(({ confidence }) => confidence))],
});
