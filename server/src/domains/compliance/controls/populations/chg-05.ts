import { checksRow } from '../../changes/rows.ts';
import { isMerge, ofChanges } from './changes.ts';

export const population = ofChanges(checksRow, isMerge);
