import { ApiError } from '@sightline/contract/core/client.ts';
import {
  type CheckmarxSettings,
  connectCheckmarx,
  getCheckmarx,
  type ScannerCheck,
  testCheckmarx,
} from '@sightline/contract/sources/integrations.ts';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { call, keyOf } from '#lib/api.ts';
import { reasonOf } from '#lib/reason.ts';
import { isTrial } from '#lib/site.ts';
import { bodyOf, errorsOf, type FieldErrors, type ScannerDraft, type ScannerField } from './scannerRules.ts';

/** What is typed, what is wrong with it, and what the scanner says to it. What was typed stays through every failure. */
export function useScannerForm(settings: CheckmarxSettings | null, defaultURL: string, onConnected: () => void) {
  const queryClient = useQueryClient();
  const [draft, setDraft] = useState<ScannerDraft>({
    tenant: settings?.tenant ?? '',
    apiKey: '',
    baseURL: settings === null || settings.baseURL === defaultURL ? '' : settings.baseURL,
  });
  const [left, setLeft] = useState<ReadonlySet<ScannerField>>(new Set());
  const test = useMutation({ mutationFn: () => call(testCheckmarx, { body: bodyOf(draft) }), meta: { quiet: true } });
  const connect = useMutation({
    mutationFn: () => call(connectCheckmarx, { body: bodyOf(draft) }),
    onMutate: () => test.reset(),
    onSuccess: (connected) => {
      queryClient.setQueryData(keyOf(getCheckmarx, {}), connected);
      onConnected();
    },
    meta: { quiet: true },
  });
  const wrong = errorsOf(draft, { http: isTrial() });
  const said = problemsOf(connect.error, test.data);
  return {
    draft,
    /** What the fields show: what is wrong in those that were left, and what the scanner said about each. */
    errors: { ...said.fields, ...only(wrong, left) },
    /** The first field that was found fault with, to be led to; undefined where there is none. */
    faulty: Object.keys(said.fields).find(isField),
    /** What concerns no single field. */
    problem: said.general ?? (test.error ? reasonOf(test.error, 'The connection could not be tested.') : undefined),
    works: test.data?.ok ? test.data : undefined,
    ready: Object.keys(wrong).length === 0,
    testing: test.isPending,
    connecting: connect.isPending,
    dirty: draft.apiKey !== '' || (settings === null && draft.tenant !== ''),
    change: (field: ScannerField, value: string) => {
      // What was said was about what stood there before.
      test.reset();
      connect.reset();
      setDraft({ ...draft, [field]: value });
    },
    leave: (field: ScannerField) => {
      if (draft[field] !== '') setLeft(new Set([...left, field]));
    },
    test: () => {
      connect.reset();
      test.mutate();
    },
    connect: () => connect.mutate(),
  };
}

interface Problems {
  fields: FieldErrors;
  general?: string;
}

/** Refusals name the field of the request, checks the field of the form: the names are the same. */
function problemsOf(refused: Error | null, checked: ScannerCheck | undefined): Problems {
  if (refused) {
    const details = (refused instanceof ApiError && refused.refusal?.details) || [];
    const fields = Object.fromEntries(
      details.filter(({ field }) => isField(field)).map(({ field, message }) => [field, message]),
    );
    if (Object.keys(fields).length > 0) return { fields };
    return {
      fields: {},
      general: reasonOf(refused, 'Checkmarx One was not connected. Your input is unchanged.'),
    };
  }
  const problem = checked?.problem;
  if (!problem) return { fields: {} };
  return problem.field === null
    ? { fields: {}, general: problem.message }
    : { fields: { [problem.field]: problem.message } };
}

const isField = (name: string): name is ScannerField => ['tenant', 'apiKey', 'baseURL'].includes(name);

const only = (errors: FieldErrors, fields: ReadonlySet<ScannerField>): FieldErrors =>
  Object.fromEntries(Object.entries(errors).filter(([field]) => fields.has(field as ScannerField)));
