import { Radio, Stack } from '@mantine/core';
import { recordRetest } from '@sightline/contract/compliance/remediation-changes.ts';
import type { RemediationRetest } from '@sightline/contract/compliance/remediation-schemas.ts';
import { useState } from 'react';
import { call } from '#lib/api.ts';
import { useChange } from '#lib/change.ts';
import { errorMessageOf } from '#lib/reason.ts';
import { Comment } from '#ui/Comment.tsx';
import { FormDialog } from '#ui/FormDialog.tsx';
import { toast } from '#ui/toast.ts';

interface RetestDialogProps {
  remediationId: string;
  /** The title of the item. */
  name: string;
  onClose: () => void;
}

/** Records the result of a test after a failure. */
export function RetestDialog({ remediationId, name, onClose }: RetestDialogProps) {
  const [result, setResult] = useState<RemediationRetest['result']>();
  const [notes, setNotes] = useState('');
  const record = useChange(
    (given: RemediationRetest['result']) =>
      call(recordRetest, { params: { remediationId }, body: { result: given, notes: notes.trim() } }),
    () => {
      toast.success('Retest recorded');
      onClose();
    },
    { quiet: true },
  );
  return (
    <FormDialog
      title={`Retest of ${name}`}
      submit="Record retest"
      width={480}
      ready={result !== undefined}
      pending={record.isPending}
      problem={record.error ? errorMessageOf(record.error, 'Not recorded. Your input is unchanged.') : undefined}
      onClose={onClose}
      onSubmit={() => result && record.mutate(result)}
    >
      <p className="dim">
        The retest is recorded with the current time and your name, and cannot be changed. The item stays failed in its
        period.
      </p>
      <Radio.Group
        label="Result"
        value={result ?? null}
        onChange={(value) => setResult(value === 'pass' ? 'pass' : 'fail')}
      >
        <Stack gap={8} mt={8}>
          <Radio value="pass" label="Pass" />
          <Radio value="fail" label="Fail" />
        </Stack>
      </Radio.Group>
      <Comment label="Notes" placeholder="What was tested, and how?" value={notes} onChange={setNotes} />
    </FormDialog>
  );
}
