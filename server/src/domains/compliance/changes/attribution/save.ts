import { canonicalJson } from '@sightline/evidence/ledger/canonical.ts';
import { sha256 } from '#core/hmac.ts';
import { factId } from '#core/ids.ts';
import { appendEntries, createLedgerEntry, type LedgerEntry } from '#core/ledger.ts';
import type { Services } from '#core/services.ts';
import type { Tx } from '#database/database.ts';
import type { HostCommit } from '../../../../providers/host-facts.ts';
import { storeAgentShares } from '../../../sources/attribution/commands.ts';
import { resolveActors } from '../actors.ts';
import type { RecordedRepository } from '../scope.ts';
import { participantsOf, sessionOwnersOf } from '../writers.ts';
import { type AttributionClaim, countLines } from './attribution-claim.ts';
import { addAttributionToEvents } from './events.ts';
import type { AttributionReadings } from './read.ts';
import type { AttributionRow } from './row.ts';

/** The change of some commits; `number` is null for a direct push. */
interface ChangeKey {
  changeId: string;
  number: number | null;
}

/**
 * Stores the attributions of a change once, even if its record is rebuilt. Adds them to the events of its commits and
 * merge, and stores reading statistics. Earlier attributions remain.
 */
export async function saveAttributions(
  services: Services,
  tx: Tx,
  {
    place,
    of,
    commits,
    found,
  }: { place: RecordedRepository; of: ChangeKey; commits: readonly HostCommit[]; found: AttributionReadings },
): Promise<void> {
  const { orgId, repositoryId, provider } = place;
  await saveReadings(tx, orgId, of.changeId, found);
  if (found.attributed.length === 0) return;
  const ownerOf = await ownersOf(services, tx, { recordedRepository: place, commits, attributionReadings: found });
  const groups = [...Map.groupBy(found.attributed, groupKey).values()].flatMap((claims) =>
    groupOf(place, of, claims, ownerOf(claims[0]?.commit ?? '')),
  );
  const rows = groups.flatMap((group) => group.rows);
  await addAttributionToEvents(services, tx, { recordedRepository: place, ...of, rows });
  const added = await tx.query<{ entry_id: string }>({
    name: 'changes.attributions',
    text: `insert into ai_attribution (org_id, id, repository_id, change_id, commit_sha, path, lines, agent, model, session, session_owner,
             source, confidence, carried_from, entry_id)
           select $1, r.id, $2, $3, r.sha, r.path, case when r.from is not null then int4range(r.from, r.to, '[]') end, r.agent, r.model,
             r.session, r.owner, r.source, r.confidence, r."carriedFrom", r.entry
           from jsonb_to_recordset($4::jsonb) as r(id uuid, sha text, path text, "from" int, "to" int, agent text, model text, session text,
             owner uuid, source text, confidence text, "carriedFrom" text, entry uuid)
           on conflict do nothing returning entry_id`,
    values: [orgId, repositoryId, of.changeId, JSON.stringify(rows)],
  });
  await storeAgentShares(
    tx,
    orgId,
    repositoryId,
    rows.flatMap(({ sha, from }) => (from === null ? [] : sha)),
  );
  const fresh = new Set(added.map(({ entry_id: id }) => id));
  const at = new Date().toISOString();
  const entries = groups.flatMap(({ id, subject }): LedgerEntry[] => {
    const fact = { id, org: orgId, kind: 'attribution', asOf: at, receivedAt: at, person: null, source: provider };
    return fresh.has(id) ? [createLedgerEntry({ ...fact, subject, personal: {} }, undefined)] : [];
  });
  await appendEntries(tx, orgId, entries);
}

/** One session of an agent in one commit is one ledger entry. */
const groupKey = ({ commit, source, agent, model, session, confidence, carriedFrom }: AttributionClaim): string =>
  JSON.stringify([
    commit,
    source,
    agent,
    model,
    session,
    confidence,
    ...(carriedFrom === undefined ? [] : [carriedFrom]),
  ]);

function groupOf(
  { repositoryId }: RecordedRepository,
  { changeId }: ChangeKey,
  claims: readonly AttributionClaim[],
  owner: string | null,
) {
  const [first] = claims;
  if (!first) return [];
  const { commit, source, agent, model, session, confidence, carriedFrom } = first;
  const ranges = claims.flatMap(({ path, lines }): Pick<AttributionRow, 'path' | 'from' | 'to'>[] =>
    lines.length === 0 ? [{ path, from: null, to: null }] : lines.map(({ from, to }) => ({ path, from, to })),
  );
  // An entry has at most 64 KiB, so it contains a hash of the ranges.
  const hash = sha256(canonicalJson(ranges.map(({ path, from, to }) => [path, from, to]))).toString('hex');
  const entry = factId('attribution', changeId, groupKey(first), hash);
  const paths = Map.groupBy(claims, ({ path }) => path);
  const lines = [...paths.values()].reduce((sum, all) => sum + countLines(all.flatMap((one) => one.lines)), 0);
  const subject = {
    repository: repositoryId,
    change: changeId,
    sha: commit,
    agent,
    model,
    session,
    source,
    confidence,
    sessionOwner: owner,
    files: paths.size - Number(paths.has(null)),
    lines,
    stretches: hash,
    ...(carriedFrom !== undefined && { carriedFrom }),
  };
  const rows = ranges.map(
    (one): AttributionRow => ({
      id: factId('attributed', changeId, groupKey(first), one.path ?? '', one.from ?? 0, one.to ?? 0),
      sha: commit,
      ...one,
      agent,
      model,
      session,
      owner,
      source,
      confidence,
      carriedFrom: carriedFrom ?? null,
      entry,
    }),
  );
  return [{ id: entry, subject, rows }];
}

/** Returns who started the agents of a commit: the first resolved owner. */
async function ownersOf(
  services: Services,
  tx: Tx,
  {
    recordedRepository: { orgId, provider },
    commits,
    attributionReadings: { attributed },
  }: {
    recordedRepository: RecordedRepository;
    commits: readonly HostCommit[];
    attributionReadings: AttributionReadings;
  },
) {
  const written = participantsOf(commits, attributed);
  const actors = await resolveActors(services, tx, orgId, { provider, named: written.named });
  return (sha: string): string | null => {
    const ofCommit = written.commits.filter(({ commit }) => commit.sha === sha);
    const [owner] = sessionOwnersOf({ ...written, commits: ofCommit }, actors);
    return owner && owner.identity !== 'unresolved' ? owner.person : null;
  };
}

const saveReadings = async (
  tx: Tx,
  orgId: string,
  changeId: string,
  { readings }: AttributionReadings,
): Promise<void> => {
  if (readings.length === 0) return;
  await tx.query({
    name: 'changes.readings',
    text: `insert into attribution_reading as a (org_id, change_id, source, records, malformed, unmatched, dropped, foreign_lines)
           select $1, $2, r.source, r.records, r.malformed, r.unmatched, r."dropped", r."foreign"
           from jsonb_to_recordset($3::jsonb) as r(source text, records int, malformed int, unmatched int, "dropped" int, "foreign" int)
           on conflict (org_id, change_id, source) do update set read_at = now(), records = excluded.records,
             malformed = excluded.malformed, unmatched = excluded.unmatched, dropped = excluded.dropped, foreign_lines = excluded.foreign_lines`,
    values: [orgId, changeId, JSON.stringify(readings)],
  });
};
