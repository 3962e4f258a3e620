import type { ControlId } from '../controls/catalog.ts';
import type { EvaluatedRow } from '../controls/evidence-line.ts';
import type { ControlRun } from '../controls/run.ts';
import type { Plain } from '../ledger/canonical.ts';
import type { ListedFile } from './listed-file.ts';
import type { Packed } from './zip-write.ts';

/** A control whose rows were released: its packed files, and its data for other files. */
export interface PackedRun extends Summed {
  readonly id: ControlId;
  readonly files: readonly PackedFile[];
  /** For the PDF report. */
  readonly report: Plain;
}

/** A control without its rows, for the files about all controls. */
export interface Summed extends Pick<ControlWithRows, 'id' | 'run'> {
  readonly missingEvidence: readonly Plain[];
}

/** A control with its rows. */
export interface ControlWithRows {
  readonly id: ControlId;
  readonly rows: readonly EvaluatedRow[];
  readonly run: Pick<ControlRun, 'counts' | 'status' | 'completeness'>;
  readonly settings: readonly unknown[];
}

/** A packed file with its entry in the manifest. */
export interface PackedFile {
  readonly listed: ListedFile;
  readonly packed: Packed;
}
