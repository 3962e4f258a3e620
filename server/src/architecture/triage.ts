import { factId, newId } from '#core/ids.ts';
import type { Tx } from '#database/database.ts';
import type { TestServer } from '#testing/server.ts';
import { recomputeFindings } from '../domains/vulnerabilities/findings/status.ts';
import type { Seed, SeededTriage } from './seeded.ts';

interface TriageFixture {
  orgId: string;
  findingId: string;
  owner: string;
  secondOwner: string;
}

/** Adds a second source to a finding, and a second finding, and a requested waiver for each. */
export async function insertTriage(tx: Tx, fixture: TriageFixture): Promise<SeededTriage> {
  const otherFindingId = newId();
  const triage = {
    otherFindingId,
    sourceId: factId(otherFindingId, 'second'),
    findingWaiverId: newId(),
    ownFindingWaiverId: newId(),
    findingEditId: newId(),
  };
  for (const [fingerprint, findingId] of [
    [triage.sourceId, fixture.findingId],
    [factId(otherFindingId, 'first'), otherFindingId],
  ] as const) {
    for (const table of ['finding_source', 'finding_detail', 'finding_instance']) {
      await tx.query({
        name: '',
        text: `insert into ${table} select (json_populate_record(t, $3::json)).* from ${table} t
               where t.org_id = $1 and t.fingerprint = $2::uuid`,
        values: [
          fixture.orgId,
          factId(fixture.findingId, 'fingerprint'),
          JSON.stringify({ fingerprint, finding_id: findingId }),
        ],
      });
    }
  }
  await requestFindingWaivers(tx, fixture, triage);
  await addLabel(tx, fixture, triage);
  await recomputeFindings(tx, fixture.orgId, [fixture.findingId, otherFindingId]);
  return triage;
}

/** Restores everything after decisions. */
export async function resetTriage(tx: Tx, fixture: TriageFixture & SeededTriage): Promise<void> {
  const { orgId, findingId, otherFindingId } = fixture;
  const decided = await tx.db
    .selectFrom('finding_decision')
    .select(['finding_id', 'edit_id', 'account_id'])
    .where('org_id', '=', orgId)
    .distinct()
    .execute();
  const isSeeded = (row: (typeof decided)[number]): boolean =>
    row.edit_id === fixture.findingEditId && row.account_id === fixture.owner;
  if (decided.length > 0 && decided.every(isSeeded)) return;
  for (const table of ['finding_decision', 'finding_waiver', 'finding_merged'] as const) {
    await tx.db.deleteFrom(table).where('org_id', '=', orgId).execute();
  }
  const first = [factId(findingId, 'fingerprint'), fixture.sourceId];
  for (const [id, fingerprints] of [
    [findingId, first],
    [otherFindingId, [factId(otherFindingId, 'first')]],
  ] as const) {
    await tx.db
      .updateTable('finding_source')
      .set({ finding_id: id, reason: 'first', explanation: 'CodeQL saw it first.', is_split: false })
      .where('org_id', '=', orgId)
      .where('fingerprint', 'in', fingerprints)
      .execute();
    await tx.db
      .updateTable('finding_instance')
      .set({ finding_id: id })
      .where('org_id', '=', orgId)
      .where('fingerprint', 'in', fingerprints)
      .execute();
  }
  await tx.db.updateTable('finding').set({ decided: null }).where('org_id', '=', orgId).execute();
  await recomputeFindings(tx, orgId, [findingId, otherFindingId, ...decided.map((row) => row.finding_id)]);
  await requestFindingWaivers(tx, fixture, fixture);
  await addLabel(tx, fixture, fixture);
}

/** Sets the decision of the first finding and deletes its waiver requests. */
export async function setFindingDecision(
  server: TestServer,
  { org, findingId }: Seed,
  decided: 'dismissed' | null,
): Promise<void> {
  await server.services.database.withOrg(org.id, async (tx) => {
    await tx.db.deleteFrom('finding_waiver').where('org_id', '=', org.id).where('finding_id', '=', findingId).execute();
    await tx.db
      .updateTable('finding')
      .set({ decided })
      .where('org_id', '=', org.id)
      .where('id', '=', findingId)
      .execute();
    await recomputeFindings(tx, org.id, [findingId]);
  });
}

/** Labels the first finding again, as its only edit. */
async function addLabel(
  { db }: Tx,
  { orgId, findingId, owner }: TriageFixture,
  { findingEditId }: Pick<SeededTriage, 'findingEditId'>,
): Promise<void> {
  const of = { org_id: orgId, finding_id: findingId };
  await db.updateTable('finding').set({ assignee_id: null, ticket_url: null }).where('org_id', '=', orgId).execute();
  await db.deleteFrom('finding_label').where('org_id', '=', orgId).execute();
  await db
    .insertInto('finding_label')
    .columns(['org_id', 'finding_id', 'label', 'status', 'lane', 'discovered_at', 'repository_id', 'title_id'])
    .expression(({ selectFrom, val }) =>
      selectFrom('finding')
        .where('org_id', '=', orgId)
        .where('id', '=', findingId)
        .select([
          'org_id',
          'id',
          val('seeded').as('label'),
          'status',
          'lane',
          'discovered_at',
          'repository_id',
          'title_id',
        ]),
    )
    .execute();
  await db
    .insertInto('finding_decision')
    .values({
      ...of,
      id: newId(),
      kind: 'edited',
      account_id: owner,
      other: JSON.stringify({ before: { labels: [] }, after: { labels: ['seeded'] } }),
      edit_id: findingEditId,
    })
    .execute();
}

const requestFindingWaivers = (
  { db }: Tx,
  { orgId, findingId, owner, secondOwner }: TriageFixture,
  triage: SeededTriage,
) =>
  db
    .insertInto('finding_waiver')
    .values(
      [
        { id: triage.findingWaiverId, finding_id: findingId, requested_by: secondOwner },
        { id: triage.ownFindingWaiverId, finding_id: triage.otherFindingId, requested_by: owner },
      ].map((request) => ({
        ...request,
        org_id: orgId,
        state: 'requested',
        valid_until: new Date(Date.now() + 30 * 86_400_000),
        reason: 'We replace it in spring.',
      })),
    )
    .execute();
