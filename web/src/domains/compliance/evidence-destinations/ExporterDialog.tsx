import { Select, TextInput } from '@mantine/core';
import {
  type ExporterKind,
  exporterKindNames,
  exporterKinds,
} from '@sightline/contract/compliance/evidence-destinations.ts';
import type { UseMutationResult } from '@tanstack/react-query';
import { useState } from 'react';
import { docsHref } from '#lib/docs.ts';
import { reasonOf } from '#lib/reason.ts';
import { DocsLink } from '#ui/DocsLink.tsx';
import { FormDialog } from '#ui/FormDialog.tsx';
import { type ExporterDraft, type ExporterForm, emptyDraft, isReady, wantedOf } from './draft.ts';
import { ExporterFields } from './ExporterFields.tsx';
import { kindSays, unreachable } from './words.ts';

interface ExporterDialogProps {
  title: string;
  submit: string;
  /** What it is now; nothing for a new one. */
  now?: ExporterForm;
  save: UseMutationResult<unknown, Error, ExporterDraft>;
  onClose: () => void;
}

/** Where snapshots are to be sent: a new place, or one that is there. */
export function ExporterDialog({ title, submit, now, save, onClose }: ExporterDialogProps) {
  const [draft, setDraft] = useState(now ?? emptyDraft);
  const set = (patch: Partial<ExporterForm>) => setDraft({ ...draft, ...patch });
  return (
    <FormDialog
      title={title}
      submit={submit}
      width={560}
      ready={isReady(draft, now !== undefined)}
      pending={save.isPending}
      problem={save.error ? reasonOf(save.error, unreachable) : undefined}
      onClose={onClose}
      onSubmit={() => save.mutate(wantedOf(draft))}
    >
      {now === undefined && (
        <Select
          label="Kind"
          description={kindSays[draft.kind]}
          data={exporterKinds.map((kind) => ({ value: kind, label: exporterKindNames[kind] }))}
          value={draft.kind}
          allowDeselect={false}
          onChange={(kind) => set({ kind: (kind ?? draft.kind) as ExporterKind })}
          data-autofocus
        />
      )}
      <TextInput
        label="Name"
        placeholder={exporterKindNames[draft.kind]}
        value={draft.name}
        maxLength={80}
        autoComplete="off"
        onChange={({ currentTarget }) => set({ name: currentTarget.value })}
      />
      <ExporterFields draft={draft} set={set} hasSecret={now !== undefined} />
      <p className="dim">
        {draft.kind !== 'webhook' && 'The secret is stored encrypted and never shown again. '}
        <DocsLink href={docsHref('evidence-destinations', anchors[draft.kind])}>
          Sent data and required permissions
        </DocsLink>
      </p>
    </FormDialog>
  );
}

const anchors: Record<ExporterKind, string> = {
  vanta: 'vanta',
  drata: 'drata',
  defectdojo: 'defectdojo',
  gitlab: 'gitlab-external-control',
  webhook: 'webhook',
};
