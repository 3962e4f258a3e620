import type { ControlId } from '@sightline/contract/core/control-ids.ts';

export interface ControlWaiver {
  id: string;
  control: ControlId;
  subject: string;
  repositoryId: string | null;
  /** Its name on the code host; null where it is about no repository. */
  repository: string | null;
  until: Date;
  requestedBy: string;
}
