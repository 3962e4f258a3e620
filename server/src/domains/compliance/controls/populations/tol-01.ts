import { withoutIndependentCount } from '@sightline/evidence/controls/completeness.ts';
import type { ToolDecision, ToolUseRow } from '@sightline/evidence/controls/rows.ts';
import { entryJoinSql, isRecordedSql } from '#core/recorded-facts.ts';
import type { Tx } from '#database/database.ts';
import type { Population, PopulationQuery } from './population.ts';
import { distinctLeaves, known, missing } from './row-values.ts';

/** Each tool per person or repository that used it in the period, by the last sighting. */
export const population: Population<ToolUseRow> = {
  async *rows(tx, query) {
    const decisions = await decisionsOf(tx, query);
    for await (const sightings of sightingsOf(tx, query)) {
      yield sightings.map((seen): ToolUseRow => {
        const toolDecisions = decisions.get(seen.tool) ?? [];
        return {
          subject: `tool:${seen.tool}:${seen.holder}:${seen.id}`,
          repository: seen.holder === 'repository' ? seen.id : null,
          leaf: seen.leaf,
          leaves: distinctLeaves([seen.leaf, ...toolDecisions.map(({ leaf }) => leaf)]),
          waivers: [],
          seenAt: seen.at.toISOString(),
          firstSeenAt: seen.first.toISOString(),
          version: seen.version === '' ? missing : known(seen.version),
          decisions: known(toolDecisions.map(({ leaf: _, ...decision }) => decision)),
        };
      });
    }
  },
  async completeness(tx, query) {
    let found = 0;
    for await (const sightings of sightingsOf(tx, query)) found += sightings.length;
    return [withoutIndependentCount('tools', found)];
  },
};

const BATCH_SIZE = 2_000;

interface ToolSightingRow extends Record<string, unknown> {
  tool: string;
  holder: 'person' | 'repository';
  id: string;
  version: string;
  at: Date;
  first: Date;
  leaf: number | null;
}

async function* sightingsOf(tx: Tx, { orgId, period, asOf }: PopulationQuery): AsyncGenerator<ToolSightingRow[]> {
  for (let after = ['', '', '00000000-0000-0000-0000-000000000000']; ; ) {
    const rows = await tx.query<ToolSightingRow>({
      name: 'population.tol-01',
      text: `select distinct on (s.tool_id, s.holder, s.holder_id) s.tool_id as tool, s.holder, s.holder_id as id, s.version, s.seen_at as at,
               entry.leaf::int, (select min(f.seen_at) from tool_sighting f ${entryJoinSql('other', { fact: 'f', epoch: '$2', size: '$3' })}
                 where f.org_id = s.org_id and f.tool_id = s.tool_id) as first
             from tool_sighting s ${entryJoinSql('entry', { fact: 's', epoch: '$2', size: '$3' })}
             where s.org_id = $1 and s.seen_at >= $4 and s.seen_at < $5 and (s.tool_id, s.holder, s.holder_id) > ($6, $7, $8::uuid)
             order by s.tool_id, s.holder, s.holder_id, s.seen_at desc, s.version desc limit ${BATCH_SIZE}`,
      values: [orgId, asOf.epoch, asOf.size, period.from, period.to, ...after],
    });
    const last = rows.at(-1);
    if (!last) return;
    after = [last.tool, last.holder, last.id];
    yield rows;
    if (rows.length < BATCH_SIZE) return;
  }
}

/** The decisions of policies by tool. A policy that was archived after the checkpoint is still active there. */
async function decisionsOf(
  tx: Tx,
  { orgId, asOf }: PopulationQuery,
): Promise<Map<string, (ToolDecision & { leaf: number | null })[]>> {
  const rows = await tx.query<{
    kind: string;
    tools: { id: string; versions: string[] | null }[] | null;
    from: Date;
    until: Date | null;
    leaf: number | null;
  }>({
    name: 'population.tol-01-policies',
    text: `select p.kind, p.scope->'tools' as tools, p.valid_from as from, entry.leaf::int,
             case when ${isRecordedSql({ fact: 'p', entry: 'ended_entry_id', epoch: '$2', size: '$3' })} then p.valid_until end as until
           from policy p ${entryJoinSql('entry', { fact: 'p', epoch: '$2', size: '$3' })}
           where p.org_id = $1 and p.kind in ('tool-allow', 'tool-deny') order by p.valid_from, p.id, p.version`,
    values: [orgId, asOf.epoch, asOf.size],
  });
  const decisions = new Map<string, (ToolDecision & { leaf: number | null })[]>();
  for (const { kind, tools, from, until, leaf } of rows) {
    for (const { id, versions } of tools ?? []) {
      const decision = kind === 'tool-allow' ? ('approved' as const) : ('denied' as const);
      const one = { decision, from: from.toISOString(), until: until?.toISOString() ?? null, versions, leaf };
      decisions.set(id, [...(decisions.get(id) ?? []), one]);
    }
  }
  return decisions;
}
