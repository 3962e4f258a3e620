import { TextInput } from '@mantine/core';
import { erasePerson, listErasures } from '@sightline/contract/organization/erasure.ts';
import type { MemberListItem } from '@sightline/contract/organization/members.ts';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { call, keyOf } from '#lib/api.ts';
import { errorMessageOf } from '#lib/reason.ts';
import { FormDialog } from '#ui/FormDialog.tsx';
import { toast } from '#ui/toast.ts';
import { useRefresh } from './changes.ts';

/** Requires the name before the personal data of a member is deleted permanently. */
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
      toast.success('Deletion started. See its progress under Data deletion.');
      onClose();
    },
    onSettled: () => {
      refresh();
      return queryClient.invalidateQueries({ queryKey: keyOf(listErasures) });
    },
  });
  return (
    <FormDialog
      title={`Delete all data of ${name}?`}
      submit="Delete permanently"
      danger
      ready={typed.trim().toLowerCase() === name.toLowerCase()}
      pending={erase.isPending}
      problem={
        erase.error ? errorMessageOf(erase.error, 'The server could not be reached. Check your connection.') : undefined
      }
      onClose={onClose}
      onSubmit={() => erase.mutate()}
    >
      <p>
        {userId === null ? 'The' : 'They lose access immediately, and the'} name, addresses, logins and pictures of{' '}
        {name} are removed from every record of this organization, and the key to their personal data in the ledger is
        destroyed. <strong>This cannot be undone.</strong>
      </p>
      <p>
        Records of their actions stay under a pseudonymous ID.{' '}
        {userId !== null && 'Their account is deleted too, unless it belongs to another organization on this server. '}
        Backups contain the data until they expire, and exports are not affected. Later activity at the code host is
        recorded as a new person: remove their access there first.
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
