import { hash } from 'node:crypto';
import pg from 'pg';
import { newId } from '#core/ids.ts';
import type { Tx } from '#database/database.ts';
import { superuserUrl, type TestServer } from '#testing/server.ts';

/** A commit digest without flagged items. */
export interface SeededDigest {
  digestId: string;
}

export const newDigestIds = (): SeededDigest => ({ digestId: newId() });

const counts = {
  changes: 0,
  withoutApproval: 0,
  byAgents: 0,
  commits: 0,
  directCommits: 0,
  newCommitters: 0,
  protectionChanges: 0,
  newTools: 0,
  seriousFindings: 0,
  overTimeLimit: 0,
  waivers: 0,
};
const body = JSON.stringify({ v: 1, counts, flags: [], missingEvidence: [] });
/** The hash of the digest that reviewers sign off on. */
export const digestBodySha256 = hash('sha256', body);

interface DigestFixture extends SeededDigest {
  orgId: string;
  repositoryId: string;
}

export async function insertDigest({ db }: Tx, { orgId, repositoryId, digestId }: DigestFixture): Promise<void> {
  await db
    .insertInto('commit_digest')
    .values({
      org_id: orgId,
      id: digestId,
      repository_id: repositoryId,
      as_of_epoch: 1,
      as_of_size: 1,
      flagged: 0,
      missing_evidence: 0,
      period_from: new Date('2026-01-05T00:00:00Z'),
      period_to: new Date('2026-01-12T00:00:00Z'),
      body,
      body_sha256: Buffer.from(digestBodySha256, 'hex'),
      counts: JSON.stringify(counts),
      entry_id: newId(),
      due_at: new Date('2026-01-12T06:00:00Z'),
    })
    .execute();
}

/** Deletes the reviews. Only a superuser can. */
export async function resetDigests(server: TestServer, orgId: string): Promise<void> {
  const reviewed = await server.services.database.withOrg(orgId, (tx) =>
    tx.db.selectFrom('commit_digest_review').where('org_id', '=', orgId).select('id').limit(1).execute(),
  );
  if (reviewed.length === 0) return;
  const client = new pg.Client({ connectionString: superuserUrl(server.databaseUrl) });
  await client.connect();
  await client.query('delete from commit_digest_review where org_id = $1', [orgId]);
  await client.query(`update commit_digest set state = 'open' where org_id = $1`, [orgId]);
  await client.end();
}
