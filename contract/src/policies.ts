import { z } from 'zod';
import { type ControlId, controlId, controlSetting } from './controls.ts';
import { instant, text } from './text.ts';

export const policyKinds = [
  'merge',
  'scan-freshness',
  'sla',
  'tool-allow',
  'tool-deny',
  'ai-provenance',
  'access-review',
  'digest',
] as const;
export const policyKind = z.enum(policyKinds);
export type PolicyKind = z.infer<typeof policyKind>;

/** The controls whose parameters a policy of a kind may set. Nothing sets those of the ledger's own control. */
export const controlsOfKind: Readonly<Record<PolicyKind, readonly ControlId[]>> = {
  merge: ['CHG-01', 'CHG-02', 'CHG-03', 'CHG-04', 'CHG-05', 'CHG-06'],
  'scan-freshness': ['SCN-01', 'SCN-02'],
  sla: ['VUL-01', 'VUL-02'],
  'tool-allow': ['TOL-01'],
  'tool-deny': ['TOL-01'],
  'ai-provenance': ['AI-01'],
  'access-review': ['ACC-02'],
  digest: ['DIG-01'],
};

/** `observe` counts, `warn` tells people too, `enforce` also sets a status that the code host's protection can ask for. */
export const policyMode = z.enum(['observe', 'warn', 'enforce']);
export type PolicyMode = z.infer<typeof policyMode>;

/** What a policy is about: named repositories, or all; branches beside the default one, as patterns. */
export const policyScope = z.strictObject({
  repositories: z.array(z.uuid()).min(1).max(1000).nullable(),
  branches: z.array(text(200).min(1)).max(50),
});

/** One version of a policy. A change is a new version, and taking a policy away ends its last one. */
export const policyVersion = z.object({
  id: z.uuid(),
  version: z.number().int().min(1),
  name: text(200),
  kind: policyKind,
  scope: policyScope,
  /** What it sets, by control. */
  settings: z.partialRecord(controlId, controlSetting),
  mode: policyMode,
  from: instant,
  /** Null: it holds on. */
  until: instant.nullable(),
});
export type PolicyVersion = z.infer<typeof policyVersion>;
