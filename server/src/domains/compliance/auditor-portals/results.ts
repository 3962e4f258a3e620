import { createHash } from 'node:crypto';
import { Readable } from 'node:stream';
import {
  type AuditorResultItem,
  MAX_PORTAL_RESULTS,
  MAX_RESULT_BYTES,
} from '@sightline/contract/compliance/portal-results.ts';
import { type VerifiedResult, verifyResult } from '@sightline/evidence/auditors/signed-result.ts';
import { sql } from 'kysely';
import { recordAuditEntry } from '#core/audit.ts';
import type { PortalActor } from '#core/auditor-portals.ts';
import { Conflict, Invalid, NotFound } from '#core/errors.ts';
import { newId } from '#core/ids.ts';
import { parseJson } from '#core/json.ts';
import type { FileAnswer } from '#core/route.ts';
import type { Services } from '#core/services.ts';
import type { Tx } from '#database/database.ts';
import { readFile } from './attachments.ts';
import { openPortalBundle } from './opened-bundle.ts';
import { actorOf, auditorPersonalDataOf, countWriting, lockOpenPortal, recordView } from './portal-visits.ts';
import { findPortal } from './queries.ts';

interface ResultRow extends Record<string, unknown> {
  id: string;
  title: string;
  sha256: Buffer;
  keyId: string;
  findings: AuditorResultItem['findings'];
  receivedAt: Date;
}

/**
 * Stores a signed result. The private key never reaches the server: it verifies the signature with the public key in the
 * envelope, and that the result is about bundles of this portal. Throws 400 with the reason, 409 and 429.
 */
export async function keepResult(services: Services, actor: PortalActor, file: Readable): Promise<AuditorResultItem> {
  const { orgId, portal, requestId } = actor;
  await services.database.withOrg(orgId, (tx) => countWriting(tx, portal.id));
  const content = await readFile(file, MAX_RESULT_BYTES);
  const verified = verifiedContent(content);
  await requireOwnBundles(services, actor, verified);
  return services.database.withOrg(orgId, async (tx) => {
    await lockOpenPortal(tx, actor);
    if ((await resultsOf(tx, orgId, portal.id)).length >= MAX_PORTAL_RESULTS)
      throw Conflict(`A portal has at most ${MAX_PORTAL_RESULTS} results.`);
    const id = newId();
    const sha256 = createHash('sha256').update(content).digest();
    const { title, keyId, findings } = verified;
    const { received_at: receivedAt } = await tx.db
      .insertInto('auditor_result')
      .values({
        org_id: orgId,
        portal_id: portal.id,
        id,
        title: title.slice(0, 500),
        envelope: content,
        sha256,
        key_id: keyId,
        findings: JSON.stringify(findings),
      })
      .returning(sql<Date>`received_at`.as('received_at'))
      .executeTakeFirstOrThrow();
    await recordAuditEntry(tx, {
      people: services.people,
      orgId,
      actor: actorOf({ portal, requestId }),
      entry: {
        action: 'portal.result_returned',
        subject: { kind: 'portal', id: portal.id },
        data: { name: portal.name, result: id, sha256: sha256.toString('hex'), key: keyId },
        personal: auditorPersonalDataOf(portal),
      },
    });
    tx.afterCommit(() => services.realtime.notifyOrganization(orgId, 'orgEvidence', { portalId: portal.id }));
    return resultOf({ id, title: title.slice(0, 500), sha256, keyId, findings: [...findings], receivedAt });
  });
}

function verifiedContent(content: Buffer): VerifiedResult {
  try {
    return verifyResult(parseJson(content.toString('utf8')));
  } catch (error) {
    throw Invalid('file', (error as Error).message);
  }
}

/** Throws 400 unless the result names bundles of this portal only, as the portal offers them. */
async function requireOwnBundles(services: Services, actor: PortalActor, { bundles }: VerifiedResult): Promise<void> {
  const { snapshots } = await services.database.withOrg(actor.orgId, (tx) =>
    findPortal(tx, actor.orgId, actor.portal.id),
  );
  const own = new Set<string>();
  for (const { id } of snapshots) own.add((await openPortalBundle(services, actor, id)).sha256);
  if (bundles.length === 0 || bundles.some((sha256) => !own.has(sha256)))
    throw Invalid('file', 'must name the SHA-256 of bundles of this portal, and of no others');
}

/** Lists the results of a portal for the organization. Throws 404. */
export async function listResults(tx: Tx, orgId: string, portalId: string): Promise<AuditorResultItem[]> {
  await findPortal(tx, orgId, portalId);
  return (await resultsOf(tx, orgId, portalId)).map(resultOf);
}

/** Lists the results for the auditor. Records the view. */
export const viewResults = (services: Services, actor: PortalActor): Promise<AuditorResultItem[]> =>
  services.database.withOrg(actor.orgId, async (tx) => {
    await recordView(services, tx, { actor, action: 'portal.viewed', viewDetails: { view: 'signed results' } });
    return (await resultsOf(tx, actor.orgId, actor.portal.id)).map(resultOf);
  });

/** Returns the envelope of a result, byte for byte. Throws 404. */
export const readResult = (
  { database }: Services,
  orgId: string,
  { portalId, resultId }: { portalId: string; resultId: string },
): Promise<FileAnswer> =>
  database.withOrg(orgId, async (tx) => {
    const [row] = await tx.query<{ envelope: Buffer }>({
      name: 'portals.result',
      text: 'select envelope from auditor_result where org_id = $1 and portal_id = $2 and id = $3',
      values: [orgId, portalId, resultId],
    });
    if (!row) throw NotFound();
    return {
      file: Readable.from([row.envelope]),
      type: 'application/json',
      name: `auditor-result-${resultId}.json`,
      total: undefined,
    };
  });

const resultsOf = (tx: Tx, orgId: string, portalId: string): Promise<ResultRow[]> =>
  tx.query<ResultRow>({
    name: 'portals.results',
    text: `select id, title, sha256, key_id as "keyId", findings, received_at as "receivedAt"
           from auditor_result where org_id = $1 and portal_id = $2 order by received_at desc, id`,
    values: [orgId, portalId],
  });

const resultOf = ({ id, title, sha256, keyId, findings, receivedAt }: ResultRow): AuditorResultItem => ({
  id,
  title,
  sha256: sha256.toString('hex'),
  keyId,
  findings,
  receivedAt: receivedAt.toISOString(),
});
