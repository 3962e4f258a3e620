import type { Detection } from '../detect/detection.ts';

/** A detection under an id that stays the same while the file names the tool, on whichever line and in whichever version. */
export interface Identified extends Detection {
  id: string;
  path: string;
}
