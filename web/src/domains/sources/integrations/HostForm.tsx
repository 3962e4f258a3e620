import { Button, TextInput, UnstyledButton } from '@mantine/core';
import { providerNames } from '@sightline/contract/core/providers.ts';
import type { HostState } from '@sightline/contract/sources/host-connections.ts';
import { useState } from 'react';
import { errorMessageOf } from '#lib/reason.ts';
import { Banner } from '#ui/Banner.tsx';
import { hostTermsOf } from './hostTerms.ts';
import { SecretForm, SecretInput, SecretRequirements, secretFieldProps } from './SecretForm.tsx';
import s from './Setup.module.css';
import { type HostField, useHostForm } from './useHostForm.ts';
import { useHostSignIn } from './useHostSignIn.ts';

interface HostFormProps {
  state: HostState;
  onDirty: (dirty: boolean) => void;
  onCancel: () => void;
  onConnected: () => void;
}

/** Connects a code host by sign-in or token. */
export function HostForm({ state, onDirty, onCancel, onConnected }: HostFormProps) {
  const [byToken, setByToken] = useState(!state.oauth);
  return byToken ? (
    <TokenForm
      state={state}
      onDirty={onDirty}
      onCancel={onCancel}
      onConnected={onConnected}
      onSignIn={() => setByToken(false)}
    />
  ) : (
    <SignIn state={state} onCancel={onCancel} onToken={() => setByToken(true)} />
  );
}

interface SignInProps {
  state: HostState;
  onCancel: () => void;
  onToken: () => void;
}

function SignIn({ state: { provider, defaultURL }, onCancel, onToken }: SignInProps) {
  const name = providerNames[provider];
  const { start, leaving, error } = useHostSignIn(provider);
  return (
    <div className={s.form}>
      <div className={s.fields}>
        <p className="dim">
          You sign in at {new URL(defaultURL).host} and give Sightline your read access. It never changes code.
        </p>
        {error && <Banner tone="error">{errorMessageOf(error, 'The sign-in could not be started.')}</Banner>}
        <HostNeeds state={{ provider }} />
        <p className="dim">
          Using another {name}, or no account to sign in with?{' '}
          <UnstyledButton className={`link ${s.inline}`} onClick={onToken}>
            Use an access token
          </UnstyledButton>
        </p>
      </div>
      <div className={s.actions}>
        <span className={s.spring} />
        <Button variant="default" onClick={onCancel}>
          Cancel
        </Button>
        <Button loading={leaving} onClick={start} data-autofocus>
          Sign in with {name}
        </Button>
      </div>
    </div>
  );
}

function TokenForm({ state, onDirty, onCancel, onConnected, onSignIn }: HostFormProps & { onSignIn: () => void }) {
  const { provider, selfManaged, acceptsEmail, defaultURL, connection, oauth, sandboxPage } = state;
  const form = useHostForm(state, onConnected);
  const { problem } = form;
  const { account, workspace, isPolled = false } = hostTermsOf(provider);
  const field = (name: HostField) => secretFieldProps(form, name);
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
        Sightline reads repositories with the token
        {isPolled ? '' : ' and creates webhooks on enabled repositories'}. It never changes code.
      </p>
      <SecretInput
        {...field('token')}
        label="Access token"
        noun="token"
        end={connection?.kind === 'token' ? connection.display : undefined}
        data-autofocus
      />
      {acceptsEmail && account && (
        <TextInput
          {...field('email')}
          label={account.label}
          {...(account.isEmail && ({ type: 'email', inputMode: 'email' } as const))}
          description={account.description}
        />
      )}
      {acceptsEmail && workspace && (
        <TextInput {...field('workspace')} label={workspace.label} description={workspace.description} />
      )}
      {selfManaged && (
        <TextInput
          {...field('baseURL')}
          label="URL"
          type="url"
          inputMode="url"
          placeholder={defaultURL || 'https://code.example.com'}
          description={
            defaultURL === ''
              ? 'The address of the instance.'
              : `Only for another instance. Default: ${new URL(defaultURL).host}.`
          }
        />
      )}
      {problem && <Banner tone="error">{problem}</Banner>}
      <HostNeeds state={{ provider, sandboxPage }} />
      {oauth && (
        <p className="dim">
          Without a token:{' '}
          <UnstyledButton className={`link ${s.inline}`} onClick={onSignIn}>
            sign in with {providerNames[provider]}
          </UnstyledButton>
        </p>
      )}
    </SecretForm>
  );
}

function HostNeeds({ state }: { state: Pick<HostState, 'provider'> & { sandboxPage?: string | null } }) {
  const { needs, where } = hostTermsOf(state.provider);
  return (
    <SecretRequirements title="Required permissions" needs={needs}>
      {state.sandboxPage !== undefined && (
        <p>
          {where}{' '}
          {state.sandboxPage && (
            <a className="link" href={state.sandboxPage} target="_blank" rel="noreferrer">
              Get a token of the sandbox
            </a>
          )}
        </p>
      )}
    </SecretRequirements>
  );
}
