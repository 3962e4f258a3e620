import type { Finding, FindingStatus } from '@sightline/contract/vulnerabilities/findings.ts';
import { StatusBadge, type Tone } from '#ui/StatusBadge.tsx';
import { statusNames } from './findingsQuery.ts';

const tones: Record<FindingStatus, Tone> = { open: 'red', dismissed: 'gray', exception: 'purple', fixed: 'green' };

/** Shows the status of a finding, and its end if it is limited. */
export const FindingStatusBadge = ({ finding: { status, exception } }: { finding: Finding }) => (
  <StatusBadge tone={tones[status]}>
    {status === 'exception' && exception
      ? `${statusNames[status]} until ${day.format(Date.parse(exception.until))}`
      : statusNames[status]}
  </StatusBadge>
);

const day = new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'short', year: 'numeric' });
