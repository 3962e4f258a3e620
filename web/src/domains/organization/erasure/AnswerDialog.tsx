import { Textarea, TextInput } from '@mantine/core';
import { decideErasure, type Erasure, listErasures } from '@sightline/contract/organization/erasure.ts';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { call, keyOf } from '#lib/api.ts';
import { reasonOf } from '#lib/reason.ts';
import { FormDialog } from '#ui/FormDialog.tsx';
import { toast } from '#ui/toast.ts';

export type ErasureAnswer = 'carry_out' | 'refuse';

interface AnswerDialogProps {
  erasure: Erasure;
  answer: ErasureAnswer;
  onClose: () => void;
}

const shortestReason = 10;

/** Carries a request out, for which the name has to be typed, or refuses it, for which a reason has to be given. */
export function AnswerDialog({ erasure, answer, onClose }: AnswerDialogProps) {
  const name = erasure.person.name ?? erasure.person.id;
  const [typed, setTyped] = useState('');
  const queryClient = useQueryClient();
  const decide = useMutation({
    mutationFn: () =>
      call(decideErasure, {
        params: { erasureId: erasure.id },
        body: answer === 'refuse' ? { decision: 'refuse', reason: typed } : { decision: 'carry_out', confirm: typed },
      }),
    meta: { quiet: true },
    onSuccess: () => {
      toast.success(answer === 'refuse' ? 'The request is refused.' : 'The person is being erased.');
      onClose();
    },
    onSettled: () => queryClient.invalidateQueries({ queryKey: keyOf(listErasures) }),
  });
  const common = {
    pending: decide.isPending,
    problem: decide.error
      ? reasonOf(decide.error, 'The server could not be reached. Check your connection.')
      : undefined,
    onClose,
    onSubmit: () => decide.mutate(),
  };
  if (answer === 'refuse')
    return (
      <FormDialog
        title={`Refuse to erase ${name}?`}
        submit="Refuse"
        ready={typed.trim().length >= shortestReason}
        {...common}
      >
        <p>They read your reason under Collected about you. They can ask again.</p>
        <Textarea
          label="Reason"
          description={`At least ${shortestReason} characters, such as the law that asks you to keep it and until when.`}
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
      title={`Erase ${name} from all records?`}
      submit="Erase for good"
      danger
      ready={typed.trim().toLowerCase() === name.toLowerCase()}
      {...common}
    >
      <p>
        They lose access at once. Their name, addresses, logins and pictures are taken out of every record of this
        organization, and the key is destroyed without which nobody can read what the ledger holds about them.{' '}
        <strong>This cannot be undone.</strong>
      </p>
      <p>
        The record of these actions stays, under an id that identifies no person. Backups and what was exported hold
        them until they expire. What their code host tells of them later is recorded as of a new person: take them off
        there first.
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
