import { Button } from '@mantine/core';
import { getSlack, type SlackSetup as Setup } from '@sightline/contract/delivery/chat.ts';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { endpointQuery } from '#lib/api.ts';
import { useMayManageIntegrations } from '#lib/rights.ts';
import { Banner } from '#ui/Banner.tsx';
import { CopyButton } from '#ui/CopyButton.tsx';
import { Failure } from '#ui/Failure.tsx';
import { useNavigate } from '#ui/Link.tsx';
import { toast } from '#ui/toast.ts';
import { SecretForm, SecretInput, SecretRequirements, secretFieldProps } from '../SecretForm.tsx';
import s from '../Setup.module.css';
import { SetupDrawer } from '../SetupDrawer.tsx';
import { useSetupOpen } from '../setupAddress.ts';
import { chatPath } from './states.ts';
import { useSlackForm } from './useSlackForm.ts';

/** The drawer that connects a Slack workspace, or replaces its token. */
export function SlackSetup() {
  const manages = useMayManageIntegrations();
  const [isRequested, setOpen] = useSetupOpen('slack');
  const [dirty, setDirty] = useState(false);
  const navigate = useNavigate();
  const opened = isRequested && manages;
  const setup = useQuery({ ...endpointQuery(getSlack, {}), enabled: opened, meta: { quiet: true } });
  const close = () => {
    setDirty(false);
    setOpen(false);
  };
  return (
    <SetupDrawer
      mark="slack"
      title={setup.data?.workspace ? 'Change the token of Slack' : 'Connect Slack'}
      opened={opened}
      onClose={close}
      dirty={dirty}
    >
      {setup.data ? (
        <SlackForm
          setup={setup.data}
          onDirty={setDirty}
          onCancel={close}
          onConnected={() => {
            setDirty(false);
            toast.success('Slack is connected.');
            navigate(chatPath('slack'));
          }}
        />
      ) : (
        setup.error && (
          <Failure
            title="The connection could not be loaded"
            error={setup.error}
            onRetry={() => void setup.refetch()}
          />
        )
      )}
    </SetupDrawer>
  );
}

interface SlackFormProps {
  setup: Setup;
  onDirty: (dirty: boolean) => void;
  onCancel: () => void;
  onConnected: () => void;
}

function SlackForm({ setup, onDirty, onCancel, onConnected }: SlackFormProps) {
  const form = useSlackForm(onConnected);
  const { workspace, manifest, permissions, sandboxPage } = setup;
  return (
    <SecretForm
      form={form}
      onDirty={onDirty}
      actions={
        <>
          <span className={s.spring} />
          <Button variant="default" onClick={onCancel}>
            Cancel
          </Button>
          <Button type="submit" disabled={!form.ready} loading={form.connecting}>
            Connect
          </Button>
        </>
      }
    >
      <p className="dim">
        Create a Slack app <em>from a manifest</em> at{' '}
        <a className="link" href="https://api.slack.com/apps?new_app=1" target="_blank" rel="noreferrer">
          api.slack.com/apps
        </a>
        , and install it in your workspace.
        {sandboxPage && (
          <>
            {' '}
            <a className="link" href={sandboxPage} target="_blank" rel="noreferrer">
              Workspace of the sandbox
            </a>
          </>
        )}
      </p>
      <div>
        <CopyButton value={manifest} label="Copy manifest" />
      </div>
      <SecretInput
        {...secretFieldProps(form, 'token')}
        label="Bot token"
        noun="token"
        placeholder="xoxb-"
        end={workspace?.tokenEnd}
        data-autofocus
      />
      <SecretInput
        {...secretFieldProps(form, 'signingSecret')}
        label="Signing secret"
        noun="signing secret"
        end={undefined}
      />
      {form.problem && <Banner tone="error">{form.problem}</Banner>}
      <SecretRequirements
        title="Permissions of the app"
        needs={permissions.map(({ name, reason }) => `${name}: ${reason}`)}
      >
        <p>It cannot read messages. Approvals always require signing in to Sightline.</p>
      </SecretRequirements>
    </SecretForm>
  );
}
