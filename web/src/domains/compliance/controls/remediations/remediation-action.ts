import type { Remediation } from '@sightline/contract/compliance/remediation-schemas.ts';
import type { ControlId } from '@sightline/contract/core/control-ids.ts';

/** A failed item of a control with its remediation, if it has one. */
export interface RemediatedItem {
  subject: string;
  /** The title of the item. */
  name: string;
  remediation: Remediation | null;
}

export type RemediationAction =
  /** `period`: as in addresses, such as `2026-Q3`. At least one item. */
  | { kind: 'change'; control: ControlId; period: string; items: readonly [RemediatedItem, ...RemediatedItem[]] }
  | { kind: 'retest'; remediationId: string; name: string };
