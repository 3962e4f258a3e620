import type { ControlId } from '@sightline/contract/core/control-ids.ts';
import type { WaiverListItem } from '@sightline/contract/vulnerabilities/waivers.ts';
import { evaluatedItemName } from '#ui/item-name.ts';

/** The item of a control, or the vulnerabilities, that a waiver is requested for. */
export type WaiverSubject =
  | { control: ControlId; subject: string }
  | { findings: readonly { id: string; title: string }[] };

/** `end` withdraws a request, or revokes an active waiver. */
export type WaiverAction =
  | { kind: 'request'; subject: WaiverSubject }
  | { kind: 'approve' | 'deny' | 'end'; waiver: WaiverListItem };

/** The name of the waived item. */
export const waivedItemName = ({ subject, finding }: Pick<WaiverListItem, 'subject' | 'finding'>): string =>
  finding?.title ?? evaluatedItemName(subject);
