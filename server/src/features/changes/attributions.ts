import { idOf } from '#core/ids.ts';
import { appendEntries, entryOf } from '#core/ledger.ts';
import type { Services } from '#core/services.ts';
import type { Tx } from '#database/database.ts';
import type { HostCommit } from '#providers/code-host.ts';
import { actorsOf } from './actors.ts';
import type { Place } from './scope.ts';
import { declaredIn, ownersIn, writersOf } from './writers.ts';

/**
 * Writes down which commits say that an agent wrote for them, and who started it where the commit names them; each once, however
 * often a record of it is made.
 */
export async function keepAttributions(
  services: Services,
  tx: Tx,
  { orgId, repositoryId, provider }: Place,
  commits: readonly HostCommit[],
  notes: ReadonlyMap<string, string>,
): Promise<void> {
  const written = writersOf(commits);
  const declared = declaredIn(written, notes);
  if (declared.length === 0) return;
  const actors = await actorsOf(services, tx, orgId, provider, written.named);
  const rows = declared.map(({ commit, agent, source }) => {
    const id = idOf('attribution', repositoryId, commit, source, agent);
    const ofCommit = written.commits.filter((one) => one.commit.sha === commit);
    const [owner] = ownersIn({ ...written, commits: ofCommit }, actors);
    return { id, sha: commit, agent, source, owner: owner && owner.identity !== 'unresolved' ? owner.person : null };
  });
  if (rows.length === 0) return;
  const added = await tx.query<{ id: string }>({
    name: 'changes.attributions',
    text: `insert into ai_attribution (org_id, id, repository_id, commit_sha, agent, session_owner, source, confidence, entry_id)
           select $1, r.id, $2, r.sha, r.agent, r.owner, r.source, 'declared', r.id
           from jsonb_to_recordset($3::jsonb) as r(id uuid, sha text, agent text, owner uuid, source text)
           on conflict do nothing returning id`,
    values: [orgId, repositoryId, JSON.stringify(rows)],
  });
  const fresh = new Set(added.map(({ id }) => id));
  const at = new Date().toISOString();
  await appendEntries(
    tx,
    orgId,
    rows
      .filter(({ id }) => fresh.has(id))
      .map(({ id, sha, agent, source, owner }) => {
        const subject = { repository: repositoryId, sha, agent, source, confidence: 'declared', sessionOwner: owner };
        const fact = { id, org: orgId, kind: 'attribution', asOf: at, receivedAt: at, person: null, source: provider };
        return entryOf({ ...fact, subject, personal: {} }, undefined);
      }),
  );
}
