import { byCodeUnits } from '../controls/order.ts';
import { changeKind } from './change-tie.ts';
import { runKind } from './run-entry.ts';

/** Kinds of entries of which a bundle holds all within its counted stretch. */
export const wholeKinds: readonly string[] = [changeKind, runKind].toSorted(byCodeUnits);
