import { sha256 } from '#core/hmac.ts';
import type { Services } from '#core/services.ts';
import type { Tx } from '#database/database.ts';
import type { HostCommit } from '../../../providers/host-facts.ts';
import { resolveActors } from './actors.ts';
import type { RecordedRepository } from './scope.ts';

/**
 * Stores with which keys committers signed commits, verified or not: a second account of one person often signs with the
 * same key, which the host then cannot verify. Programs sign for everyone.
 */
export async function saveCommitKeys(
  services: Services,
  tx: Tx,
  { orgId, provider }: RecordedRepository,
  commits: readonly HostCommit[],
): Promise<void> {
  const signed = commits.filter(({ signingKey }) => signingKey !== undefined);
  if (signed.length === 0) return;
  const actors = await resolveActors(services, tx, orgId, {
    provider,
    named: signed.map(({ committer }) => committer),
  });
  const rows = signed.flatMap(({ signingKey = '' }, index) => {
    const actor = actors[index];
    const isPerson = actor?.identity === 'resolved' && actor.kind !== 'agent';
    return isPerson ? [{ person: actor.person, key: sha256(signingKey).toString('hex') }] : [];
  });
  await tx.query({
    name: 'changes.saveCommitKeys',
    text: `insert into commit_key (org_id, person_id, key)
           select distinct $1::uuid, k.person, decode(k.key, 'hex') from unnest($2::uuid[], $3::text[]) as k(person, key)
           order by 2, 3 on conflict do nothing`,
    values: [orgId, rows.map(({ person }) => person), rows.map(({ key }) => key)],
  });
}

/** The persons who signed commits with a key, by key, of those who share it with another of the persons. */
// Plan: primary key of each person, with few keys each.
export async function sharedKeysOf(tx: Tx, orgId: string, persons: readonly string[]): Promise<string[][]> {
  const rows = await tx.query<{ owners: string[] }>({
    name: 'changes.sharedKeys',
    text: `select array_agg(person_id::text order by person_id) as owners from commit_key
           where org_id = $1 and person_id = any($2::uuid[]) group by key having count(*) > 1`,
    values: [orgId, persons],
  });
  return rows.map(({ owners }) => owners);
}

/** Moves the keys of a person who was merged into another one. */
export async function moveCommitKeys(tx: Tx, orgId: string, from: string, into: string): Promise<void> {
  await tx.query({
    name: 'changes.moveCommitKeys',
    text: `with moved as (delete from commit_key where org_id = $1 and person_id = $2 returning key)
           insert into commit_key (org_id, person_id, key) select $1, $3, key from moved on conflict do nothing`,
    values: [orgId, from, into],
  });
}
