import { PasswordInput, Select } from '@mantine/core';
import { type Anchor, updateAnchor } from '@sightline/contract/ledger/anchors.ts';
import { useState } from 'react';
import { call } from '#lib/api.ts';
import { useChange } from '#lib/change.ts';
import { errorMessageOf } from '#lib/reason.ts';
import { FormDialog } from '#ui/FormDialog.tsx';
import { toast } from '#ui/toast.ts';
import { anchorIntervals } from './anchorLabels.ts';

/** How often, and another token. Whom it is, and where, stays: what they have would be somebody else's. */
export function AnchorChange({ anchor, onClose }: { anchor: Anchor; onClose: () => void }) {
  const [hours, setHours] = useState(String(anchor.everyHours));
  const [secret, setSecret] = useState('');
  const save = useChange(
    () =>
      call(updateAnchor, {
        params: { anchorId: anchor.id },
        body: { everyHours: Number(hours), ...(secret.trim() !== '' && { secret: secret.trim() }) },
      }),
    () => {
      toast.success(`${anchor.party} is saved.`);
      onClose();
    },
    { quiet: true },
  );
  const choices = anchorIntervals.some(({ value }) => value === hours)
    ? anchorIntervals
    : [...anchorIntervals, { value: hours, label: `Every ${hours} hours` }];
  return (
    <FormDialog
      title={`Edit ${anchor.party}`}
      submit="Save"
      width={480}
      ready
      pending={save.isPending}
      problem={save.error ? errorMessageOf(save.error) : undefined}
      onClose={onClose}
      onSubmit={() => save.mutate(undefined)}
    >
      <Select
        label="Frequency"
        data={[...choices]}
        value={hours}
        allowDeselect={false}
        onChange={(value) => setHours(value ?? hours)}
        data-autofocus
      />
      {anchor.kind === 'git' && (
        <PasswordInput
          label="New token"
          description="Leave empty to keep the current token."
          value={secret}
          maxLength={500}
          autoComplete="off"
          onChange={({ currentTarget }) => setSecret(currentTarget.value)}
        />
      )}
      <p className="dim">
        Name and address cannot be changed. For another address, add another anchor and remove this one. Published
        checkpoints stay on record.
      </p>
    </FormDialog>
  );
}
