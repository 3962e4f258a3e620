import type { Control, ControlDefinition } from './control.ts';
import { controls } from './control-list.ts';

/** Part of every run and bundle. Any change that can change a verdict or status must change it. */
export const catalogVersion = '1.6.0';

export type ControlId = keyof typeof controls;
export const controlIds = Object.keys(controls) as readonly ControlId[];

/** The row type of a control. */
export type RowOf<Id extends ControlId> = (typeof controls)[Id] extends Control<infer Row, infer _> ? Row : never;

/** The definitions of all controls. */
export const definitions: readonly ControlDefinition[] = Object.values(controls);
