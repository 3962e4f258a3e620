import type { Ledger } from '@sightline/contract/ledger/ledger.ts';
import { docsHref } from '#lib/docs.ts';
import { Banner } from '#ui/Banner.tsx';
import { useNow } from '#ui/Clock.tsx';
import { DocsLink } from '#ui/DocsLink.tsx';
import { TimeAgo } from '#ui/TimeAgo.tsx';
import { freshHours } from './words.ts';

/** What somebody must know before they rely on it: it is halted, or nobody else vouches for it. */
export function AnchorState({ ledger }: { ledger: Ledger }) {
  const now = useNow();
  if (ledger.halted !== null) {
    return (
      <Banner tone="error" details={ledger.halted}>
        <strong>The ledger is halted.</strong> What it holds no longer agrees with what was signed, so nothing is added
        to it; new entries wait and none is lost. Whoever runs this server finds out what was changed with{' '}
        <code>doctor --ledger</code>, and then restores a backup or begins a new epoch.{' '}
        <DocsLink href={docsHref('ledger', 'when-it-is-halted')}>What to do</DocsLink>
      </Banner>
    );
  }
  const newest = ledger.anchors.toSorted((one, other) => Date.parse(other.at) - Date.parse(one.at))[0];
  if (!newest) {
    return (
      <Banner tone="warning">
        <strong>Only we vouch for this log.</strong> No checkpoint was left with anybody else: whoever runs this server,
        with its key and its database, could still rewrite all of it. Add an anchor, or download a checkpoint and keep
        it somewhere else.
      </Banner>
    );
  }
  if (now - Date.parse(newest.at) > freshHours * 3_600_000) {
    return (
      <Banner tone="warning">
        <strong>Nobody else vouches for what is new.</strong> The last checkpoint was left with {newest.party}{' '}
        <TimeAgo at={newest.at} />. Entries since then could still be rewritten by whoever runs this server.
      </Banner>
    );
  }
  return null;
}
