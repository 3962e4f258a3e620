import { ApiError } from '@sightline/contract/core/client.ts';
import { connectSlack, getSlack } from '@sightline/contract/delivery/chat.ts';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { call, keyOf } from '#lib/api.ts';
import { errorMessageOf } from '#lib/reason.ts';
import type { SecretState } from '../SecretForm.tsx';

export type SlackField = 'token' | 'signingSecret';

/** The token and signing secret of the Slack app, with the errors of Slack. */
export function useSlackForm(onConnected: () => void): SecretState<SlackField> & { problem: string | undefined } {
  const queryClient = useQueryClient();
  const [draft, setDraft] = useState<Record<SlackField, string>>({ token: '', signingSecret: '' });
  const connect = useMutation({
    mutationFn: () =>
      call(connectSlack, { body: { token: draft.token.trim(), signingSecret: draft.signingSecret.trim() } }),
    onSuccess: (setup) => {
      queryClient.setQueryData(keyOf(getSlack, {}), setup);
      onConnected();
    },
    meta: { quiet: true },
  });
  const errors = fieldErrors(connect.error);
  const [faulty] = Object.keys(errors) as SlackField[];
  return {
    draft,
    errors,
    faulty,
    problem:
      connect.error && faulty === undefined
        ? errorMessageOf(connect.error, 'Slack was not connected. Your input is unchanged.')
        : undefined,
    dirty: Object.values(draft).some((value) => value !== ''),
    ready: Object.values(draft).every((value) => value.trim() !== ''),
    connecting: connect.isPending,
    change: (field, value) => {
      connect.reset();
      setDraft({ ...draft, [field]: value });
    },
    connect: () => connect.mutate(),
  };
}

function fieldErrors(error: Error | null): Partial<Record<SlackField, string>> {
  const details = (error instanceof ApiError && error.refusal?.details) || [];
  return Object.fromEntries(
    details
      .filter(({ field }) => field === 'token' || field === 'signingSecret')
      .map(({ field, message }) => [field, message]),
  );
}
