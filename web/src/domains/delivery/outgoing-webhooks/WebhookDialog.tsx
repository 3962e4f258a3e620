import { TextInput } from '@mantine/core';
import type { OutgoingWebhook } from '@sightline/contract/delivery/outgoing-webhooks.ts';
import type { UseMutationResult } from '@tanstack/react-query';
import { useState } from 'react';
import { errorMessageOf } from '#lib/reason.ts';
import { EventTypes } from '#ui/EventTypes.tsx';
import { FormDialog } from '#ui/FormDialog.tsx';

export type WebhookDraft = Pick<OutgoingWebhook, 'url' | 'description' | 'types'>;

interface WebhookDialogProps {
  title: string;
  submit: string;
  /** The webhook to change; undefined for a new one. */
  now?: WebhookDraft;
  save: UseMutationResult<unknown, Error, WebhookDraft>;
  onClose: () => void;
}

/** Adds or changes a webhook. */
export function WebhookDialog({ title, submit, now, save, onClose }: WebhookDialogProps) {
  const [url, setUrl] = useState(now?.url ?? '');
  const [description, setDescription] = useState(now?.description ?? '');
  const [types, setTypes] = useState<string[] | null>(now?.types ?? null);
  const wanted = { url: url.trim(), description: description.trim(), types };
  return (
    <FormDialog
      title={title}
      submit={submit}
      width={560}
      ready={wanted.url !== '' && types?.length !== 0}
      pending={save.isPending}
      problem={save.error ? errorMessageOf(save.error) : undefined}
      onClose={onClose}
      onSubmit={() => save.mutate(wanted)}
    >
      <TextInput
        label="URL"
        description="Events are sent to this URL by POST, as JSON."
        placeholder="https://hooks.example.com/sightline"
        type="url"
        value={url}
        maxLength={2000}
        data-autofocus
        autoComplete="off"
        onChange={({ currentTarget }) => setUrl(currentTarget.value)}
      />
      <TextInput
        label="Description"
        description="Optional: the receiver."
        value={description}
        maxLength={200}
        autoComplete="off"
        onChange={({ currentTarget }) => setDescription(currentTarget.value)}
      />
      <EventTypes types={types} onChange={setTypes} />
    </FormDialog>
  );
}
