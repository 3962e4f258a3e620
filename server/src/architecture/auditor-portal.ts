import { createHash, randomBytes } from 'node:crypto';
import pg from 'pg';
import { createPortalVisitToken, portalCookieName } from '#core/auditor-portals.ts';
import { newId } from '#core/ids.ts';
import { secretHash } from '#core/org-secrets.ts';
import type { Tx } from '#database/database.ts';
import { superuserUrl, type TestServer } from '#testing/server.ts';

/** An open auditor portal over one snapshot, with an evidence request, a sample, a file and one portal session. */
export interface SeededPortal {
  portalId: string;
  requestId: string;
  sampleId: string;
  /** Of the organization, about the sample. */
  attachmentId: string;
  /** A result of the auditor. */
  resultId: string;
  /** The cookie of the portal session. */
  portalCookie: string;
}

export const newPortal = (orgId: string): SeededPortal => ({
  portalId: newId(),
  requestId: newId(),
  sampleId: newId(),
  attachmentId: newId(),
  resultId: newId(),
  portalCookie: `${portalCookieName(false)}=${createPortalVisitToken(orgId).secret}`,
});

interface PortalFixture extends SeededPortal {
  orgId: string;
  owner: string;
  name: string;
  snapshotId: string;
}

export async function insertPortal({ db }: Tx, fixture: PortalFixture): Promise<void> {
  const { orgId: org_id, portalId, requestId, portalCookie, owner, name, snapshotId } = fixture;
  await db
    .insertInto('auditor_portal')
    .values({
      org_id,
      id: portalId,
      name: `Portal of ${name}`,
      auditor_name: `Auditor of ${name}`,
      redaction: 'none',
      token_hash: randomBytes(32),
      created_by: owner,
      expires_at: new Date(Date.now() + 86_400_000),
    })
    .execute();
  await db
    .insertInto('auditor_portal_snapshot')
    .values({ org_id, portal_id: portalId, snapshot_id: snapshotId })
    .execute();
  await db
    .insertInto('evidence_request')
    .values({ org_id, portal_id: portalId, id: requestId, text: `Where is ${name}?` })
    .execute();
  await insertSample(db, fixture);
  const hash = secretHash(portalCookie.slice(portalCookieName(false).length + 1));
  await db
    .insertInto('auditor_portal_session')
    .values({ org_id, hash, portal_id: portalId, expires_at: new Date(Date.now() + 86_400_000) })
    .execute();
}

async function insertSample(
  db: Tx['db'],
  { orgId: org_id, portalId: portal_id, sampleId, attachmentId, resultId, snapshotId, name, owner }: PortalFixture,
): Promise<void> {
  await db
    .insertInto('audit_sample')
    .values({
      org_id,
      portal_id,
      id: sampleId,
      snapshot_id: snapshotId,
      control_id: 'LOG-01',
      name: `Sample of ${name}`,
      method: 'random',
      seed: name,
      reason: '',
      population: 1,
      positions: [0],
    })
    .execute();
  await db
    .insertInto('auditor_result')
    .values({
      org_id,
      portal_id,
      id: resultId,
      title: `Result of ${name}`,
      envelope: Buffer.from(name),
      sha256: createHash('sha256').update(name).digest(),
      key_id: createHash('sha256').update(name).digest('hex'),
      findings: '[]',
    })
    .execute();
  const content = Buffer.from(`Evidence of ${name}`);
  await db
    .insertInto('portal_attachment')
    .values({
      org_id,
      portal_id,
      id: attachmentId,
      sample_id: sampleId,
      position: 0,
      side: 'organization',
      name: `${name}.txt`,
      size: content.length,
      sha256: createHash('sha256').update(content).digest(),
      content,
      attached_by: owner,
    })
    .execute();
}

/** Restores the portal. Only a superuser can reopen a revoked one. */
export async function resetPortals(server: TestServer, fixture: PortalFixture): Promise<void> {
  const { withOrg } = server.services.database;
  const isInitial = await withOrg(fixture.orgId, async (tx) => {
    const [row] = await tx.query<{ good: boolean }>({
      name: 'seed.portals',
      text: `select count(*) = 1 and bool_and(r.revoked_at is null and q.waits
               and not exists (select from evidence_message m where m.org_id = r.org_id)
               and (select count(*) from portal_attachment a where a.org_id = r.org_id) = 1
               and not exists (select from portal_assertion s where s.org_id = r.org_id)
               and (select count(*) from audit_sample a where a.org_id = r.org_id) = 1) as good
             from auditor_portal r left join evidence_request q on q.org_id = r.org_id and q.portal_id = r.id where r.org_id = $1`,
      values: [fixture.orgId],
    });
    return row?.good === true;
  });
  if (isInitial) return;
  const client = new pg.Client({ connectionString: superuserUrl(server.databaseUrl) });
  await client.connect();
  for (const table of [
    'auditor_portal_session',
    'portal_assertion',
    'auditor_result',
    'portal_attachment',
    'audit_workpaper',
    'audit_sample',
    'evidence_message',
    'evidence_request',
    'auditor_portal_snapshot',
    'auditor_portal',
  ]) {
    await client.query(`delete from ${table} where org_id = $1`, [fixture.orgId]);
  }
  await client.end();
  await withOrg(fixture.orgId, (tx) => insertPortal(tx, fixture));
}
