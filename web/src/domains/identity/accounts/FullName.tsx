import { Button, TextInput } from '@mantine/core';
import { type Account, MAX_FULL_NAME_LENGTH, updateAccountDescription } from '@sightline/contract/identity/accounts.ts';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { account } from '#lib/account.ts';
import { call } from '#lib/api.ts';
import { errorMessageOf } from '#lib/reason.ts';
import { Banner } from '#ui/Banner.tsx';
import { toast } from '#ui/toast.ts';
import s from './Account.module.css';
import { AccountSection, SkeletonRows } from './Section.tsx';

/** Save is disabled while the name is empty or unchanged (spec 5). The email address is read-only. */
export const FullName = ({ me }: { me: Account | undefined }) => (
  <AccountSection id="profile" title="Full name and email">
    {me ? <Form me={me} /> : <SkeletonRows />}
  </AccountSection>
);

function Form({ me }: { me: Account }) {
  const [draft, setDraft] = useState<string>();
  const queryClient = useQueryClient();
  const name = draft ?? me.name;
  const ready = name.trim() !== '' && name.trim() !== me.name;
  const save = useMutation({
    mutationFn: () => call(updateAccountDescription, { body: { id: me.nid, displayName: name.trim() } }),
    onSuccess: (saved) => {
      queryClient.setQueryData(account().queryKey, saved);
      setDraft(undefined);
      toast.success('Your name is saved.');
    },
    meta: { quiet: true },
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (ready) save.mutate();
  };
  return (
    <form className={s.form} onSubmit={submit}>
      <TextInput
        label="Full name"
        value={name}
        maxLength={MAX_FULL_NAME_LENGTH}
        autoComplete="name"
        onChange={({ currentTarget }) => setDraft(currentTarget.value)}
      />
      <TextInput
        label="Email"
        description="Used for sign-in and invitations. It cannot be changed here."
        value={me.email}
        readOnly
        autoComplete="email"
      />
      {save.error && (
        <Banner tone="error">{errorMessageOf(save.error, 'Your name was not saved. Your input is unchanged.')}</Banner>
      )}
      <div className={s.actions}>
        <Button type="submit" disabled={!ready} loading={save.isPending}>
          Save
        </Button>
      </div>
    </form>
  );
}
