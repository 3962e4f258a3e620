import { Button, Checkbox, PasswordInput } from '@mantine/core';
import type { Account } from '@sightline/contract/identity/accounts.ts';
import { passwordConnection } from '@sightline/contract/identity/identities.ts';
import {
  changePassword,
  passwordMax,
  passwordMin,
  passwordProblem,
  requestPasswordLink,
} from '@sightline/contract/identity/passwords.ts';
import { listSessions } from '@sightline/contract/identity/sessions.ts';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { call, keyOf } from '#lib/api.ts';
import { errorMessageOf } from '#lib/reason.ts';
import { Banner } from '#ui/Banner.tsx';
import { toast } from '#ui/toast.ts';
import s from './Account.module.css';
import { AccountSection, SkeletonRows } from './Section.tsx';

/** Changes the password, or sends a link to set the first one. */
export function PasswordSection({ me }: { me: Account | undefined }) {
  const has = me?.linkedIdentities.some(({ connection }) => connection === passwordConnection);
  return (
    <AccountSection id="password" title="Password">
      {!me ? <SkeletonRows /> : has ? <Change email={me.email} /> : <First email={me.email} />}
    </AccountSection>
  );
}

const empty = { currentPassword: '', newPassword: '', endOtherSessions: true };

function Change({ email }: { email: string }) {
  const [given, setGiven] = useState(empty);
  const queryClient = useQueryClient();
  const problem = given.newPassword === '' ? undefined : passwordProblem(given.newPassword, email);
  const ready = given.currentPassword !== '' && given.newPassword !== '' && problem === undefined;
  const save = useMutation({
    mutationFn: () => call(changePassword, { body: given }),
    onSuccess: () => {
      setGiven(empty);
      void queryClient.invalidateQueries({ queryKey: keyOf(listSessions) });
      toast.success('Your password is changed.');
    },
    meta: { quiet: true },
  });
  const change = (part: Partial<typeof empty>) => {
    save.reset();
    setGiven({ ...given, ...part });
  };
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (ready) save.mutate();
  };
  return (
    <form className={s.form} onSubmit={submit}>
      <input type="text" name="username" autoComplete="username" value={email} readOnly hidden />
      <PasswordInput
        label="Current password"
        value={given.currentPassword}
        autoComplete="current-password"
        onChange={({ currentTarget }) => change({ currentPassword: currentTarget.value })}
      />
      <PasswordInput
        label="New password"
        description={`${passwordMin} to ${passwordMax} characters. Several unrelated words are easy to remember.`}
        value={given.newPassword}
        error={problem}
        autoComplete="new-password"
        onChange={({ currentTarget }) => change({ newPassword: currentTarget.value })}
      />
      <Checkbox
        label="Sign out all other sessions and extensions"
        checked={given.endOtherSessions}
        onChange={({ currentTarget }) => change({ endOtherSessions: currentTarget.checked })}
      />
      {save.error && (
        <Banner tone="error">
          {errorMessageOf(save.error, 'The password could not be changed.')} <a href="/oidc/forgot">Forgot password?</a>
        </Banner>
      )}
      <div className={s.actions}>
        <Button type="submit" variant="default" disabled={!ready} loading={save.isPending}>
          Change password
        </Button>
      </div>
    </form>
  );
}

function First({ email }: { email: string }) {
  const send = useMutation({ mutationFn: () => call(requestPasswordLink, {}), meta: { quiet: true } });
  return (
    <div className={s.stack}>
      <p>
        This account has no password. Sightline can email a link to <b>{email}</b> to set one. The link is valid for one
        hour and signs you out everywhere.
      </p>
      {send.isSuccess && <Banner tone="info">The link was sent. Check your inbox.</Banner>}
      {send.error && <Banner tone="error">{errorMessageOf(send.error, 'The link could not be sent.')}</Banner>}
      <div className={s.actions}>
        <Button variant="default" loading={send.isPending} disabled={send.isSuccess} onClick={() => send.mutate()}>
          Email me a link
        </Button>
      </div>
    </div>
  );
}
