// Written by npm run controls.
import type { ControlId, RowOf } from '@sightline/evidence/controls/catalog.ts';
import { population as acc01 } from './acc-01.ts';
import { population as acc02 } from './acc-02.ts';
import { population as ai01 } from './ai-01.ts';
import { population as chg01 } from './chg-01.ts';
import { population as chg02 } from './chg-02.ts';
import { population as chg03 } from './chg-03.ts';
import { population as chg04 } from './chg-04.ts';
import { population as chg05 } from './chg-05.ts';
import { population as chg06 } from './chg-06.ts';
import { population as cov01 } from './cov-01.ts';
import { population as dig01 } from './dig-01.ts';
import { population as exc01 } from './exc-01.ts';
import { population as log01 } from './log-01.ts';
import type { Population } from './population.ts';
import { population as scn01 } from './scn-01.ts';
import { population as scn02 } from './scn-02.ts';
import { population as tol01 } from './tol-01.ts';
import { population as vul01 } from './vul-01.ts';
import { population as vul02 } from './vul-02.ts';

/** The populations of all controls. */
export const populations: { readonly [Id in ControlId]: Population<RowOf<Id>> } = {
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
};
