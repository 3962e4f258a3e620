import type { ControlId } from '@sightline/contract/core/control-ids.ts';
import type { Tx } from '#database/database.ts';
import type { FrameworkDefinition } from './definition.ts';

interface ImportedRow extends Record<string, unknown> {
  id: string;
  name: string;
  source: string;
  requirements: { id: string; title: string }[];
  version: number | null;
  mappings: StoredMapping[] | null;
  changedAt: Date | null;
  changedBy: string | null;
}

/** A stored mapping of a requirement to a control. */
export interface StoredMapping {
  requirement: string;
  control: ControlId;
  rationale: string;
}

/** Lists the imported frameworks with their current mappings, by name; only the one with this ID if given. */
export async function importedFrameworks(tx: Tx, orgId: string, id: string | null): Promise<FrameworkDefinition[]> {
  const rows = await tx.query<ImportedRow>({
    name: 'frameworks.imported',
    text: `select f.id, f.name, f.source, f.requirements, m.version, m.mappings, m.changed_at as "changedAt", m.changed_by as "changedBy"
           from framework f left join lateral (
             select version, mappings, changed_at, changed_by from framework_mapping
             where org_id = f.org_id and framework_id = f.id order by version desc limit 1
           ) m on true
           where f.org_id = $1 and f.removed_at is null and ($2::uuid is null or f.id = $2) order by lower(f.name), f.id`,
    values: [orgId, id],
  });
  return rows.map(definitionOf);
}

function definitionOf(row: ImportedRow): FrameworkDefinition {
  const mappings = Map.groupBy(row.mappings ?? [], ({ requirement }) => requirement);
  return {
    id: row.id,
    name: row.name,
    kind: 'imported',
    source: row.source,
    identifiers: null,
    hasPublishedTitles: true,
    requirements: row.requirements.map(({ id, title }) => ({
      id,
      title,
      controls: (mappings.get(id) ?? []).map(({ control, rationale }) => ({ id: control, rationale })),
      gap: null,
    })),
    version: row.version ?? 0,
    changed: row.changedAt && row.changedBy !== null ? { at: row.changedAt, by: row.changedBy } : null,
  };
}
