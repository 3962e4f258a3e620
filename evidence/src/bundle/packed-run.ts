import type { ControlId } from '../controls/catalog.ts';
import type { EvaluatedRow } from '../controls/evidence-line.ts';
import type { ControlRun } from '../controls/run.ts';
import type { Plain } from '../ledger/canonical.ts';
import type { ListedFile } from './listed-file.ts';
import type { Packed } from './zip-write.ts';

/** What a bundle tells of a control once its rows were let go: their files as they are packed, and what other files say of them. */
export interface PackedRun extends Summed {
  readonly id: ControlId;
  readonly files: readonly PackedFile[];
  /** For the report of people. */
  readonly report: Plain;
}

/** A control without its rows, for the files that tell of all controls. */
export interface Summed extends Pick<ControlWithRows, 'id' | 'run'> {
  readonly missingEvidence: readonly Plain[];
}

/** A control with its rows, as a bundle tells of them. */
export interface ControlWithRows {
  readonly id: ControlId;
  readonly rows: readonly EvaluatedRow[];
  readonly run: Pick<ControlRun, 'counts' | 'status' | 'completeness'>;
  readonly settings: readonly unknown[];
}

/** A file as it lies in a bundle, and as the manifest lists it. */
export interface PackedFile {
  readonly listed: ListedFile;
  readonly packed: Packed;
}
