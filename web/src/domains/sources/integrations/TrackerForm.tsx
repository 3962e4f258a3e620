import { Button, TextInput } from '@mantine/core';
import type { TrackerName, TrackerState } from '@sightline/contract/sources/trackers.ts';
import { IconCircleCheck } from '@tabler/icons-react';
import { Banner } from '#ui/Banner.tsx';
import { SecretForm, SecretInput, SecretRequirements, secretFieldProps } from './SecretForm.tsx';
import s from './Setup.module.css';
import { useTrackerForm } from './useTrackerForm.ts';

interface TrackerFormProps {
  state: TrackerState;
  onDirty: (dirty: boolean) => void;
  onCancel: () => void;
  onConnected: () => void;
}

/** Edits address, account and token of an issue tracker. */
export function TrackerForm({ state, onDirty, onCancel, onConnected }: TrackerFormProps) {
  const form = useTrackerForm(state, onConnected);
  const { title, needsURL, needsEmail, connection, sandboxPage } = state;
  const { problem, works } = form;
  return (
    <SecretForm
      form={form}
      onDirty={onDirty}
      actions={
        <>
          <Button
            variant="default"
            disabled={!form.mayTest || form.connecting}
            loading={form.testing}
            onClick={form.test}
          >
            Test connection
          </Button>
          <span className={s.spring} />
          <Button variant="default" onClick={onCancel}>
            Cancel
          </Button>
          <Button type="submit" disabled={!form.ready || form.testing} loading={form.connecting}>
            Connect
          </Button>
        </>
      }
    >
      <p className="dim">
        Reads the tickets that pull requests name: status, type and assignee. Creates tickets that members request, and
        closes or reopens only those.
      </p>
      {needsURL && (
        <TextInput
          {...secretFieldProps(form, 'baseURL')}
          label="URL"
          type="url"
          inputMode="url"
          placeholder={state.tracker === 'jira-cloud' ? 'https://acme.atlassian.net' : 'https://jira.example.com'}
          required
          data-autofocus
        />
      )}
      {needsEmail && (
        <TextInput
          {...secretFieldProps(form, 'email')}
          label="Email address of the token"
          type="email"
          inputMode="email"
          required
        />
      )}
      <SecretInput
        {...secretFieldProps(form, 'token')}
        label={tokenNames[state.tracker]}
        noun="token"
        end={connection?.tokenEnd}
        data-autofocus={needsURL ? undefined : true}
      />
      <div role="status" className={s.result}>
        {works && (
          <p className={s.works}>
            <IconCircleCheck size={16} aria-hidden />
            {works.projects === 1 ? '1 project is readable.' : `${works.projects} projects are readable.`}
          </p>
        )}
      </div>
      {problem && <Banner tone="error">{problem}</Banner>}
      <SecretRequirements title={`Required permissions in ${title}`} needs={needs[state.tracker]}>
        {sandboxPage !== null && (
          <a href={sandboxPage} target="_blank" rel="noreferrer" className="link">
            Get a token of the sandbox
          </a>
        )}
      </SecretRequirements>
    </SecretForm>
  );
}

const tokenNames: Record<TrackerName, string> = {
  'jira-cloud': 'API token',
  'jira-data-center': 'Personal access token',
  linear: 'API key',
};

const jiraNeeds = [
  'Browse projects: to read tickets and their history',
  'Create issues and Transition issues: to create tickets, and to close those',
  'Administer Jira, optional: for the webhook. Without it, changes are read every five minutes',
];
const needs: Record<TrackerName, readonly string[]> = {
  'jira-cloud': jiraNeeds,
  'jira-data-center': jiraNeeds,
  linear: [
    'Read and Write: to read tickets, create some, and close those',
    'Admin, optional: for the webhook. Without it, changes are read every five minutes',
  ],
};
