import { Button } from '@mantine/core';
import { type Ledger, updateLedgerAccess } from '@sightline/contract/ledger/ledger.ts';
import { useState } from 'react';
import { call } from '#lib/api.ts';
import { useChange } from '#lib/change.ts';
import { useManageIntegrationsRefusal } from '#lib/rights.ts';
import { hasPermission, useSession } from '#lib/session.ts';
import { ConfirmDialog } from '#ui/ConfirmDialog.tsx';
import { DisabledReason } from '#ui/DisabledReason.tsx';
import { Facts } from '#ui/Facts.tsx';
import { Link } from '#ui/Link.tsx';
import { Panel } from '#ui/Panel.tsx';
import { StatusBadge } from '#ui/StatusBadge.tsx';
import { toast } from '#ui/toast.ts';
import { Exact } from './Exact.tsx';
import s from './Ledger.module.css';

/** The address where clients of C2SP tlog-tiles read the log, and who may. Account Owners make it public or private. */
export function LogAccess({ ledger: { origin, isPublic } }: { ledger: Ledger }) {
  const refusal = useManageIntegrationsRefusal();
  const createsKeys = hasPermission(useSession(), 'manage:integrations');
  const [isConfirming, setConfirming] = useState(false);
  const change = useChange(
    (open: boolean) => call(updateLedgerAccess, { body: { isPublic: open } }),
    (_, open) => {
      setConfirming(false);
      toast.success(open ? 'The ledger is public.' : 'The ledger is private.');
    },
  );
  return (
    <Panel
      title="Log access"
      aside={
        <DisabledReason reason={refusal}>
          <Button
            variant="default"
            size="xs"
            disabled={refusal !== undefined}
            loading={change.isPending && !isConfirming}
            onClick={() => (isPublic ? change.mutate(false) : setConfirming(true))}
          >
            {isPublic ? 'Make private' : 'Make public'}
          </Button>
        </DisabledReason>
      }
    >
      <Facts
        side
        items={[
          ['Address', <Exact key="address" value={`${window.location.protocol}//${origin}`} label="Copy address" />],
          [
            'Readers',
            isPublic ? (
              <StatusBadge key="readers" tone="yellow">
                Anyone
              </StatusBadge>
            ) : (
              <StatusBadge key="readers" tone="gray">
                With access key
              </StatusBadge>
            ),
          ],
        ]}
      />
      <p className={s.hint}>
        Any client of C2SP tlog-tiles reads and verifies the log there.{' '}
        {isPublic ? (
          'It needs no credentials.'
        ) : (
          <>
            It sends an{' '}
            {createsKeys ? (
              <Link className="link" href="/organization/access-keys">
                access key
              </Link>
            ) : (
              'access key'
            )}{' '}
            for the ledger{createsKeys ? '' : ', which Account Owners create,'} as a bearer token.
          </>
        )}
      </p>
      <ConfirmDialog
        opened={isConfirming}
        onClose={() => setConfirming(false)}
        title="Make the ledger public?"
        confirm="Make public"
        danger
        pending={change.isPending}
        onConfirm={() => change.mutate(true)}
      >
        Anyone with the address can read every entry: kinds, times, IDs, and the names of repositories. Entries contain
        no names or addresses of people. Copies that others make stay readable after the ledger is private again.
      </ConfirmDialog>
    </Panel>
  );
}
