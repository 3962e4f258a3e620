import type { Ledger } from '@sightline/contract/ledger/ledger.ts';
import type { Integration, IntegrationCategory } from '@sightline/contract/sources/integrations.ts';
import type { Tone } from '#ui/StatusBadge.tsx';

/** The state of a data source, with a link to the page that shows and repairs it. */
export interface SourceHealth {
  name: string;
  tone: Tone;
  /** The state in a few words: 'GitHub failing'. */
  text: string;
  /** When the source was last seen working; null if unknown. */
  at: string | null;
  href: string;
}

const categories = {
  'source-code-management': 'Code hosts',
  'security-scanners': 'Security scanners',
  'ide-extensions': 'Editor extensions',
  'browser-extensions': 'Browser extensions',
  chat: 'Chat',
  directories: 'Directory',
  'issue-trackers': 'Issue trackers',
} as const satisfies Record<IntegrationCategory, string>;

/** The health of each category of integrations, in the order of the integrations page. */
export const integrationHealth = (integrations: readonly Integration[]): SourceHealth[] =>
  (Object.keys(categories) as IntegrationCategory[]).flatMap((category) => {
    const members = integrations.filter((one) => one.category === category);
    if (members.length === 0) return [];
    return [{ name: categories[category], href: `/integrations/${category}`, ...connectionHealth(members) }];
  });

function connectionHealth(members: readonly Integration[]): Pick<SourceHealth, 'tone' | 'text' | 'at'> {
  const failing = members.filter(({ status }) => status === 'error');
  const active = members.filter(({ status }) => status === 'active');
  if (failing.length > 0) return { tone: 'red', text: `${titlesOf(failing)} failing`, at: null };
  if (active.length === 0) return { tone: 'gray', text: 'Not connected', at: null };
  const times = active.flatMap(({ lastSyncAt }) => lastSyncAt ?? []).sort();
  return { tone: 'green', text: titlesOf(active), at: times.at(-1) ?? null };
}

const titlesOf = (integrations: readonly Integration[]) => integrations.map(({ title }) => title).join(', ');

/** An entry may wait this long for its position in the ledger before the ledger counts as delayed. */
const MAX_PENDING_MS = 10 * 60_000;

/** The health of the ledger and of its external anchors. `now` in milliseconds since the epoch. */
export function ledgerHealth({ halted, pending, checkpoint, check, anchors }: Ledger, now: number): SourceHealth[] {
  const href = '/ledger';
  const isDelayed = pending.oldest !== null && now - Date.parse(pending.oldest) > MAX_PENDING_MS;
  const signedAt = checkpoint?.signedAt ?? null;
  const state: Pick<SourceHealth, 'tone' | 'text' | 'at'> =
    halted !== null
      ? { tone: 'red', text: 'Halted', at: null }
      : check !== null && check.problems > 0
        ? { tone: 'red', text: 'Verification failed', at: check.at }
        : isDelayed
          ? { tone: 'yellow', text: 'Entries are waiting', at: pending.oldest }
          : { tone: 'green', text: signedAt === null ? 'No checkpoint yet' : 'Signed', at: signedAt };
  const lastAnchor = anchors.toSorted((one, other) => other.at.localeCompare(one.at))[0];
  return [
    { name: 'Ledger', href, ...state },
    lastAnchor
      ? { name: 'External anchors', href, tone: 'green', text: lastAnchor.party, at: lastAnchor.at }
      : { name: 'External anchors', href, tone: 'yellow', text: 'No external anchor configured', at: null },
  ];
}
