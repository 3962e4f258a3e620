import type { AuditFilter, AuditFormat } from '@sightline/contract/organization/audit.ts';
import type { CanonicalValue } from '@sightline/evidence/ledger/canonical.ts';
import type { Actor } from '#core/actor.ts';
import { exportTextOf, recordExport } from '#core/exports.ts';
import type { FileAnswer } from '#core/route.ts';
import type { Services } from '#core/services.ts';
import { type AuditLine, auditColumns } from './columns.ts';
import { toAuditEntryDetails } from './entries.ts';
import { type AuditCursor, countAuditEntries, searchAuditEntries } from './search.ts';

/** Exports the audit log, or the entries that match the filters, as a file. */
export async function exportAuditLog(
  services: Services,
  actor: Actor,
  { format, ...requested }: AuditFilter & { format: AuditFormat },
): Promise<FileAnswer> {
  const { orgId } = actor;
  const now = new Date().toISOString();
  // Excludes later entries, such as the entry of this export.
  const filter = { ...requested, to: requested.to !== undefined && requested.to < now ? requested.to : now };
  const { fileOf, total } = await services.database.withOrg(orgId, async (tx) => {
    const total = await countAuditEntries(tx, orgId, filter);
    const { search, ...plain } = requested;
    const fileOf = await recordExport(tx, services, actor, {
      of: 'audit-log',
      format,
      entry: {
        action: 'audit.exported',
        subject: { kind: 'audit_log', id: orgId },
        data: { format, entries: total, ...activeFilters(plain) },
        // Search words may name a person.
        ...(search !== '' && { personal: { search } }),
      },
    });
    return { fileOf, total };
  });
  return fileOf(exportTextOf(format, auditColumns, batches(services, orgId, filter)), total);
}

/** The active filters, as data of the audit entry. */
const activeFilters = (filter: Omit<AuditFilter, 'search'>): { [name: string]: CanonicalValue } =>
  Object.fromEntries(
    Object.entries(filter).filter(
      ([, value]) => value !== undefined && value !== '' && !(Array.isArray(value) && value.length === 0),
    ),
  ) as { [name: string]: CanonicalValue };

const entriesPerBatch = 1000;

// Each batch has its own transaction, so that a slow reader holds no connection. The log is append-only.
async function* batches({ database }: Services, orgId: string, filter: AuditFilter): AsyncGenerator<AuditLine[]> {
  for (let from: AuditCursor | undefined, started = false; !started || from !== undefined; started = true) {
    const found: { lines: AuditLine[]; stoppedAt: AuditCursor | undefined } = await database.withOrg(
      orgId,
      async (tx) => {
        const { rows, stoppedAt } = await searchAuditEntries(tx, orgId, filter, {
          from,
          direction: 'older',
          most: entriesPerBatch,
        });
        return { lines: await toAuditEntryDetails(tx, orgId, rows), stoppedAt };
      },
    );
    if (found.lines.length > 0) yield found.lines;
    from = found.stoppedAt;
  }
}
