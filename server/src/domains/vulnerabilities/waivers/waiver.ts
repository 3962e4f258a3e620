import type { ControlId } from '@sightline/contract/core/control-ids.ts';
import type { WaiverState } from '@sightline/contract/vulnerabilities/waivers.ts';
import type { TriageDecision } from '../triage/commands.ts';

interface WaiverTerms {
  id: string;
  until: Date;
  /** The account that requested it. */
  requestedBy: string;
}

/** A waiver for an item of a control's population. */
export interface ControlWaiver extends WaiverTerms {
  kind: 'control';
  control: ControlId;
  subject: string;
  repositoryId: string | null;
  /** Its name on the code host; null without a repository. */
  repository: string | null;
}

/** A waiver for a vulnerability. */
export interface FindingWaiver<Target = TriageDecision['target']> extends WaiverTerms {
  kind: 'finding';
  target: Target;
}

export type Waiver = ControlWaiver | FindingWaiver;

/** A waiver that is locked until the end of the transaction. */
export type Locked<W extends Waiver> = W & { state: WaiverState };

/** A change of a waiver. `ended`: it was revoked. */
export type WaiverAction = 'requested' | 'approved' | 'refused' | 'withdrawn' | 'ended' | 'expired';

/** A decision by a member that changes the state of a waiver. */
export interface WaiverChange<W extends Waiver> {
  waiver: W;
  action: Extract<WaiverAction, 'approved' | 'refused' | 'withdrawn' | 'ended'>;
  comment: string;
}
