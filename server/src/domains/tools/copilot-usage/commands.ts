import type { CopilotSourceState } from '@sightline/contract/tools/copilot-usage.ts';
import { canonicalJson } from '@sightline/evidence/ledger/canonical.ts';
import { sha256 } from '#core/hmac.ts';
import { newId } from '#core/ids.ts';
import { appendEntries, createLedgerEntry } from '#core/ledger.ts';
import type { Services } from '#core/services.ts';
import type { Tx } from '#database/database.ts';
import type { CopilotReport } from '#providers/host-copilot.ts';

declare module '#core/jobs.ts' {
  interface JobData {
    'copilot-usage.read': CopilotPlace;
  }
}

export interface CopilotPlace {
  orgId: string;
  installationId: string;
}

/** Queues the job that reads the missing reports of an installation. */
export const queueCopilotReading = (
  { jobs }: Services,
  tx: Tx,
  place: CopilotPlace,
  startAfter?: Date,
): Promise<void> =>
  jobs.enqueue(tx, 'copilot-usage.read', place, {
    // An installation may be connected to another organization later.
    key: `${place.orgId} ${place.installationId}`,
    ...(startAfter && { startAfter }),
  });

export interface SourceState {
  state: CopilotSourceState;
  reason: string | null;
  /** Undefined: unchanged. */
  readThrough?: string | undefined;
}

/** Stores the result of a reading. */
export async function saveSource(
  { realtime }: Services,
  tx: Tx,
  { orgId, installationId }: CopilotPlace,
  { state, reason, readThrough }: SourceState,
): Promise<void> {
  await tx.query({
    name: 'copilot.save-source',
    text: `insert into copilot_source as s (org_id, installation_id, state, reason, checked_at, read_through)
           values ($1, $2, $3, $4, now(), $5)
           on conflict (org_id, installation_id) do update set state = excluded.state, reason = excluded.reason,
             checked_at = excluded.checked_at, read_through = greatest(s.read_through, excluded.read_through)`,
    values: [orgId, installationId, state, reason, readThrough ?? null],
  });
  tx.afterCommit(() => realtime.notifyOrganization(orgId, 'orgAgents', {}));
}

/** Stores the report of a day with its parts and one ledger entry. Changes nothing if the day is already stored. */
export async function storeDay(
  { realtime }: Services,
  tx: Tx,
  { orgId, installationId }: CopilotPlace,
  { day, report, rejected }: { day: string; report: CopilotReport; rejected: number },
): Promise<void> {
  const id = newId();
  const stored = await tx.query({
    name: 'copilot.store-day',
    text: `insert into copilot_day (org_id, installation_id, day, counts, rejected, read_at, entry_id)
           values ($1, $2, $3, $4, $5, now(), $6) on conflict do nothing returning 1`,
    values: [orgId, installationId, day, JSON.stringify(report.counts), rejected, id],
  });
  if (stored.length === 0) return;
  await tx.query({
    name: 'copilot.store-parts',
    text: `insert into copilot_day_part (org_id, installation_id, day, kind, name, feature, counts)
           select $1, $2, $3, p.kind, p.name, p.feature, p.counts
           from jsonb_to_recordset($4::jsonb) as p(kind text, name text, feature text, counts jsonb)`,
    values: [orgId, installationId, day, JSON.stringify(report.parts)],
  });
  const now = new Date().toISOString();
  const entry = createLedgerEntry(
    {
      id,
      org: orgId,
      kind: 'copilot_usage.day',
      asOf: now,
      receivedAt: now,
      person: null,
      source: 'github',
      subject: { installation: installationId, day, rejected, digest: digestOf(day, report) },
      personal: {},
    },
    undefined,
  );
  await appendEntries(tx, orgId, [entry]);
  tx.afterCommit(() => realtime.notifyOrganization(orgId, 'orgAgents', {}));
}

/** SHA-256 over the canonical JSON of the day, its counts, and its parts in order. */
function digestOf(day: string, { counts, parts }: CopilotReport): string {
  const keyed = parts.map((part) => ({ key: `${part.kind} ${part.name} ${part.feature}`, part: { ...part } }));
  const sorted = keyed.toSorted((one, other) => (one.key < other.key ? -1 : 1)).map(({ part }) => part);
  return sha256(canonicalJson({ day, counts, parts: sorted })).toString('base64url');
}
