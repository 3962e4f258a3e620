import type { ToolTab } from '@sightline/contract/tools/tools.ts';
import { newId } from '#core/ids.ts';
import { appendEntries, createLedgerEntry } from '#core/ledger.ts';
import type { Tx } from '#database/database.ts';

/** A tool of a person or repository at a time. */
interface ToolSighting {
  tab: ToolTab;
  toolId: string;
  holder: 'person' | 'repository';
  holderId: string;
  version: string | null;
  at: Date;
}

// Number of sightings per ledger entry, independent of the length of tool names.
const BATCH_SIZE = 100;

/** Records the first sighting per day (UTC), with a ledger entry for each hundred. */
export async function recordDailySightings(tx: Tx, orgId: string, seen: readonly ToolSighting[]): Promise<void> {
  for (let start = 0; start < seen.length; start += BATCH_SIZE) {
    const [id, rows] = [newId(), seen.slice(start, start + BATCH_SIZE)];
    const fresh = await tx.query<{
      tab: string;
      tool: string;
      holder: string;
      id: string;
      version: string;
      day: string;
    }>({
      name: 'tools.sightings',
      text: `insert into tool_sighting (org_id, tool_id, holder, holder_id, version, day, seen_at, entry_id, tab)
             select $1, s.tool, s.holder, s.id, s.version, (s.at at time zone 'UTC')::date, s.at, $2, s.tab
             from unnest($3::text[], $4::text[], $5::uuid[], $6::text[], $7::timestamptz[], $8::text[]) as s(tool, holder, id, version, at, tab)
             order by s.tool, s.holder, s.id, s.version, s.tab, s.at
             on conflict do nothing
             returning tab, tool_id as tool, holder, holder_id as id, version, to_char(day, 'YYYY-MM-DD') as day`,
      values: [
        ...[orgId, id, rows.map(({ toolId }) => toolId), rows.map(({ holder }) => holder)],
        ...[rows.map(({ holderId }) => holderId), rows.map(({ version }) => (version ?? '').slice(0, 100))],
        ...[rows.map(({ at }) => at), rows.map(({ tab }) => tab)],
      ],
    });
    if (fresh.length === 0) continue;
    const now = new Date().toISOString();
    const fact = { id, org: orgId, kind: 'tools.seen', asOf: now, receivedAt: now, person: null, source: 'sightline' };
    await appendEntries(tx, orgId, [
      createLedgerEntry({ ...fact, subject: { sightings: fresh }, personal: {} }, undefined),
    ]);
  }
}

/** Records the tools that the files of a repository reference, as of its latest scan. */
export async function recordRepositorySightings(tx: Tx, orgId: string, repositoryId: string, at: Date): Promise<void> {
  const current = await tx.query<{ toolId: string; version: string | null }>({
    name: 'tools.named',
    text: `select tool_id as "toolId", max(version) as version from tool_detection
           where org_id = $1 and repository_id = $2 and removed_at is null group by tool_id order by tool_id`,
    values: [orgId, repositoryId],
  });
  await recordDailySightings(
    tx,
    orgId,
    current.map((one) => ({ ...one, tab: 'ci/cd', holder: 'repository', holderId: repositoryId, at })),
  );
}
