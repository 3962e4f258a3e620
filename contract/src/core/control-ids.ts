// Written by npm run controls.
import { z } from 'zod';

/** The IDs of all controls, in report order. `evidence/` defines and evaluates them. */
export const controlIds = [
  'CHG-01',
  'CHG-02',
  'CHG-03',
  'CHG-04',
  'CHG-05',
  'CHG-06',
  'SCN-01',
  'SCN-02',
  'VUL-01',
  'VUL-02',
  'EXC-01',
  'TOL-01',
  'COV-01',
  'ACC-01',
  'ACC-02',
  'AI-01',
  'LOG-01',
  'DIG-01',
] as const;
export const controlId = z.enum(controlIds);
export type ControlId = z.infer<typeof controlId>;
