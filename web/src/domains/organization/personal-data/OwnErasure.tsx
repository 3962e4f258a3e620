import { Button } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { type Erasure, requestOwnErasure, withdrawOwnErasure } from '@sightline/contract/organization/erasure.ts';
import { getPersonalData } from '@sightline/contract/organization/personal-data.ts';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { call, keyOf } from '#lib/api.ts';
import { errorMessageOf } from '#lib/reason.ts';
import { Banner } from '#ui/Banner.tsx';
import { ConfirmDialog } from '#ui/ConfirmDialog.tsx';
import { Panel } from '#ui/Panel.tsx';
import { StatusBadge } from '#ui/StatusBadge.tsx';
import { TimeAgo } from '#ui/TimeAgo.tsx';
import { toast } from '#ui/toast.ts';
import s from './Collected.module.css';

interface OwnErasureProps {
  /** The latest deletion request. */
  erasure: Erasure | null;
  backupDays: number | null;
}

/** Requests data deletion, shows the status of the request, and withdraws it. */
export function RequestDataDeletion({ erasure, backupDays }: OwnErasureProps) {
  const [asking, { open, close }] = useDisclosure(false);
  const queryClient = useQueryClient();
  const refetchData = () => queryClient.invalidateQueries({ queryKey: keyOf(getPersonalData) });
  const change = useMutation({
    mutationFn: (wanted: 'request' | 'withdraw') =>
      wanted === 'request' ? call(requestOwnErasure, {}) : call(withdrawOwnErasure, {}),
    meta: { quiet: true },
    onSuccess: ({ state }) =>
      toast.success(
        state === 'withdrawn' ? 'Your request is withdrawn.' : 'Your request was sent. An Account Owner decides on it.',
      ),
    onError: (error) => toast.error(errorMessageOf(error, 'The server could not be reached. Check your connection.')),
    onSettled: () => {
      close();
      return refetchData();
    },
  });
  const isOpen = erasure?.state === 'requested';
  return (
    <Panel title="Data deletion" danger aside={isOpen ? <StatusBadge tone="yellow">Pending</StatusBadge> : undefined}>
      <div className={s.erasure}>
        <div className={s.text}>
          {isOpen ? (
            <p>
              Requested <TimeAgo at={erasure.requestedAt} />. An Account Owner decides on it. Until then you can
              withdraw it.
            </p>
          ) : (
            <p>
              You can request deletion of all data above. An Account Owner decides on it. You then lose membership. Your
              name, addresses, logins and pictures are removed from every record, and the key to your personal data in
              the ledger is destroyed. <strong>This cannot be undone.</strong>
            </p>
          )}
          {erasure?.state === 'refused' && (
            <Banner tone="info">
              Your request was refused <TimeAgo at={erasure.decidedAt ?? erasure.requestedAt} />
              {erasure.decidedBy && ` by ${erasure.decidedBy.name}`}: {erasure.reason}
            </Banner>
          )}
          <ul className={s.limits}>
            <li>Your account is deleted too, unless it belongs to another organization on this server.</li>
            <li>
              Records of your actions stay under a pseudonymous ID. Commit IDs stay too, and identify you at the code
              host.
            </li>
            <li>{backupWords(backupDays)} Earlier exports and evidence packages of auditors are not affected.</li>
          </ul>
        </div>
        {isOpen ? (
          <Button variant="default" loading={change.isPending} onClick={() => change.mutate('withdraw')}>
            Withdraw request
          </Button>
        ) : (
          <Button color="red" variant="outline" onClick={open}>
            Request data deletion
          </Button>
        )}
      </div>
      <ConfirmDialog
        opened={asking}
        onClose={close}
        title="Request deletion of all your data?"
        confirm="Request data deletion"
        danger
        pending={change.isPending}
        onConfirm={() => change.mutate('request')}
      >
        An Account Owner decides on the request. When they approve it, you lose access immediately and permanently.
        Export your data first.
      </ConfirmDialog>
    </Panel>
  );
}

const backupWords = (days: number | null): string =>
  days === null
    ? 'Backups contain it until they expire. Ask the operator of the server for the date.'
    : `Backups contain it until they expire, after at most ${days} ${days === 1 ? 'day' : 'days'}.`;
