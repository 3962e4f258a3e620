import { ApiError } from '@sightline/contract/core/client.ts';
import {
  connectTracker,
  getTracker,
  type TrackerCheck,
  type TrackerState,
  testTracker,
} from '@sightline/contract/sources/trackers.ts';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { call, keyOf } from '#lib/api.ts';
import { errorMessageOf } from '#lib/reason.ts';

export type TrackerField = 'baseURL' | 'email' | 'token';
type FieldErrors = Partial<Record<TrackerField, string>>;

/** The input, its errors, and the response of the tracker. The input stays after every failure. */
export function useTrackerForm({ tracker, needsURL, needsEmail, connection }: TrackerState, onConnected: () => void) {
  const queryClient = useQueryClient();
  const params = { tracker };
  const [draft, setDraft] = useState<Record<TrackerField, string>>({
    baseURL: connection?.baseURL ?? '',
    email: connection?.email ?? '',
    token: '',
  });
  const address = {
    ...(needsURL && draft.baseURL.trim() !== '' && { baseURL: draft.baseURL.trim() }),
    ...(needsEmail && draft.email.trim() !== '' && { email: draft.email.trim() }),
  };
  const token = draft.token.trim();
  const test = useMutation({
    mutationFn: () => call(testTracker, { params, body: { ...address, ...(token !== '' && { token }) } }),
    meta: { quiet: true },
  });
  const connect = useMutation({
    mutationFn: () => call(connectTracker, { params, body: { ...address, token } }),
    onMutate: () => test.reset(),
    onSuccess: (state) => {
      queryClient.setQueryData(keyOf(getTracker, { params }), state);
      onConnected();
    },
    meta: { quiet: true },
  });
  const problems = problemsOf(connect.error ?? test.error, test.data);
  const isAddressed = (!needsURL || 'baseURL' in address) && (!needsEmail || 'email' in address);
  return {
    draft,
    errors: problems.fields,
    faulty: Object.keys(problems.fields).find(isField),
    /** An error that belongs to no single field. */
    problem: problems.general,
    works: test.data?.ok ? test.data : undefined,
    ready: isAddressed && token !== '',
    /** A stored token can be tested without entering it again. */
    mayTest: isAddressed && (token !== '' || connection !== null),
    testing: test.isPending,
    connecting: connect.isPending,
    dirty: draft.token !== '',
    change: (field: TrackerField, value: string) => {
      // Clears the response, which refers to earlier input.
      test.reset();
      connect.reset();
      setDraft({ ...draft, [field]: value });
    },
    test: () => {
      connect.reset();
      test.mutate();
    },
    connect: () => connect.mutate(),
  };
}

/** Maps errors to fields. Field names are the same in the request and in the form. */
function problemsOf(
  refused: Error | null,
  checked: TrackerCheck | undefined,
): { fields: FieldErrors; general?: string } {
  if (refused) {
    const details = (refused instanceof ApiError && refused.refusal?.details) || [];
    const fields = Object.fromEntries(
      details.filter(({ field }) => isField(field)).map(({ field, message }) => [field, message]),
    );
    if (Object.keys(fields).length > 0) return { fields };
    return { fields: {}, general: errorMessageOf(refused, 'The tracker was not connected. Your input is unchanged.') };
  }
  const problem = checked?.problem;
  if (!problem) return { fields: {} };
  return problem.field === null
    ? { fields: {}, general: problem.message }
    : { fields: { [problem.field]: problem.message } };
}

const isField = (name: string): name is TrackerField => ['baseURL', 'email', 'token'].includes(name);
