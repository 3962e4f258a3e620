import { NativeSelect, TextInput } from '@mantine/core';
import { type Severity, severities } from '@sightline/contract/core/severities.ts';
import type { ChatChannel, ChatServiceName } from '@sightline/contract/delivery/chat.ts';
import type { UseMutationResult } from '@tanstack/react-query';
import { useState } from 'react';
import { errorMessageOf } from '#lib/reason.ts';
import { useRepositoryChoices } from '#lib/repository-choices.ts';
import { EventTypes } from '#ui/EventTypes.tsx';
import { FormDialog } from '#ui/FormDialog.tsx';
import { MultiSelect } from '#ui/MultiSelect.tsx';
import { SlackChannelSelect } from './SlackChannelSelect.tsx';

/** The input of a channel. `channel` of Slack, `name` and `url` of Teams. */
export interface ChannelDraft extends Pick<ChatChannel, 'types' | 'minSeverity' | 'repositories'> {
  channel: string;
  name: string;
  /** Empty for an unchanged one. */
  url: string;
}

interface ChannelDialogProps {
  service: ChatServiceName;
  /** The channel to change; undefined for a new one. */
  now?: ChatChannel;
  save: UseMutationResult<unknown, Error, ChannelDraft>;
  onClose: () => void;
}

const severityChoices: { value: Severity; label: string }[] = severities.map((value) => ({
  value,
  label:
    value === 'critical'
      ? 'Critical only'
      : value === 'info'
        ? 'All severities'
        : `${value.charAt(0).toUpperCase()}${value.slice(1)} and above`,
}));

/** Adds or changes a channel: where, which notifications, and of which repositories. */
export function ChannelDialog({ service, now, save, onClose }: ChannelDialogProps) {
  const [draft, setDraft] = useState<ChannelDraft>({
    channel: '',
    name: now?.name ?? '',
    url: '',
    types: now?.types ?? null,
    minSeverity: now?.minSeverity ?? 'info',
    repositories: now?.repositories ?? null,
  });
  const change = (patch: Partial<ChannelDraft>) => setDraft({ ...draft, ...patch });
  const repositories = useRepositoryChoices({ quiet: true }) ?? [];
  const isPlaced =
    service === 'slack'
      ? now !== undefined || draft.channel !== ''
      : draft.name.trim() !== '' && (now !== undefined || draft.url.trim() !== '');
  return (
    <FormDialog
      title={now ? `Edit ${now.name}` : 'Add channel'}
      submit={now ? 'Save' : 'Add'}
      width={560}
      ready={isPlaced && draft.types?.length !== 0}
      pending={save.isPending}
      problem={save.error ? errorMessageOf(save.error) : undefined}
      onClose={onClose}
      onSubmit={() => save.mutate({ ...draft, name: draft.name.trim(), url: draft.url.trim() })}
    >
      {service === 'slack' && !now && <SlackChannelSelect onChange={(channel) => change({ channel })} />}
      {service === 'teams' && (
        <>
          <TextInput
            label="Name"
            description="As shown here, such as the team and channel."
            value={draft.name}
            maxLength={80}
            autoComplete="off"
            data-autofocus
            onChange={({ currentTarget }) => change({ name: currentTarget.value })}
          />
          <TextInput
            label="Workflow URL"
            description={
              now
                ? 'Only to replace it. The current one is stored encrypted, and never shown.'
                : 'From the Teams workflow “Send webhook alerts to a channel”. Stored encrypted, and never shown again.'
            }
            type="url"
            value={draft.url}
            maxLength={2000}
            autoComplete="off"
            onChange={({ currentTarget }) => change({ url: currentTarget.value })}
          />
        </>
      )}
      <EventTypes types={draft.types} onChange={(types) => change({ types })} />
      <NativeSelect
        label="Severity"
        description="Notifications of lower severity are not sent."
        data={severityChoices}
        value={draft.minSeverity}
        onChange={({ currentTarget }) => change({ minSeverity: currentTarget.value as Severity })}
      />
      <MultiSelect
        name="Repositories"
        options={repositories}
        values={draft.repositories ?? []}
        onChange={(chosen) => change({ repositories: chosen.length === 0 ? null : chosen })}
        emptyText="No repositories available"
      />
    </FormDialog>
  );
}
