import { Select, TextInput } from '@mantine/core';
import {
  type EvidenceDestinationKind,
  evidenceDestinationKindNames,
  evidenceDestinationKinds,
} from '@sightline/contract/compliance/evidence-destinations.ts';
import type { UseMutationResult } from '@tanstack/react-query';
import { useState } from 'react';
import { docsHref } from '#lib/docs.ts';
import { errorMessageOf } from '#lib/reason.ts';
import { DocsLink } from '#ui/DocsLink.tsx';
import { FormDialog } from '#ui/FormDialog.tsx';
import { kindDescriptions } from './destinationLabels.ts';
import {
  destinationBodyOf,
  type EvidenceDestinationDraft,
  type EvidenceDestinationForm,
  emptyDraft,
  isReady,
} from './draft.ts';
import { EvidenceDestinationFields } from './EvidenceDestinationFields.tsx';

interface EvidenceDestinationDialogProps {
  title: string;
  submit: string;
  /** The destination to change; undefined for a new one. */
  now?: EvidenceDestinationForm;
  save: UseMutationResult<unknown, Error, EvidenceDestinationDraft>;
  onClose: () => void;
}

/** Adds or changes an evidence destination. */
export function EvidenceDestinationDialog({ title, submit, now, save, onClose }: EvidenceDestinationDialogProps) {
  const [draft, setDraft] = useState(now ?? emptyDraft);
  const set = (patch: Partial<EvidenceDestinationForm>) => setDraft({ ...draft, ...patch });
  return (
    <FormDialog
      title={title}
      submit={submit}
      width={560}
      ready={isReady(draft, now !== undefined)}
      pending={save.isPending}
      problem={save.error ? errorMessageOf(save.error) : undefined}
      onClose={onClose}
      onSubmit={() => save.mutate(destinationBodyOf(draft))}
    >
      {now === undefined && (
        <Select
          label="Kind"
          description={kindDescriptions[draft.kind]}
          data={evidenceDestinationKinds.map((kind) => ({ value: kind, label: evidenceDestinationKindNames[kind] }))}
          value={draft.kind}
          allowDeselect={false}
          onChange={(kind) => set({ kind: (kind ?? draft.kind) as EvidenceDestinationKind })}
          data-autofocus
        />
      )}
      <TextInput
        label="Name"
        placeholder={evidenceDestinationKindNames[draft.kind]}
        value={draft.name}
        maxLength={80}
        autoComplete="off"
        onChange={({ currentTarget }) => set({ name: currentTarget.value })}
      />
      <EvidenceDestinationFields draft={draft} set={set} hasSecret={now !== undefined} />
      <p className="dim">
        {draft.kind !== 'webhook' && 'The secret is stored encrypted and never shown again. '}
        <DocsLink href={docsHref('evidence-destinations', anchors[draft.kind])}>
          Sent data and required permissions
        </DocsLink>
      </p>
    </FormDialog>
  );
}

const anchors: Record<EvidenceDestinationKind, string> = {
  vanta: 'vanta',
  drata: 'drata',
  defectdojo: 'defectdojo',
  gitlab: 'gitlab-external-control',
  webhook: 'webhook',
};
