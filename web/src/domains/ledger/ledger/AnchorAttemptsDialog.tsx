import { Button } from '@mantine/core';
import { type Anchor, getReceipt, listAnchorAttempts } from '@sightline/contract/ledger/anchors.ts';
import { getLedgerCheckpoint } from '@sightline/contract/ledger/ledger.ts';
import { useQuery } from '@tanstack/react-query';
import { endpointQuery } from '#lib/api.ts';
import { useExport } from '#lib/use-export.ts';
import { Dialog } from '#ui/Dialog.tsx';
import { Empty } from '#ui/Empty.tsx';
import { Failure } from '#ui/Failure.tsx';
import { StatusDot } from '#ui/StatusBadge.tsx';
import { TimeAgo } from '#ui/TimeAgo.tsx';
import { toast } from '#ui/toast.ts';
import { attemptOutcomeBadges, integerFormat } from './anchorLabels.ts';
import s from './Ledger.module.css';

/** Lists the last attempts to publish a checkpoint to an anchor. */
export function AnchorAttemptsDialog({ anchor, onClose }: { anchor: Anchor; onClose: () => void }) {
  const input = { params: { anchorId: anchor.id }, query: { perPage: 20 } };
  const { data, error, refetch } = useQuery({ ...endpointQuery(listAnchorAttempts, input), meta: { quiet: true } });
  return (
    <Dialog
      title={`Attempts for ${anchor.party}`}
      opened
      onClose={onClose}
      width={560}
      actions={
        <Button variant="default" onClick={onClose}>
          Close
        </Button>
      }
    >
      {error && !data ? (
        <Failure title="The attempts could not be loaded" error={error} onRetry={() => void refetch()} />
      ) : data?.rows.length === 0 ? (
        <Empty kind="nothing-yet" title="No attempts">
          The first checkpoint is being published.
        </Empty>
      ) : (
        <ul className={s.attempts} aria-busy={data === undefined}>
          {data?.rows.map(({ id, at, outcome, epoch, size, message }) => (
            <li key={id}>
              <span className={s.attempt}>
                <StatusDot tone={attemptOutcomeBadges[outcome][0]}>
                  {attemptOutcomeBadges[outcome][1]}
                  {size !== null && `, ${integerFormat.format(size)} entries`}
                </StatusDot>
                <span className="dim">
                  <TimeAgo at={at} />
                </span>
              </span>
              <span className={s.message}>{message}</span>
              {outcome === 'published' && epoch !== null && size !== null && (
                <AttemptDownloads anchor={anchor} epoch={epoch} size={size} />
              )}
            </li>
          ))}
        </ul>
      )}
    </Dialog>
  );
}

// Only these kinds return a verifiable receipt. Webhook and email responses prove nothing.
const receiptKinds: readonly Anchor['kind'][] = ['witness', 'rfc3161', 'git'];

/** Downloads the published checkpoint and the receipt of the anchor. */
function AttemptDownloads({ anchor: { kind, party }, epoch, size }: { anchor: Anchor; epoch: number; size: number }) {
  const checkpoint = useExport(getLedgerCheckpoint, () => toast.success('The checkpoint is saved.'));
  const receipt = useExport(getReceipt, () => toast.success('The receipt is saved.'));
  const failure = checkpoint.state?.failure ?? receipt.state?.failure;
  return (
    <span className={s.actions}>
      <Button variant="default" size="xs" onClick={() => checkpoint.start({ query: { epoch, size } })}>
        Download checkpoint
      </Button>
      {receiptKinds.includes(kind) && (
        <Button variant="default" size="xs" onClick={() => receipt.start({ query: { epoch, size, kind, party } })}>
          Download receipt
        </Button>
      )}
      {failure !== undefined && <span className={s.wrong}>{failure}</span>}
    </span>
  );
}
