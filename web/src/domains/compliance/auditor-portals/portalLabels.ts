import type { PortalState } from '@sightline/contract/compliance/auditor-portals.ts';
import type { Tone } from '#ui/StatusBadge.tsx';

export const portalsPath = '/evidence/auditor-portals';
export const portalHref = ({ id }: { id: string }): string => `${portalsPath}/${id}`;

export const portalStateBadges: Record<PortalState, readonly [Tone, string]> = {
  open: ['green', 'Active'],
  closed: ['gray', 'Expired'],
  revoked: ['red', 'Revoked'],
};

const moment = new Intl.DateTimeFormat('en-GB', { dateStyle: 'medium', timeStyle: 'short', timeZone: 'UTC' });
/** '21 Nov 2026, 10:24 UTC', because auditors and owners may be in different time zones. */
export const utcTimeText = (at: string): string => `${moment.format(Date.parse(at))} UTC`;

const day = new Intl.DateTimeFormat('en-GB', { dateStyle: 'medium', timeZone: 'UTC' });
/** '21 Nov 2026'. */
export const dayText = (date: string): string => day.format(Date.parse(date));
