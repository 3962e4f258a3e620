import { Textarea, TextInput } from '@mantine/core';
import { decideErasure, type Erasure } from '@sightline/contract/organization/erasure.ts';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { call } from '#lib/api.ts';
import { errorMessageOf } from '#lib/reason.ts';
import { FormDialog } from '#ui/FormDialog.tsx';
import { toast } from '#ui/toast.ts';

export type ErasureDecision = 'carry_out' | 'refuse';

interface DecideDeletionDialogProps {
  erasure: Erasure;
  decision: ErasureDecision;
  onClose: () => void;
}

const shortestReason = 10;

/** Executes a request for data deletion after the name is typed, or denies it with a reason. Used by `ErasuresPage`. */
export function DecideDeletionDialog({ erasure, decision, onClose }: DecideDeletionDialogProps) {
  const name = erasure.person.name ?? erasure.person.id;
  const [typed, setTyped] = useState('');
  const decide = useMutation({
    mutationFn: () =>
      call(decideErasure, {
        params: { erasureId: erasure.id },
        body: decision === 'refuse' ? { decision: 'refuse', reason: typed } : { decision: 'carry_out', confirm: typed },
      }),
    meta: { quiet: true },
    onSuccess: () => {
      toast.success(decision === 'refuse' ? 'Request denied.' : 'Deletion started.');
      onClose();
    },
  });
  const common = {
    pending: decide.isPending,
    problem: decide.error ? errorMessageOf(decide.error) : undefined,
    onClose,
    onSubmit: () => decide.mutate(),
  };
  if (decision === 'refuse')
    return (
      <FormDialog
        title={`Deny deletion of the data of ${name}?`}
        submit="Deny"
        ready={typed.trim().length >= shortestReason}
        {...common}
      >
        <p>Your reason is shown to them under Your data. They can send another request.</p>
        <Textarea
          label="Reason"
          description={`At least ${shortestReason} characters, such as the law that requires retention and its period.`}
          value={typed}
          data-autofocus
          autosize
          minRows={3}
          maxLength={2000}
          onChange={({ currentTarget }) => setTyped(currentTarget.value)}
        />
      </FormDialog>
    );
  return (
    <FormDialog
      title={`Delete all data of ${name}?`}
      submit="Delete permanently"
      danger
      ready={typed.trim().toLowerCase() === name.toLowerCase()}
      {...common}
    >
      <p>
        They lose access immediately. Their name, addresses, logins and pictures are removed from every record of this
        organization, and the key to their personal data in the ledger is destroyed.{' '}
        <strong>This cannot be undone.</strong>
      </p>
      <p>
        Records of their actions stay under a pseudonymous ID. Backups contain the data until they expire, and exports
        are not affected. Later activity at the code host is recorded as a new person: remove their access there first.
      </p>
      <TextInput
        label={`Type ${name} to confirm`}
        value={typed}
        data-autofocus
        autoComplete="off"
        onChange={({ currentTarget }) => setTyped(currentTarget.value)}
      />
    </FormDialog>
  );
}
