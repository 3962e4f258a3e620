import { ApiError } from '@sightline/contract/core/client.ts';
import type { ScannerName } from '@sightline/contract/core/scan-sources.ts';
import {
  connectScanner,
  getScanner,
  type ScannerCheck,
  type ScannerSettings,
  testScanner,
} from '@sightline/contract/sources/integrations.ts';
import { scannerForms } from '@sightline/contract/sources/scanner-forms.ts';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { call, keyOf } from '#lib/api.ts';
import { errorMessageOf } from '#lib/reason.ts';
import { isNonProduction } from '#lib/site.ts';
import {
  type FieldErrors,
  type ScannerDraft,
  type ScannerField,
  scannerBodyOf,
  scannerErrorsOf,
} from './scannerRules.ts';

/** The input, its errors, and the response of the scanner. The input stays after every failure. */
export function useScannerForm(
  scanner: ScannerName,
  settings: ScannerSettings | null,
  defaultURL: string,
  onConnected: () => void,
) {
  const params = { scanner };
  const queryClient = useQueryClient();
  const [draft, setDraft] = useState<ScannerDraft>({
    tenant: settings?.tenant ?? '',
    apiKey: '',
    baseURL: settings === null || settings.baseURL === defaultURL ? '' : settings.baseURL,
  });
  const [touched, setTouched] = useState<ReadonlySet<ScannerField>>(new Set());
  const test = useMutation({
    mutationFn: () => call(testScanner, { params, body: scannerBodyOf(draft) }),
    meta: { quiet: true },
  });
  const connect = useMutation({
    mutationFn: () => call(connectScanner, { params, body: scannerBodyOf(draft) }),
    onMutate: () => test.reset(),
    onSuccess: (connected) => {
      queryClient.setQueryData(keyOf(getScanner, { params }), connected);
      onConnected();
    },
    meta: { quiet: true },
  });
  const wrong = scannerErrorsOf(scanner, draft, {
    http: isNonProduction(),
    isURLRequired: defaultURL === '',
  });
  const problems = problemsOf(scanner, connect.error, test.data);
  return {
    draft,
    /** The errors of each field: from validation after blur, and from the scanner. */
    errors: { ...problems.fields, ...only(wrong, touched) },
    /** The first field with an error, which receives the focus; undefined without errors. */
    faulty: Object.keys(problems.fields).find(isField),
    /** An error that belongs to no single field. */
    problem:
      problems.general ?? (test.error ? errorMessageOf(test.error, 'The connection could not be tested.') : undefined),
    works: test.data?.ok ? test.data : undefined,
    ready: Object.keys(wrong).length === 0,
    testing: test.isPending,
    connecting: connect.isPending,
    dirty: draft.apiKey !== '' || (settings === null && draft.tenant !== ''),
    change: (field: ScannerField, value: string) => {
      // Clears the response, which refers to earlier input.
      test.reset();
      connect.reset();
      setDraft({ ...draft, [field]: value });
    },
    leave: (field: ScannerField) => {
      if (draft[field] !== '') setTouched(new Set([...touched, field]));
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

/** Maps errors to fields. Field names are the same in the request and in the form. */
function problemsOf(scanner: ScannerName, refused: Error | null, checked: ScannerCheck | undefined): Problems {
  if (refused) {
    const details = (refused instanceof ApiError && refused.refusal?.details) || [];
    const fields = Object.fromEntries(
      details.filter(({ field }) => isField(field)).map(({ field, message }) => [field, message]),
    );
    if (Object.keys(fields).length > 0) return { fields };
    return {
      fields: {},
      general: errorMessageOf(refused, `${scannerForms[scanner].title} was not connected. Your input is unchanged.`),
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
