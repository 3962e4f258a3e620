import { withoutIndependentCount } from '@sightline/evidence/controls/completeness.ts';
import type { DigestRow } from '@sightline/evidence/controls/rows.ts';
import { entryJoinSql } from '#core/recorded-facts.ts';
import type { Tx } from '#database/database.ts';
import type { Population, PopulationQuery } from './population.ts';

const BATCH_SIZE = 5_000;

interface DigestFactRow {
  [column: string]: unknown;
  id: string;
  repository_id: string;
  due_at: Date;
  at: string;
  sha: string;
  leaf: number | null;
  signed: { at: string; sha: string; leaf: number | null }[];
}

/** Every commit digest that was due in the period, with its sign-offs at the checkpoint. */
export const population: Population<DigestRow> = {
  async *rows(tx, query) {
    for (let after = [query.period.from, '00000000-0000-0000-0000-000000000000']; ; ) {
      const rows = await digestsAsOf(tx, query, after);
      const last = rows.at(-1);
      if (!last) return;
      after = [last.at, last.id];
      yield rows.map((row) => rowOf(row, query.asOf.at));
      if (rows.length < BATCH_SIZE) return;
    }
  },
  // Sightline creates the digests itself, so all of them exist.
  completeness: async (tx, query) => {
    const [{ found = 0 } = {}] = await tx.query<{ found: number }>({
      name: 'controls.digests-found',
      text: `select count(*)::int as found from commit_digest d ${entrySql}
             where d.org_id = $1 and d.due_at >= $2 and d.due_at < $3`,
      values: [query.orgId, query.period.from, query.period.to, query.asOf.epoch, query.asOf.size],
    });
    return [withoutIndependentCount('digests', found)];
  },
};

const entrySql = entryJoinSql('entry', { fact: 'd', epoch: '$4', size: '$5' });

const digestsAsOf = (
  tx: Tx,
  { orgId, period, asOf }: PopulationQuery,
  after: readonly (string | undefined)[],
): Promise<DigestFactRow[]> =>
  tx.query<DigestFactRow>({
    name: 'controls.digests',
    text: `select d.id, d.repository_id, d.due_at, d.due_at::text as at, encode(d.body_sha256, 'hex') as sha, entry.leaf::int, s.signed
           from commit_digest d ${entrySql} cross join lateral (
             select coalesce(jsonb_agg(jsonb_build_object(
               'at', to_char(v.at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'),
               'sha', encode(v.body_sha256, 'hex'), 'leaf', seen.leaf) order by v.at, v.id), '[]') as signed
             from commit_digest_review v ${entryJoinSql('seen', { fact: 'v', epoch: '$4', size: '$5' })}
             where v.org_id = d.org_id and v.digest_id = d.id and v.completes
           ) s
           where d.org_id = $1 and d.due_at >= $2 and d.due_at < $3 and (d.due_at, d.id) > ($6::timestamptz, $7::uuid)
           order by d.due_at, d.id limit ${BATCH_SIZE}`,
    values: [orgId, period.from, period.to, asOf.epoch, asOf.size, ...after],
  });

const rowOf = (
  { id, repository_id: repository, due_at: dueAt, sha, leaf, signed }: DigestFactRow,
  evaluatedAt: string,
): DigestRow => ({
  subject: `digest:${id}`,
  repository,
  leaf,
  leaves: [leaf, ...signed.map((one) => one.leaf)].flatMap((index) => index ?? []),
  waivers: [],
  dueAt: dueAt.toISOString(),
  evaluatedAt: evaluatedAt,
  bodySha256: sha,
  signOffs: { state: 'complete', value: signed.map(({ at, sha: seen }) => ({ at, bodySha256: seen })) },
});
