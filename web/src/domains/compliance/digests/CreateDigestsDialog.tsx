import { Select } from '@mantine/core';
import { createWeekDigests } from '@sightline/contract/compliance/digests.ts';
import { useState } from 'react';
import { call } from '#lib/api.ts';
import { useChange } from '#lib/change.ts';
import { errorMessageOf } from '#lib/reason.ts';
import { useNow } from '#ui/Clock.tsx';
import { FormDialog } from '#ui/FormDialog.tsx';
import { toast } from '#ui/toast.ts';
import { pastWeeks, weekText } from './digestLabels.ts';

/** Requests the digests of a past week for the repositories without one. */
export function CreateDigestsDialog({ onClose }: { onClose: () => void }) {
  const weeks = pastWeeks(useNow());
  const [week, setWeek] = useState(weeks[0]?.from ?? '');
  const create = useChange(
    () => call(createWeekDigests, { body: { week: week.slice(0, 10) } }),
    ({ repositories }) => {
      onClose();
      toast.success(
        repositories === 1
          ? 'The digest is being created.'
          : `The digests of ${repositories} repositories are being created.`,
      );
    },
    { quiet: true },
  );
  return (
    <FormDialog
      title="Create digests of a past week"
      submit="Create digests"
      ready={week !== ''}
      pending={create.isPending}
      problem={create.error ? errorMessageOf(create.error) : undefined}
      onClose={onClose}
      onSubmit={() => create.mutate()}
    >
      <Select
        label="Week"
        description="Every repository without a digest of this week gets one. Each was due at the end of that week, so a sign-off now is recorded as late."
        data={weeks.map((one) => ({ value: one.from, label: weekText(one) }))}
        value={week}
        allowDeselect={false}
        onChange={(value) => setWeek(value ?? week)}
      />
    </FormDialog>
  );
}
