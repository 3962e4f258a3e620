import type { Detection } from '../detect/detection.ts';

/** A detection with a stable ID, independent of line and version, while the file references the tool. */
export interface DetectionWithId extends Detection {
  id: string;
  path: string;
}
