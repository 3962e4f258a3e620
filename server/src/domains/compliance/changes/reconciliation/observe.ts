import type { ReconciledAgent } from '@sightline/evidence/controls/change-rows.ts';
import type { Fact } from '@sightline/evidence/controls/facts.ts';
import { agentDisplayName } from '#core/agents.ts';
import type { Tx } from '#database/database.ts';
import { linkedPersonsIn } from '../../../sources/contributors/queries.ts';
import {
  findConnectedAgents,
  findSessionsOfWork,
  findTelemetrySessions,
} from '../../../tools/agent-sessions/queries.ts';
import { fileKeysOfChange } from './files.ts';
import { CONNECTED_MS, type Reconciliation, reconcile, WORK_BEFORE_MS } from './reconcile.ts';
import { saveReconciliation } from './save.ts';
import type { ChangeWork } from './work.ts';

/**
 * Reconciles a change with the telemetry of now, stores the result, and returns it for its record. An earlier result
 * remains if sessions in it expired: the end of retention is no evidence. The caller holds the lock of the change.
 */
export async function observeAgents(
  tx: Tx,
  orgId: string,
  work: ChangeWork,
  {
    earlier,
    hasTelemetry,
  }: {
    earlier: Fact<readonly ReconciledAgent[]> | undefined;
    /** Whether the organization has any session. */
    hasTelemetry: boolean;
  },
): Promise<Fact<readonly ReconciledAgent[]>> {
  const found = hasTelemetry
    ? await reconcileWithTelemetry(tx, orgId, work)
    : reconcile(work, { sessions: [], connected: new Map(), files: new Set(), isAuthor: () => false });
  if (earlier && (await hasExpiredSession(tx, orgId, found, earlier))) return earlier;
  await saveReconciliation(tx, orgId, work, found);
  return found.fact;
}

/** Compares an open pull request with the telemetry of now, without storing the result: its work is not over. */
export async function observeOpenWork(tx: Tx, orgId: string, work: ChangeWork): Promise<Reconciliation['fact']> {
  const { fact } = await reconcileWithTelemetry(tx, orgId, work);
  return fact;
}

async function reconcileWithTelemetry(tx: Tx, orgId: string, work: ChangeWork): Promise<Reconciliation> {
  const { repositoryId, authors, commits, branches, startedAt, mergedAt } = work;
  const sessions = await findSessionsOfWork(tx, orgId, {
    keys: work.declared.flatMap(({ keys }) => keys),
    commits,
    persons: authors,
    repositoryId,
    branches,
    from: new Date(startedAt.getTime() - WORK_BEFORE_MS),
    to: mergedAt,
  });
  const connected = await findConnectedAgents(tx, orgId, {
    persons: authors,
    from: new Date(startedAt.getTime() - CONNECTED_MS),
    to: new Date(mergedAt.getTime() + CONNECTED_MS),
  });
  const owners = sessions.flatMap(({ person }) => person ?? []);
  const linked = await linkedPersonsIn(tx, orgId, repositoryId, [...authors, ...owners]);
  const files = sessions.some((one) => one.files.length > 0)
    ? await fileKeysOfChange(tx, orgId, work)
    : new Set<string>();
  return reconcile(work, {
    sessions,
    connected: new Map([...connected].map(([person, agents]) => [person, new Set(agents.map(agentDisplayName))])),
    files,
    isAuthor: (person) =>
      authors.includes(person) || (linked.get(person) ?? []).some((other) => authors.includes(other)),
  });
}

/** Whether an earlier result names observed sessions that telemetry no longer has. */
async function hasExpiredSession(
  tx: Tx,
  orgId: string,
  { sessions }: Reconciliation,
  earlier: Fact<readonly ReconciledAgent[]>,
): Promise<boolean> {
  if (earlier.state === 'missing') return false;
  const now = new Set(sessions.map(({ session }) => session.id));
  const lost = earlier.value.flatMap((agent) =>
    agent.sessions.flatMap(({ session, confidence }) => (confidence === 'low' || now.has(session) ? [] : [session])),
  );
  return lost.length > 0 && (await findTelemetrySessions(tx, orgId, lost)).length < new Set(lost).size;
}
