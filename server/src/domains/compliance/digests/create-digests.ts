import { hash } from 'node:crypto';
import { isArchived } from '#core/archived.ts';
import { factId } from '#core/ids.ts';
import { appendEntries, createLedgerEntry } from '#core/ledger.ts';
import type { Services } from '#core/services.ts';
import type { Tx } from '#database/database.ts';
import { raiseNotifications } from '../../delivery/notifications/commands.ts';
import { sequenceAndSign } from '../../ledger/ledger/commands.ts';
import { evaluatePopulation } from '../controls/evaluate-population.ts';
import type { PopulationQuery } from '../controls/populations/population.ts';
import {
  countsOf,
  type DigestBody,
  digestControls,
  digestText,
  type Evaluation,
  flagsOf,
  missingEvidenceOf,
} from './body.ts';
import { weekCountsOf } from './facts.ts';

/** From a Monday to the next, in UTC. */
export interface Week {
  from: string;
  to: string;
}

/** A request of a member for the digests of a past week. */
export interface DigestRequest {
  accountId: string;
  /** The audit entry of the request, which the ledger entry of each digest names. */
  entryId: string;
}

/**
 * Creates the digests of a completed week, one per enabled repository, also without activity, for the job
 * `digests.create`. Existing digests are unchanged. Returns the number of created digests.
 * `ofImportedHistory`: also for repositories that were added after the week. `request`: a member requested them, so that
 * they are due since the end of their week.
 */
export async function createDigests(
  services: Services,
  orgId: string,
  week: Week,
  { ofImportedHistory = false, request }: { ofImportedHistory?: boolean; request?: DigestRequest | undefined } = {},
): Promise<number> {
  const { withOrg } = services.database;
  const pending = await withOrg(orgId, (tx) => repositoriesWithoutDigest(tx, orgId, week, ofImportedHistory));
  if (pending.length === 0) return 0;
  const checkpoint = await sequenceAndSign(services.ledger, orgId);
  if (!checkpoint) return 0;
  const { epoch, size, signedAt } = checkpoint;
  const query: PopulationQuery = { orgId, period: week, asOf: { epoch, size, at: signedAt.toISOString() } };
  const evaluationsByRepository = await evaluateControls(services, query);
  return withOrg(orgId, async (tx) => {
    const created = [];
    for (const repositoryId of pending) {
      const evaluations = evaluationsByRepository.get(repositoryId) ?? [];
      if (await saveDigest(tx, query, repositoryId, { evaluations, request })) created.push(repositoryId);
    }
    if (created.length === 0) return 0;
    await raiseNotifications(services, tx, orgId, {
      actor: { clock: true },
      notifications: [{ type: 'digest.ready', week: week.from, digests: created.length }],
    });
    tx.afterCommit(() => services.realtime.notifyOrganization(orgId, 'orgDigests', {}));
    return created.length;
  });
}

/** Enabled repositories that were added before the end of the week and have no digest of it. */
export async function repositoriesWithoutDigest(
  tx: Tx,
  orgId: string,
  week: Week,
  ofImportedHistory = false,
): Promise<string[]> {
  if (await isArchived(tx, orgId)) return [];
  const rows = await tx.query<{ id: string }>({
    name: 'digests.repositoriesWithoutDigest',
    text: `select r.id from repository r
           where r.org_id = $1 and r.tracked and r.removed_at is null and (r.created_at < $3 or $4) and not exists (
             select from commit_digest d where d.org_id = $1 and d.repository_id = r.id and d.period_from = $2
           ) order by r.id`,
    values: [orgId, week.from, week.to, ofImportedHistory],
  });
  return rows.map(({ id }) => id);
}

/** Evaluates the controls of digests for the week, by repository. */
async function evaluateControls({ database }: Services, query: PopulationQuery): Promise<Map<string, Evaluation[]>> {
  const evaluationsByRepository = new Map<string, Evaluation[]>();
  for (const control of digestControls) {
    const { run, repositories } = await database.withOrg(query.orgId, (tx) => evaluatePopulation(tx, query, control));
    for (const row of run.rows) {
      const repository = repositories.get(row.subject);
      if (repository === undefined) continue;
      const evaluations = evaluationsByRepository.get(repository) ?? [];
      evaluations.push({ control, row });
      evaluationsByRepository.set(repository, evaluations);
    }
  }
  return evaluationsByRepository;
}

/** Saves a digest with its ledger entry. Returns false if a concurrent job has saved it already. */
async function saveDigest(
  tx: Tx,
  { orgId, period, asOf }: PopulationQuery,
  repositoryId: string,
  { evaluations, request }: { evaluations: readonly Evaluation[]; request: DigestRequest | undefined },
): Promise<boolean> {
  const body: DigestBody = {
    v: 1,
    repository: repositoryId,
    period,
    asOf: { epoch: asOf.epoch, size: asOf.size },
    counts: { ...countsOf(evaluations), ...(await weekCountsOf(tx, orgId, repositoryId, period)) },
    flags: flagsOf(evaluations),
    missingEvidence: missingEvidenceOf(evaluations),
  };
  const text = digestText(body);
  const bodyHash = hash('sha256', text, 'buffer');
  const id = factId('digest', repositoryId, period.from);
  const missingEvidence = body.missingEvidence.reduce((sum, { rows }) => sum + rows, 0);
  const entry = createLedgerEntry(
    {
      id: factId('digest created', id),
      org: orgId,
      kind: 'digest.created',
      asOf: asOf.at,
      receivedAt: new Date().toISOString(),
      person: null,
      source: 'sightline',
      subject: {
        digest: id,
        repository: repositoryId,
        ...period,
        epoch: asOf.epoch,
        size: asOf.size,
        flagged: body.flags.length,
        missingEvidence,
        body: bodyHash.toString('hex'),
        ...(request && { request: request.entryId, dueAt: period.to }),
      },
      personal: {},
    },
    undefined,
  );
  const created = await tx.query({
    name: 'digests.create',
    // `due_at` is the time at which the digest becomes available for review. A requested one was due at the end of its
    // week: otherwise a review that was missed then would count as in time.
    text: `insert into commit_digest (org_id, id, repository_id, period_from, period_to, as_of_epoch, as_of_size, body, body_sha256,
             flagged, missing_evidence, counts, entry_id, requested_by, due_at, created_on_request_at)
           values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14::uuid, case when $14::uuid is null then clock_timestamp() else $5 end,
             case when $14::uuid is not null then clock_timestamp() end) on conflict do nothing returning id`,
    values: [
      ...[orgId, id, repositoryId, period.from, period.to, asOf.epoch, asOf.size, text, bodyHash],
      ...[body.flags.length, missingEvidence, JSON.stringify(body.counts), entry.id],
      request?.accountId ?? null,
    ],
  });
  if (created.length > 0) await appendEntries(tx, orgId, [entry]);
  return created.length > 0;
}
