import { TextInput } from '@mantine/core';
import { erasePerson, listErasures } from '@sightline/contract/organization/erasure.ts';
import type { MemberListItem } from '@sightline/contract/organization/members.ts';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { call, keyOf } from '#lib/api.ts';
import { reasonOf } from '#lib/reason.ts';
import { FormDialog } from '#ui/FormDialog.tsx';
import { toast } from '#ui/toast.ts';
import { useRefresh } from './changes.ts';

/** Asks for the name before somebody is erased for good. */
export function EraseDialog({ member, onClose }: { member: MemberListItem; onClose: () => void }) {
  const { name, user_id: userId, id } = member;
  const [typed, setTyped] = useState('');
  const refresh = useRefresh();
  const queryClient = useQueryClient();
  const erase = useMutation({
    mutationFn: () => {
      const subject = userId === null ? { kind: 'person' as const, id } : { kind: 'member' as const, id: userId };
      return call(erasePerson, { body: { subject, confirm: typed } });
    },
    meta: { quiet: true },
    onSuccess: () => {
      toast.success('The person is being erased. How far it is stands under Erasures.');
      onClose();
    },
    onSettled: () => {
      refresh();
      return queryClient.invalidateQueries({ queryKey: keyOf(listErasures) });
    },
  });
  return (
    <FormDialog
      title={`Erase ${name} from all records?`}
      submit="Erase for good"
      danger
      ready={typed.trim().toLowerCase() === name.toLowerCase()}
      pending={erase.isPending}
      problem={
        erase.error ? reasonOf(erase.error, 'The server could not be reached. Check your connection.') : undefined
      }
      onClose={onClose}
      onSubmit={() => erase.mutate()}
    >
      <p>
        {userId === null ? 'The' : 'They lose access at once, and the'} name, addresses, logins and pictures of {name}{' '}
        are taken out of every record of this organization, and the key is destroyed without which nobody can read what
        the ledger holds about them. <strong>This cannot be undone.</strong>
      </p>
      <p>
        The record of these actions stays, under an id that identifies no person.{' '}
        {userId !== null && 'Their account is deleted too, unless another organization on this server knows it. '}
        Backups and what was exported hold them until they expire. What their code host tells of them later is recorded
        as of a new person: take them off there first.
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
