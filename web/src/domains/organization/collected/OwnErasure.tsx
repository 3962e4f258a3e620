import { Button } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { getCollected } from '@sightline/contract/organization/collected.ts';
import { type Erasure, requestOwnErasure, withdrawOwnErasure } from '@sightline/contract/organization/erasure.ts';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { call, keyOf } from '#lib/api.ts';
import { reasonOf } from '#lib/reason.ts';
import { Banner } from '#ui/Banner.tsx';
import { ConfirmDialog } from '#ui/ConfirmDialog.tsx';
import { Panel } from '#ui/Panel.tsx';
import { StatusBadge } from '#ui/StatusBadge.tsx';
import { TimeAgo } from '#ui/TimeAgo.tsx';
import { toast } from '#ui/toast.ts';
import s from './Collected.module.css';

interface OwnErasureProps {
  /** What they asked for last. */
  erasure: Erasure | null;
  backupDays: number | null;
}

/** Asks for all of it to be erased, shows what came of that, and takes it back. */
export function OwnErasure({ erasure, backupDays }: OwnErasureProps) {
  const [asking, { open, close }] = useDisclosure(false);
  const queryClient = useQueryClient();
  const settle = () => queryClient.invalidateQueries({ queryKey: keyOf(getCollected) });
  const change = useMutation({
    mutationFn: (wanted: 'request' | 'withdraw') =>
      wanted === 'request' ? call(requestOwnErasure, {}) : call(withdrawOwnErasure, {}),
    meta: { quiet: true },
    onSuccess: ({ state }) =>
      toast.success(
        state === 'withdrawn'
          ? 'Your request is taken back.'
          : 'Your request was sent. An Account Owner will answer it.',
      ),
    onError: (error) => toast.error(reasonOf(error, 'The server could not be reached. Check your connection.')),
    onSettled: () => {
      close();
      return settle();
    },
  });
  const waits = erasure?.state === 'requested';
  return (
    <Panel
      title="Erasure"
      danger
      aside={waits ? <StatusBadge tone="yellow">Waiting for an answer</StatusBadge> : undefined}
    >
      <div className={s.erasure}>
        <div className={s.text}>
          {waits ? (
            <p>
              You asked for this <TimeAgo at={erasure.requestedAt} />. An Account Owner answers it; until then nothing
              changes, and you can take it back.
            </p>
          ) : (
            <p>
              You can ask for everything above to be erased. An Account Owner answers. Then you are no longer a member,
              your name, addresses, logins and pictures are taken out of every record, and the key is destroyed without
              which nobody can read what the ledger holds about you. <strong>It cannot be undone.</strong>
            </p>
          )}
          {erasure?.state === 'refused' && (
            <Banner tone="info">
              Your request was refused <TimeAgo at={erasure.decidedAt ?? erasure.requestedAt} />
              {erasure.decidedBy && ` by ${erasure.decidedBy.name}`}: {erasure.reason}
            </Banner>
          )}
          <ul className={s.limits}>
            <li>Your account is deleted too, unless another organization on this server knows it.</li>
            <li>
              The record of these actions stays, under an id that identifies no person. So do the ids of commits, which
              lead to you at the code host.
            </li>
            <li>{backupWords(backupDays)} What was exported or handed to auditors before stays with whoever has it.</li>
          </ul>
        </div>
        {waits ? (
          <Button variant="default" loading={change.isPending} onClick={() => change.mutate('withdraw')}>
            Take the request back
          </Button>
        ) : (
          <Button color="red" variant="outline" onClick={open}>
            Ask for erasure
          </Button>
        )}
      </div>
      <ConfirmDialog
        opened={asking}
        onClose={close}
        title="Ask for everything about you to be erased?"
        confirm="Ask for erasure"
        danger
        pending={change.isPending}
        onConfirm={() => change.mutate('request')}
      >
        An Account Owner is asked. Once they carry it out you lose access at once, and nothing brings it back. Export
        what you want to keep first.
      </ConfirmDialog>
    </Panel>
  );
}

const backupWords = (days: number | null): string =>
  days === null
    ? 'Backups hold it until they expire; ask the people who run the server when.'
    : `Backups hold it until they expire, ${days} ${days === 1 ? 'day' : 'days'} at most.`;
