import type { Services } from '#core/services.ts';
import type { Tx } from '#database/database.ts';
import type { HostCommit } from '../../../../providers/host-facts.ts';
import type { AttributionClaim } from '../attribution/attribution-claim.ts';
import type { SourcedPart } from '../host-answer.ts';
import type { ChangeParts } from '../parts.ts';
import { latestVersionOf, lockChange } from '../records.ts';
import type { RecordedRepository } from '../scope.ts';
import { observeAgents } from './observe.ts';
import { enqueueReconciliation } from './queue.ts';
import { saveWork, workOf } from './work.ts';

/** Stores what joins sessions to a change, and reconciles it. */
export async function agentsPart(
  services: Services,
  tx: Tx,
  { orgId, repositoryId }: Pick<RecordedRepository, 'orgId' | 'repositoryId'>,
  made: {
    changeId: string;
    branch: string;
    mergedAt: string;
    /** When the pull request was created; null for a direct push. */
    createdAt: string | null;
    mergeSha: string | null;
    commits: readonly HostCommit[];
    attributed: readonly AttributionClaim[];
    parts: { [Name in 'authors' | 'ai']: { known: ChangeParts[Name] } };
  },
): Promise<SourcedPart<AgentsOfChange>> {
  await lockChange(tx, made.changeId);
  const { authors, ai } = made.parts;
  const work = await workOf(tx, { ...made, repositoryId, parts: { authors: authors.known, ai: ai.known } });
  const earlier = await latestVersionOf(tx, orgId, made.changeId);
  const { work: stored, hasTelemetry } = await saveWork(tx, orgId, work);
  const known = await observeAgents(tx, orgId, stored, { earlier: earlier?.parts.agents, hasTelemetry });
  if (hasTelemetry) await enqueueReconciliation(services, tx, orgId);
  return observedPart(known);
}

type AgentsOfChange = Extract<ChangeParts['agents'], { value: unknown }>['value'];

/** Missing telemetry is no gap of the record: nothing was requested in vain. The fact itself states it. */
export const observedPart = (known: ChangeParts['agents']): SourcedPart<AgentsOfChange> => ({
  known,
  source: { state: 'complete', fetchedAt: new Date().toISOString(), reason: null },
});
