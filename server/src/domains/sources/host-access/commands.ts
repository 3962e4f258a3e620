import type { AccessPart, HolderKind } from '@sightline/contract/sources/host-access.ts';
import { canonicalJson } from '@sightline/evidence/ledger/canonical.ts';
import { newId } from '#core/ids.ts';
import { appendEntries, createLedgerEntry } from '#core/ledger.ts';
import type { Services } from '#core/services.ts';
import type { Tx } from '#database/database.ts';
import type { HostAccess } from '#providers/host-access.ts';
import type { HolderRow } from './holders.ts';
import { saveHolders } from './holders.ts';

declare module '#core/jobs.ts' {
  interface JobData {
    'host-access.read': { orgId: string; repositoryId: string; trigger: AccessReading['trigger'] };
  }
}

export interface AccessReading {
  repositoryId: string;
  provider: string;
  capturedAt: string;
  trigger: 'webhook' | 'poll';
  access: HostAccess;
}

/** Queues the job that reads who has access to a repository. */
export const queueAccess = (
  services: Services,
  tx: Tx,
  orgId: string,
  {
    repositoryId,
    trigger = 'webhook',
    startAfter,
  }: { repositoryId: string; trigger?: AccessReading['trigger'] | undefined; startAfter?: Date | undefined },
): Promise<void> =>
  services.jobs.enqueue(
    tx,
    'host-access.read',
    { orgId, repositoryId, trigger },
    { key: startAfter ? `${repositoryId} later` : repositoryId, ...(startAfter && { startAfter }) },
  );

/**
 * Stores a reading, and a change of each holder whose access differs from the reading before. A part that the host did
 * not report leaves the access of its holders as it was. Ignores a reading that is older than the last one.
 */
export async function storeAccess(
  services: Services,
  tx: Tx,
  orgId: string,
  { repositoryId, provider, capturedAt, trigger, access }: AccessReading,
): Promise<void> {
  await tx.query({
    name: 'host-access.lock',
    text: `select pg_advisory_xact_lock(hashtextextended('access ' || $1, 0))`,
    values: [repositoryId],
  });
  if (await hasLaterReading(tx, orgId, repositoryId, capturedAt)) return;
  const holders = await saveHolders(services, tx, orgId, { provider, holders: access.holders });
  const changes = changesOf(await currentAccess(tx, orgId, repositoryId), holders, access);
  const reading = newId();
  const entries: { id: string; changes: readonly AccessChange[] }[] = [];
  for (let at = 0; at === 0 || at < changes.length; at += CHANGES_PER_ENTRY) {
    entries.push({ id: newId(), changes: changes.slice(at, at + CHANGES_PER_ENTRY) });
  }
  const facts = entries.map(({ id, changes: some }) => ({
    id,
    org: orgId,
    kind: 'access.read',
    asOf: capturedAt,
    receivedAt: capturedAt,
    person: null,
    source: provider,
    subject: { reading, repository: repositoryId, trigger, parts: access.parts, changes: some.map(recordedChange) },
    personal: {},
  }));
  await appendEntries(
    tx,
    orgId,
    facts.map((fact) => createLedgerEntry(fact, undefined)),
  );
  await tx.query({
    name: 'host-access.keep-reading',
    text: `insert into access_reading (org_id, id, repository_id, captured_at, trigger, parts, entry_id)
           values ($1, $2, $3, $4, $5, $6, $7)`,
    values: [orgId, reading, repositoryId, capturedAt, trigger, JSON.stringify(access.parts), entries[0]?.id],
  });
  for (const { id, changes: some } of entries) {
    await tx.query({
      name: 'host-access.keep-changes',
      text: `insert into access_change (org_id, repository_id, holder_id, at, permission, routes, can_bypass, entry_id)
             select $1, $2, c.holder, $3, c.permission, c.routes, c."canBypass", $4
             from jsonb_to_recordset($5::jsonb) as c(holder uuid, permission text, routes text[], "canBypass" boolean)`,
      values: [orgId, repositoryId, capturedAt, id, JSON.stringify(some)],
    });
  }
  if (changes.length > 0) tx.afterCommit(() => services.realtime.notifyOrganization(orgId, 'orgEvidence', {}));
}

// The number of changes that fit into one ledger entry.
const CHANGES_PER_ENTRY = 200;

interface AccessState extends Record<string, unknown> {
  holder: string;
  kind: HolderKind;
  person: string | null;
  /** The ID at the host; null for accounts of people. */
  account: string | null;
  permission: string | null;
  routes: readonly string[];
  canBypass: boolean | null;
}
type AccessChange = AccessState;

const recordedChange = ({ holder, kind, person, account, permission, routes, canBypass }: AccessChange) => ({
  holder,
  kind,
  person,
  account,
  permission,
  routes,
  canBypass,
});

const partOf: Readonly<Record<HolderKind, AccessPart>> = { person: 'people', team: 'teams', key: 'keys', app: 'apps' };

/** The changes from the current access to the one that was read. */
function changesOf(
  current: readonly AccessState[],
  holders: readonly HolderRow[],
  { parts, holders: found }: HostAccess,
): AccessChange[] {
  const now = found.flatMap(({ kind, id, permission, routes, canBypass }): AccessState[] => {
    const holder = holders.find((one) => one.kind === kind && one.hostId === id);
    if (!holder) return [];
    const account = kind === 'person' ? null : id;
    return [
      { holder: holder.id, kind, person: holder.person, account, permission, routes: [...routes].sort(), canBypass },
    ];
  });
  const before = new Map(current.map((one) => [one.holder, one]));
  const ids = new Set(now.map(({ holder }) => holder));
  const stateOf = ({ permission, routes, canBypass }: AccessState) => canonicalJson({ permission, routes, canBypass });
  const changed = now.filter((one) => {
    const last = before.get(one.holder);
    return last === undefined || stateOf(last) !== stateOf(one);
  });
  const ended = current.filter(({ holder, kind }) => parts[partOf[kind]] === 'read' && !ids.has(holder));
  return [...changed, ...ended.map((one) => ({ ...one, permission: null, routes: [], canBypass: null }))];
}

/** The access in force after the last reading. */
const currentAccess = (tx: Tx, orgId: string, repositoryId: string): Promise<AccessState[]> =>
  tx.query<AccessState>({
    name: 'host-access.current',
    text: `select c.holder_id as holder, h.kind, h.person_id as person, case when h.kind <> 'person' then h.host_id end as account,
             c.permission, c.routes, c.can_bypass as "canBypass"
           from (select distinct on (holder_id) * from access_change where org_id = $1 and repository_id = $2
                 order by holder_id, at desc) c
           join access_holder h on h.org_id = $1 and h.id = c.holder_id
           where c.permission is not null order by c.holder_id`,
    values: [orgId, repositoryId],
  });

async function hasLaterReading(tx: Tx, orgId: string, repositoryId: string, at: string): Promise<boolean> {
  const rows = await tx.query({
    name: 'host-access.later',
    text: 'select from access_reading where org_id = $1 and repository_id = $2 and captured_at >= $3 limit 1',
    values: [orgId, repositoryId, at],
  });
  return rows.length > 0;
}
