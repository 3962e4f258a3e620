import { Empty } from '#ui/Empty.tsx';
import { Failure } from '#ui/Failure.tsx';
import { Panel } from '#ui/Panel.tsx';
import type { useLedger } from './useLedger.ts';

interface LedgerPlaceholderProps {
  ledger: Pick<ReturnType<typeof useLedger>, 'error' | 'refetch'>;
  /** What the page lists: 'entries'. */
  noun: string;
}

/** Shown while the ledger loads, if it could not be loaded, and before its first entry. */
export const LedgerPlaceholder = ({ ledger: { error, refetch }, noun }: LedgerPlaceholderProps) => (
  <Panel>
    {error?.status === 404 ? (
      <Empty kind="nothing-yet" title={`No ${noun}`}>
        The first {noun} appear within seconds of the first event or change.
      </Empty>
    ) : error ? (
      <Failure title="The ledger could not be loaded" error={error} onRetry={() => void refetch()} />
    ) : (
      <p className="dim" role="status" aria-busy>
        Loading
      </p>
    )}
  </Panel>
);
