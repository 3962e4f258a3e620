import { acc01 } from './acc-01.ts';
import { acc02 } from './acc-02.ts';
import { ai01 } from './ai-01.ts';
import { chg01 } from './chg-01.ts';
import { chg02 } from './chg-02.ts';
import { chg03 } from './chg-03.ts';
import { chg04 } from './chg-04.ts';
import { chg05 } from './chg-05.ts';
import { chg06 } from './chg-06.ts';
import type { Control, ControlDefinition } from './control.ts';
import { cov01 } from './cov-01.ts';
import { dig01 } from './dig-01.ts';
import { exc01 } from './exc-01.ts';
import { log01 } from './log-01.ts';
import { scn01 } from './scn-01.ts';
import { scn02 } from './scn-02.ts';
import { tol01 } from './tol-01.ts';
import { vul01 } from './vul-01.ts';
import { vul02 } from './vul-02.ts';

/** Part of every run and bundle. Any change that can change a verdict must change it. */
export const catalogVersion = '1.1.0';

/** All controls by ID, in report order. LOG-01 and DIG-01 protect the others and are part of every report. */
export const controls = {
  'CHG-01': chg01,
  'CHG-02': chg02,
  'CHG-03': chg03,
  'CHG-04': chg04,
  'CHG-05': chg05,
  'CHG-06': chg06,
  'SCN-01': scn01,
  'SCN-02': scn02,
  'VUL-01': vul01,
  'VUL-02': vul02,
  'EXC-01': exc01,
  'TOL-01': tol01,
  'COV-01': cov01,
  'ACC-01': acc01,
  'ACC-02': acc02,
  'AI-01': ai01,
  'LOG-01': log01,
  'DIG-01': dig01,
} as const;

export type ControlId = keyof typeof controls;
export const controlIds = Object.keys(controls) as readonly ControlId[];

/** The row type of a control. */
export type RowOf<Id extends ControlId> = (typeof controls)[Id] extends Control<infer Row, infer _> ? Row : never;

/** The definitions of all controls. */
export const definitions: readonly ControlDefinition[] = Object.values(controls);
