import type { ControlId } from '../controls/catalog.ts';
import type { EvaluatedRow } from '../controls/evidence-line.ts';
import type { PopulationRow } from '../controls/rows.ts';
import type { SettingVersion } from '../controls/run.ts';
import { type CanonicalValue, canonicalJson } from '../ledger/canonical.ts';
import { evaluateRows } from './evaluated-rows.ts';
import type { LineFields } from './lines.ts';
import type { Manifest } from './manifest.ts';
import type { LeafEntry, LedgerCommitment } from './verification-state.ts';

/** The kind of ledger entries that record or correct a change. */
export const changeKind = 'change';

/**
 * Controls whose rows are changes. `complete`: every change of the population must have a row. `rows`: missing rows
 * cannot be detected.
 */
const ofChanges: { readonly [Id in ControlId]?: 'complete' | 'rows' } = {
  'CHG-01': 'complete',
  'CHG-03': 'complete',
  'CHG-05': 'complete',
  'CHG-06': 'complete',
  'SCN-01': 'rows',
  'AI-01': 'rows',
};
/** Controls that evaluate merges only, not direct pushes. */
const ofMerges: readonly ControlId[] = ['CHG-03', 'CHG-05', 'CHG-06', 'SCN-01'];

/**
 * Compares each row of a change control with the ledger entry of its change, and detects missing changes. `parts`: the
 * content that each entry contains the hash of, by index. Returns how the ledger commits to the rows. Throws if a row
 * contradicts its entry, or a change is missing.
 */
export function verifyChangeRows(
  id: ControlId,
  {
    rows,
    entries,
    parts,
    manifest,
    settings,
  }: {
    rows: readonly EvaluatedRow[];
    entries: Iterable<LeafEntry>;
    parts: ReadonlyMap<number, LineFields>;
    manifest: Pick<Manifest, 'period' | 'repositories' | 'evaluated' | 'ledger'>;
    settings: readonly SettingVersion<unknown>[];
  },
): LedgerCommitment {
  const part = ofChanges[id];
  // Changes of an earlier epoch have no entry in this one.
  if (part === undefined || (manifest.ledger.epoch > 1 && rows.some(({ row }) => row.leaf === null))) return 'run';
  const changes = latestChangesIn(entries, manifest.evaluated.size).filter(({ subject }) =>
    isChangeInScope(subject, manifest),
  );
  const byLeaf = new Map(changes.map((change) => [change.leaf, change]));
  for (const { row } of rows) compare(id, row, byLeaf, parts);
  if (part === 'rows') return 'facts';
  const shown = new Set(rows.map(({ row }) => row.leaf));
  for (const change of changes) {
    if (!shown.has(change.leaf) && isInPopulationOf(id, change, parts, settings)) {
      throw new Error(`${id}: the change of entry ${change.leaf} is missing`);
    }
  }
  return 'entries';
}

/** The latest ledger entry of a change. */
interface ChangeEntry {
  leaf: number;
  subject: LineFields;
}

/**
 * The latest version of each change below a ledger size, except direct pushes that turned out to belong to a pull
 * request.
 */
export function latestChangesIn(
  entries: Iterable<Pick<LeafEntry, 'index' | 'kind' | 'subject'>>,
  size: number,
): readonly ChangeEntry[] {
  const changes = new Map<string, ChangeEntry>();
  for (const { index, kind, subject } of entries) {
    if (kind !== changeKind || index >= size) continue;
    const known = changes.get(String(subject.change));
    if (!known || Number(known.subject.version) < Number(subject.version)) {
      changes.set(String(subject.change), { leaf: index, subject });
    }
  }
  return [...changes.values()].filter(({ subject }) => subject.push === null || subject.number === null);
}

/** The facts of a change under the field names of rows. Throws if the bundle omits its parts. */
function fieldsOf({ leaf, subject }: ChangeEntry, parts: ReadonlyMap<number, LineFields>): LineFields {
  const shown = parts.get(leaf);
  if (!shown) throw new Error(`The parts of the change of entry ${leaf} are missing`);
  const { ai = null, ...others } = shown;
  const {
    repository = null,
    branch = null,
    isDefaultBranch = null,
    mergedAt = null,
    mergeSha = null,
    mergeMethod = null,
  } = subject;
  return {
    ...others,
    repository,
    branch,
    isDefaultBranch,
    mergedAt,
    attributions: ai,
    mergeMethod: mergeMethod === 'unknown' ? { state: 'missing' } : { state: 'complete', value: mergeMethod },
    mergeSha: mergeSha === null ? { state: 'missing' } : { state: 'complete', value: mergeSha },
  };
}

function compare(
  id: string,
  row: PopulationRow,
  byLeaf: ReadonlyMap<number | null, ChangeEntry>,
  parts: ReadonlyMap<number, LineFields>,
): void {
  const change = byLeaf.get(row.leaf);
  if (!change || row.subject !== `change:${String(change.subject.change)}`) {
    throw new Error(`${id}: ${row.subject} is not the latest version of a change in the period`);
  }
  const fields = fieldsOf(change, parts);
  for (const [field, shown] of Object.entries(row as unknown as LineFields)) {
    const recorded = fields[field];
    if (recorded !== undefined && canonicalJson(recorded) !== canonicalJson(shown)) {
      throw new Error(`${id}: ${field} of ${row.subject} does not match entry ${change.leaf}`);
    }
  }
}

export function isChangeInScope(
  { mergedAt, repository }: LineFields,
  { period, repositories }: Pick<Manifest, 'period' | 'repositories'>,
): boolean {
  const at = String(mergedAt);
  return at >= period.from && at < period.to && (repositories === null || repositories.includes(String(repository)));
}

/** Whether the change is in the population of the control. An unreadable change is not excluded. */
function isInPopulationOf(
  id: ControlId,
  change: ChangeEntry,
  parts: ReadonlyMap<number, LineFields>,
  settings: readonly SettingVersion<unknown>[],
): boolean {
  const { leaf, subject } = change;
  if (ofMerges.includes(id) && subject.mergeMethod === 'direct_push') return false;
  const base = { subject: `change:${leaf}`, leaf, leaves: [leaf], waivers: [] as CanonicalValue[] };
  const row = { ...fieldsOf(change, parts), ...base } as unknown as PopulationRow;
  try {
    return evaluateRows(id, [row], settings, []).rows.length > 0;
  } catch {
    return true;
  }
}
