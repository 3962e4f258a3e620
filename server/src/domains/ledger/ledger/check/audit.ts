import { type CanonicalValue, canonicalJson, isRecord } from '@sightline/evidence/ledger/canonical.ts';
import {
  commitmentOf,
  disclosureOf,
  type Entry,
  openDisclosure,
  parseEntry,
} from '@sightline/evidence/ledger/entry.ts';
import type { Services } from '#core/services.ts';
import type { Tx } from '#database/database.ts';
import type { ReportProblem } from './problem.ts';

const rowsPerPage = 1000;

interface AuditRow extends Record<string, unknown> {
  id: string;
  at: Date;
  action: string;
  subject_kind: string;
  subject_id: string;
  data: CanonicalValue;
  personal: { readonly [field: string]: CanonicalValue };
  address: string | null;
  epoch: number | null;
  index: number | null;
  entry: string | null;
  /** The opening of the name of the repository to which the ledger entry commits. */
  named: string | null;
  /** Whether an erasure removed names from it. */
  erased: boolean;
}

/** Compares all audit entries with their ledger entries, in both directions. */
export async function checkAudit(services: Services, orgId: string, report: ReportProblem): Promise<void> {
  let after = '00000000-0000-0000-0000-000000000000';
  for (;;) {
    const rows = await services.database.withOrg(orgId, async (tx) => {
      const found = await tx.query<AuditRow>({
        name: 'ledger.check-audit',
        text: rowsSql,
        values: [orgId, after, rowsPerPage],
      });
      for (const row of found) await compare(services, tx, orgId, { row, report });
      return found;
    });
    if (rows.length < rowsPerPage) break;
    after = rows.at(-1)?.id ?? after;
  }
  const missing = await services.database.withOrg(orgId, (tx) =>
    tx.query<{ epoch: number; index: number; kind: string }>({
      name: 'ledger.check-missing',
      text: missingSql,
      values: [orgId],
    }),
  );
  for (const { epoch, index, kind } of missing) {
    report({
      what: 'audit',
      epoch,
      index,
      message: `entry ${index} records ${kind.slice('audit.'.length)}, which is missing in the audit log`,
    });
  }
}

const rowsSql = `
  select a.id, a.at, a.action, a.subject_kind, a.subject_id, a.data, a.personal, a.address,
    e.epoch, e.leaf_index as index, coalesce(e.entry, p.entry) as entry,
    (select d.disclosure from repository_disclosure d where d.org_id = $1 and d.entry_id = a.id limit 1) as named,
    exists (select from erased_row x where x.org_id = $1 and x.entry_id = a.id) as erased
  from audit_event a
  left join lateral (select epoch, leaf_index, entry_text(e) as entry from ledger_entry e where e.org_id = $1 and e.entry_id = a.id limit 1) e on true
  left join lateral (select entry from ledger_pending p where p.org_id = $1 and p.entry_id = a.id and e.entry is null limit 1) p on true
  where a.org_id = $1 and a.id > $2 order by a.id limit $3`;

const missingSql = `
  select e.epoch, e.leaf_index as index, e.kind from ledger_entry e
  where e.org_id = $1 and e.kind like 'audit.%'
    and not exists (select from audit_event a where a.org_id = $1 and a.id = e.entry_id)
  order by e.epoch, e.leaf_index limit 100`;

async function compare(
  services: Services,
  tx: Tx,
  orgId: string,
  { row, report }: { row: AuditRow; report: ReportProblem },
): Promise<void> {
  const reportRow = (message: string) =>
    report({ what: 'audit', epoch: row.epoch ?? 0, index: row.index, message: `the audit entry ${row.id} ${message}` });
  if (row.entry === null) return reportRow('has no ledger entry');
  const entry = maybeParsedEntry(row.entry);
  // The check of the tree reports invalid entries.
  if (entry === undefined) return;
  const subject = {
    kind: row.subject_kind,
    id: row.subject_id,
    data: row.named === null ? row.data : unnamed(row.data),
  };
  const isSame =
    entry.kind === `audit.${row.action}` &&
    entry.asOf === row.at.toISOString() &&
    canonicalJson(entry.subject) === canonicalJson(subject);
  if (!isSame) return reportRow(`does not match ledger entry ${row.index ?? '(pending)'}`);
  if (row.named !== null && nameIn(entry, row.named) !== (row.data as { fullName?: CanonicalValue }).fullName) {
    return reportRow(`does not match the committed name of ledger entry ${row.index ?? '(pending)'}`);
  }
  if (row.erased) return;
  const key =
    entry.person === null ? undefined : (await services.people.keys(tx, orgId, [entry.person])).get(entry.person);
  // Without the key of the person, a commitment cannot be verified.
  if (key === undefined || entry.commitments.length === 0) return;
  const personal = { ...row.personal, ...(row.address !== null && { address: row.address }) };
  const commitments = Object.entries(personal)
    .map(([field, value]) => commitmentOf(disclosureOf(entry.id, field, value, new Uint8Array(key))))
    .concat(row.named === null ? [] : [commitmentOf(row.named)])
    .sort();
  if (commitments.join() !== entry.commitments.join()) {
    reportRow(`does not match the committed people or addresses of ledger entry ${row.index ?? '(pending)'}`);
  }
}

/** The data of an entry as in the ledger, which contains the name of the repository as a commitment. */
const unnamed = (data: CanonicalValue): CanonicalValue =>
  isRecord(data) ? Object.fromEntries(Object.entries(data).filter(([field]) => field !== 'fullName')) : data;

/** The disclosed name; null if the entry does not commit to it. */
const nameIn = (entry: Entry, disclosure: string): CanonicalValue =>
  entry.commitments.includes(commitmentOf(disclosure)) ? openDisclosure(entry, disclosure).value : null;

export function maybeParsedEntry(text: string): Entry | undefined {
  try {
    return parseEntry(text);
  } catch {
    return undefined;
  }
}
