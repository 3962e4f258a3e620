import type { Finding } from '@sightline/contract/findings.ts';
import { IconArrowBackUp, IconCalendarClock, IconCircleOff, type TablerIcon } from '@tabler/icons-react';

/** What may be decided about several findings at once. */
export interface Offer {
  kind: 'dismiss' | 'reopen' | 'request';
  label: string;
  Icon: TablerIcon;
  /** Those of them that it fits. */
  findings: readonly Finding[];
}

const all: readonly (Omit<Offer, 'findings'> & { fits: readonly Finding['status'][]; decides: boolean })[] = [
  { kind: 'dismiss', label: 'Dismiss', Icon: IconCircleOff, fits: ['open'], decides: true },
  { kind: 'request', label: 'Request exception', Icon: IconCalendarClock, fits: ['open'], decides: false },
  { kind: 'reopen', label: 'Reopen', Icon: IconArrowBackUp, fits: ['dismissed', 'exception'], decides: true },
];

/** What can be offered for findings as they stand, to somebody with these rights. */
export const offersFor = (findings: readonly Finding[], rights: { asks: boolean; decides: boolean }): Offer[] =>
  all
    .filter(({ decides }) => (decides ? rights.decides : rights.asks))
    .map(({ kind, label, Icon, fits }) => ({
      kind,
      label,
      Icon,
      findings: findings.filter(({ status }) => fits.includes(status)),
    }))
    .filter((offer) => offer.findings.length > 0);
