import { ApiError } from '@sightline/contract/core/client.ts';
import { connectHost, getHostConnection, type HostState } from '@sightline/contract/sources/host-connections.ts';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { call, keyOf } from '#lib/api.ts';
import { errorMessageOf } from '#lib/reason.ts';

const fields = ['token', 'email', 'workspace', 'baseURL'] as const;
export type HostField = (typeof fields)[number];
type HostForm = Record<HostField, string>;

/** The input and the response of the host. The input stays after every failure. */
export function useHostForm({ provider, connection, defaultURL }: HostState, onConnected: () => void) {
  const queryClient = useQueryClient();
  const [draft, setDraft] = useState<HostForm>({
    token: '',
    email: '',
    workspace: '',
    baseURL: connection && connection.baseURL !== defaultURL ? connection.baseURL : '',
  });
  const params = { provider };
  const connect = useMutation({
    mutationFn: () => call(connectHost, { params, body: bodyOf(draft) }),
    onSuccess: (state) => {
      queryClient.setQueryData(keyOf(getHostConnection, { params }), state);
      onConnected();
    },
    meta: { quiet: true },
  });
  const details = (connect.error instanceof ApiError && connect.error.refusal?.details) || [];
  const errors: Partial<Record<HostField, string>> = Object.fromEntries(
    details.filter(({ field }) => isField(field)).map(({ field, message }) => [field, message]),
  );
  const isFieldless = connect.error !== null && Object.keys(errors).length === 0;
  return {
    draft,
    errors,
    /** The first field with an error, which receives the focus; undefined without errors. */
    faulty: fields.find((field) => errors[field] !== undefined),
    /** An error that belongs to no single field. */
    problem: isFieldless ? errorMessageOf(connect.error, 'Connection failed. Your input is unchanged.') : undefined,
    ready: draft.token.trim() !== '' && (defaultURL !== '' || draft.baseURL.trim() !== ''),
    connecting: connect.isPending,
    dirty: draft.token !== '',
    change: (field: HostField, value: string) => {
      // Clears the response, which refers to earlier input.
      connect.reset();
      setDraft({ ...draft, [field]: value });
    },
    connect: () => connect.mutate(),
  };
}

/** Removes spaces and line breaks around and inside a pasted token. No token contains any. */
function bodyOf({ token, email, workspace, baseURL }: HostForm) {
  const optional = Object.entries({ email, workspace, baseURL }).map(([name, value]) => [name, value.trim()]);
  return { token: token.replaceAll(/\s+/g, ''), ...Object.fromEntries(optional.filter(([, value]) => value !== '')) };
}

const isField = (name: string): name is HostField => (fields as readonly string[]).includes(name);
