import type { ControlId } from '../controls/catalog.ts';
import type { EvaluatedRow } from '../controls/evidence-line.ts';
import type { ControlRun } from '../controls/run.ts';
import type { CanonicalValue } from '../ledger/canonical.ts';
import type { ListedFile } from './listed-file.ts';
import type { Weakening } from './weakening.ts';
import type { PackedZipFile } from './zip-write.ts';

/** A control whose rows were released: its packed files, and its data for other files. */
export interface PackedRun extends ControlSummary {
  readonly id: ControlId;
  readonly files: readonly PackedFile[];
}

/** A control without its rows, for the files about all controls. */
export interface ControlSummary extends Pick<ControlWithRows, 'id' | 'run' | 'weakenings'> {
  readonly missingEvidence: readonly CanonicalValue[];
  /** IDs of the repositories of its rows, in their order. */
  readonly repositories: readonly string[];
  /** Number of failing rows without a remediation. */
  readonly unassignedFailures: number;
}

/** A control with its rows. */
export interface ControlWithRows {
  readonly id: ControlId;
  readonly rows: readonly EvaluatedRow[];
  readonly run: Pick<ControlRun, 'counts' | 'exclusions' | 'status' | 'completeness'>;
  readonly settings: readonly unknown[];
  readonly weakenings: readonly Weakening[];
}

/** A packed file with its entry in the manifest. */
export interface PackedFile {
  readonly listed: ListedFile;
  readonly packed: PackedZipFile;
}
