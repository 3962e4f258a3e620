import type { ControlId } from '../controls/catalog.ts';
import type { PopulationRow } from '../controls/rows.ts';
import type { SettingVersion } from '../controls/run.ts';
import { type CanonicalValue, canonicalJson } from '../ledger/canonical.ts';
import { type ChangeEntry, isChangeInScope, latestChangesIn } from './change-entries.ts';
import { evaluateRows } from './evaluated-rows.ts';
import type { LineFields } from './lines.ts';
import type { Manifest } from './manifest.ts';
import type { LeafEntry, LedgerCommitment } from './verification-state.ts';

/**
 * Controls whose rows are changes. `complete`: every change that the control is about must have a row, also if a
 * parameter excludes it. `partial`: missing rows cannot be detected.
 */
const rowCoverageOf: { readonly [Id in ControlId]?: 'complete' | 'partial' } = {
  'CHG-01': 'complete',
  'CHG-03': 'complete',
  'CHG-05': 'complete',
  'CHG-06': 'complete',
  'SCN-01': 'partial',
  'AI-01': 'partial',
};
/** Controls that evaluate merges only, not direct pushes. */
const mergeOnlyControls: readonly ControlId[] = ['CHG-03', 'CHG-05', 'CHG-06', 'SCN-01'];

/**
 * Compares each row of a change control with the ledger entry of its change, and detects missing changes, in step 7 of the
 * verification. `parts`: the content of each change, whose hash the entry with that index contains. Returns how the ledger commits to the rows. Throws if a row
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
    rows: readonly PopulationRow[];
    entries: Iterable<LeafEntry>;
    parts: ReadonlyMap<number, LineFields>;
    manifest: Pick<Manifest, 'period' | 'repositories' | 'evaluated' | 'ledger'>;
    settings: readonly SettingVersion<unknown>[];
  },
): LedgerCommitment {
  const coverage = rowCoverageOf[id];
  // Changes of an earlier epoch have no entry in this one.
  if (coverage === undefined || (manifest.ledger.epoch > 1 && rows.some(({ leaf }) => leaf === null))) return 'run';
  const changes = latestChangesIn(entries, manifest.evaluated.size).filter(({ subject }) =>
    isChangeInScope(subject, manifest),
  );
  const changesByLeaf = new Map(changes.map((change) => [change.leaf, change]));
  for (const row of rows) requireRowMatchesEntry(id, row, changesByLeaf, parts);
  if (coverage === 'partial') return 'facts';
  const includedLeaves = new Set(rows.map(({ leaf }) => leaf));
  for (const change of changes) {
    if (!includedLeaves.has(change.leaf) && isRowOf(id, change, parts, settings)) {
      throw new Error(`${id}: the change of entry ${change.leaf} is missing`);
    }
  }
  return 'entries';
}

/** The facts of a change under the field names of rows. Throws if the bundle omits its parts. */
function fieldsOf({ leaf, subject }: ChangeEntry, parts: ReadonlyMap<number, LineFields>): LineFields {
  const content = parts.get(leaf);
  if (!content) throw new Error(`The parts of the change of entry ${leaf} are missing`);
  const { ai = null, ...others } = content;
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

/** Throws if a row contradicts the ledger entry of its change. */
function requireRowMatchesEntry(
  id: string,
  row: PopulationRow,
  changesByLeaf: ReadonlyMap<number | null, ChangeEntry>,
  parts: ReadonlyMap<number, LineFields>,
): void {
  const change = changesByLeaf.get(row.leaf);
  if (!change || row.subject !== `change:${String(change.subject.change)}`) {
    throw new Error(`${id}: ${row.subject} is not the latest version of a change in the period`);
  }
  const fields = fieldsOf(change, parts);
  for (const [field, value] of Object.entries(row as unknown as LineFields)) {
    const recorded = fields[field];
    if (recorded !== undefined && canonicalJson(recorded) !== canonicalJson(value)) {
      throw new Error(`${id}: ${field} of ${row.subject} does not match entry ${change.leaf}`);
    }
  }
}

/** Whether the change is a row of the control, excluded or not. True for a change that cannot be evaluated. */
function isRowOf(
  id: ControlId,
  change: ChangeEntry,
  parts: ReadonlyMap<number, LineFields>,
  settings: readonly SettingVersion<unknown>[],
): boolean {
  const { leaf, subject } = change;
  if (mergeOnlyControls.includes(id) && subject.mergeMethod === 'direct_push') return false;
  const base = { subject: `change:${leaf}`, leaf, leaves: [leaf], waivers: [] as CanonicalValue[] };
  const row = { ...fieldsOf(change, parts), ...base } as unknown as PopulationRow;
  try {
    const { rows, excluded } = evaluateRows(id, [row], settings, []);
    return rows.length + excluded.length > 0;
  } catch {
    return true;
  }
}
