import type { Scan } from '@sightline/contract/vulnerabilities/scans.ts';
import { StatusBadge, type Tone } from '#ui/StatusBadge.tsx';

const looks: Record<Scan['state'], readonly [Tone, string]> = {
  receiving: ['blue', 'Receiving'],
  matching: ['blue', 'Comparing'],
  done: ['green', 'Done'],
  failed: ['red', 'Failed'],
};

/** Shows the state of a scan, with the number of processed results while it runs. */
export function ScanState({ scan: { state, received } }: { scan: Scan }) {
  const [tone, word] = looks[state];
  const read = state === 'receiving' && received > 0 ? `, ${received.toLocaleString('en')} received` : '';
  return <StatusBadge tone={tone}>{`${word}${read}`}</StatusBadge>;
}
