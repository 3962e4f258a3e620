import { Select, TextInput } from '@mantine/core';
import {
  type AuditStream,
  type AuditStreamKind,
  auditStreamKindNames,
  auditStreamKinds,
} from '@sightline/contract/organization/audit-streams.ts';
import type { UseMutationResult } from '@tanstack/react-query';
import { useState } from 'react';
import { errorMessageOf } from '#lib/reason.ts';
import { FormDialog } from '#ui/FormDialog.tsx';
import { type AuditStreamForm, draftOf, isReady } from './draft.ts';
import { StreamFields } from './StreamFields.tsx';

interface StreamDialogProps {
  /** What is edited; nothing for a new one. */
  stream?: AuditStream;
  save: UseMutationResult<unknown, Error, AuditStreamForm>;
  onClose: () => void;
}

/** A destination of the audit log: a new one, or one that is there. */
export function StreamDialog({ stream, save, onClose }: StreamDialogProps) {
  const isNew = stream === undefined;
  const [draft, setDraft] = useState(() => draftOf(stream));
  const set = (patch: Partial<AuditStreamForm>) => setDraft({ ...draft, ...patch });
  return (
    <FormDialog
      title={isNew ? 'Add destination' : `Edit ${stream.name}`}
      submit={isNew ? 'Add' : 'Save'}
      width={560}
      ready={isReady(draft, isNew)}
      pending={save.isPending}
      problem={save.error ? errorMessageOf(save.error) : undefined}
      onClose={onClose}
      onSubmit={() => save.mutate(draft)}
    >
      {isNew && (
        <Select
          label="Kind"
          data={auditStreamKinds.map((kind) => ({ value: kind, label: auditStreamKindNames[kind] }))}
          value={draft.kind}
          allowDeselect={false}
          onChange={(kind) => set({ kind: (kind ?? draft.kind) as AuditStreamKind })}
          data-autofocus
        />
      )}
      <TextInput
        label="Name"
        placeholder="Security data lake"
        value={draft.name}
        maxLength={80}
        autoComplete="off"
        onChange={({ currentTarget }) => set({ name: currentTarget.value })}
      />
      <StreamFields draft={draft} isNew={isNew} set={set} />
      {isNew && (
        <Select
          label="Start from"
          data={[
            { value: 'now', label: 'Entries from now on' },
            { value: 'beginning', label: 'The whole audit log' },
          ]}
          value={draft.startFrom}
          allowDeselect={false}
          onChange={(startFrom) => set({ startFrom: (startFrom ?? draft.startFrom) as AuditStreamForm['startFrom'] })}
        />
      )}
    </FormDialog>
  );
}
