import { Button } from '@mantine/core';
import { type Anchor, requestAddressConfirmation } from '@sightline/contract/ledger/anchors.ts';
import { call } from '#lib/api.ts';
import { useChange } from '#lib/change.ts';
import { Dialog } from '#ui/Dialog.tsx';
import { StatusBadge } from '#ui/StatusBadge.tsx';
import { toast } from '#ui/toast.ts';
import s from './Ledger.module.css';

/** Addresses of a mail anchor whose recipients have not agreed yet, each with a way to ask again. */
export function AnchorAddresses({ anchor, onClose }: { anchor: Anchor; onClose: () => void }) {
  const resend = useChange(
    (address: string) => call(requestAddressConfirmation, { params: { anchorId: anchor.id }, body: { address } }),
    (_, address) => toast.success(`Confirmation email queued for ${address}.`),
  );
  return (
    <Dialog
      title={`Unconfirmed addresses of ${anchor.party}`}
      opened
      onClose={onClose}
      width={520}
      actions={
        <Button variant="default" onClick={onClose}>
          Close
        </Button>
      }
    >
      <p className="dim">
        {anchor.unconfirmed.length === 0
          ? 'All addresses are confirmed and receive checkpoints.'
          : 'These addresses receive no checkpoints until their recipients open the link in the confirmation email and confirm.'}
      </p>
      <ul className={s.attempts}>
        {anchor.unconfirmed.map((address) => (
          <li key={address}>
            <span className={s.attempt}>
              {address} <StatusBadge tone="yellow">Unconfirmed</StatusBadge>
            </span>
            <Button
              variant="default"
              size="xs"
              aria-label={`Resend email to ${address}`}
              loading={resend.isPending && resend.variables === address}
              onClick={() => resend.mutate(address)}
            >
              Resend email
            </Button>
          </li>
        ))}
      </ul>
    </Dialog>
  );
}
