import type { Ledger } from '@sightline/contract/ledger/ledger.ts';
import { docsHref } from '#lib/docs.ts';
import { Banner } from '#ui/Banner.tsx';
import { useNow } from '#ui/Clock.tsx';
import { DocsLink } from '#ui/DocsLink.tsx';
import { TimeAgo } from '#ui/TimeAgo.tsx';
import { maxCheckpointAgeHours } from './anchorLabels.ts';

/** A banner at the top of the ledger page if the ledger is halted, has no anchor, or was not anchored recently. */
export function LedgerNotice({ ledger }: { ledger: Ledger }) {
  const now = useNow();
  if (ledger.halted !== null) {
    return (
      <Banner tone="error" details={ledger.halted}>
        <strong>Ledger integrity failure, halted</strong> Its contents do not match its signed checkpoints, so no
        entries are added. New entries stay pending and none is lost. The operator of this server can find the change
        with <code>doctor --ledger</code>, and then restore a backup or start a new epoch.{' '}
        <DocsLink href={docsHref('ledger', 'ledger-integrity-failure')}>View remedy</DocsLink>
      </Banner>
    );
  }
  const newest = ledger.anchors.toSorted((one, other) => Date.parse(other.at) - Date.parse(one.at))[0];
  if (!newest) {
    return (
      <Banner tone="warning">
        <strong>No external anchor configured.</strong> Someone with this server, its key and its database could rewrite
        the whole ledger unnoticed. Add an anchor, or download a checkpoint and store it elsewhere.
      </Banner>
    );
  }
  if (now - Date.parse(newest.at) > maxCheckpointAgeHours * 3_600_000) {
    return (
      <Banner tone="warning">
        <strong>Recent entries are not anchored.</strong> The last checkpoint was published to {newest.party}{' '}
        <TimeAgo at={newest.at} />. The operator of this server could rewrite later entries unnoticed.
      </Banner>
    );
  }
  return null;
}
