import { Button, SegmentedControl, Textarea, TextInput } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import {
  connectSaml,
  disconnectSaml,
  getSamlLogin,
  type SamlLogin as Login,
} from '@sightline/contract/identity/saml.ts';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { call, endpointQuery } from '#lib/api.ts';
import { useChange } from '#lib/change.ts';
import { docsHref } from '#lib/docs.ts';
import { errorMessageOf } from '#lib/reason.ts';
import { ConfirmDialog } from '#ui/ConfirmDialog.tsx';
import { CopyButton } from '#ui/CopyButton.tsx';
import { DocsLink } from '#ui/DocsLink.tsx';
import { FormDialog } from '#ui/FormDialog.tsx';
import { TimeAgo } from '#ui/TimeAgo.tsx';
import { toast } from '#ui/toast.ts';
import s from './Settings.module.css';

/** The SAML identity provider of the organization, for its owners. */
export function SamlLogin({ mayChange }: { mayChange: boolean }) {
  const { data } = useQuery({ ...endpointQuery(getSamlLogin, {}), enabled: mayChange, meta: { quiet: true } });
  const [connecting, { open: connect, close: stop }] = useDisclosure(false);
  const [asking, { open: ask, close: keep }] = useDisclosure(false);
  const disconnect = useChange(
    () => call(disconnectSaml, {}),
    () => {
      toast.success('The SAML login is disconnected.');
      keep();
    },
  );
  if (!mayChange || !data) return null;
  const { login, service } = data;
  return (
    <div className={s.setting}>
      <div>
        <h3 className={s.what}>SAML 2.0</h3>
        {login === null ? (
          <p>No SAML identity provider is connected.</p>
        ) : (
          <p>
            {login.label} ({login.entityId}), {login.certificates.length}{' '}
            {login.certificates.length === 1 ? 'certificate' : 'certificates'}.{' '}
            {login.lastSignInAt === null ? (
              'No sign-in yet.'
            ) : (
              <>
                Last sign-in <TimeAgo at={login.lastSignInAt} />.
              </>
            )}
          </p>
        )}
      </div>
      <div className={s.buttons}>
        {login !== null && (
          <>
            <CopyButton value={login.startUrl} label="Copy sign-in link" />
            <Button variant="default" onClick={ask}>
              Disconnect
            </Button>
          </>
        )}
        <Button variant="default" onClick={connect}>
          {login === null ? 'Connect SAML' : 'Change'}
        </Button>
      </div>
      {connecting && <ConnectDialog login={login} service={service} onClose={stop} />}
      <ConfirmDialog
        opened={asking}
        onClose={keep}
        title="Disconnect the SAML login?"
        confirm="Disconnect"
        danger
        pending={disconnect.isPending}
        onConfirm={() => disconnect.mutate()}
      >
        Sessions that began with it end. Members need another sign-in method.
      </ConfirmDialog>
    </div>
  );
}

interface ConnectDialogProps {
  login: Login | null;
  service: Login['service'];
  onClose: () => void;
}

function ConnectDialog({ login, service, onClose }: ConnectDialogProps) {
  const [label, setLabel] = useState(login?.label ?? '');
  const [from, setFrom] = useState<'url' | 'xml'>('url');
  const [url, setUrl] = useState('');
  const [xml, setXml] = useState('');
  const [groups, setGroups] = useState(login?.groupsAttribute ?? '');
  const metadata = from === 'url' ? { url: url.trim() } : { xml };
  const connect = useChange(
    () =>
      call(connectSaml, { body: { label, metadata, groupsAttribute: groups.trim() === '' ? null : groups.trim() } }),
    () => {
      toast.success('The SAML identity provider is connected. Sign in with it once before you require it.');
      onClose();
    },
    { quiet: true },
  );
  return (
    <FormDialog
      title="Connect a SAML identity provider"
      submit="Connect"
      ready={label.trim() !== '' && (from === 'url' ? url : xml).trim() !== ''}
      pending={connect.isPending}
      problem={connect.error ? errorMessageOf(connect.error) : undefined}
      onClose={onClose}
      onSubmit={() => connect.mutate()}
      width={560}
    >
      <p>
        Enter these addresses at the identity provider first. <DocsLink href={docsHref('saml')}>Set up SAML</DocsLink>
      </p>
      <Address label="Entity ID, and metadata of Sightline" value={service.entityId} />
      <Address label="Reply URL (ACS)" value={service.callbackUrl} />
      <TextInput
        label="Name"
        description="On the button of the sign-in page."
        value={label}
        maxLength={40}
        data-autofocus
        onChange={({ currentTarget }) => setLabel(currentTarget.value)}
      />
      <SegmentedControl
        aria-label="Metadata of the identity provider"
        data={[
          { value: 'url', label: 'Metadata URL' },
          { value: 'xml', label: 'Metadata as text' },
        ]}
        value={from}
        onChange={(value) => setFrom(value === 'xml' ? 'xml' : 'url')}
      />
      {from === 'url' ? (
        <TextInput
          label="Metadata URL"
          value={url}
          placeholder="https://"
          onChange={({ currentTarget }) => setUrl(currentTarget.value)}
        />
      ) : (
        <Textarea
          label="Metadata"
          rows={6}
          value={xml}
          spellCheck={false}
          onChange={({ currentTarget }) => setXml(currentTarget.value)}
        />
      )}
      <TextInput
        label="Attribute with groups"
        description="Optional. Groups give roles: see Integrations, Directory."
        value={groups}
        maxLength={200}
        onChange={({ currentTarget }) => setGroups(currentTarget.value)}
      />
    </FormDialog>
  );
}

const Address = ({ label, value }: { label: string; value: string }) => (
  <TextInput
    label={label}
    value={value}
    readOnly
    onFocus={({ currentTarget }) => currentTarget.select()}
    rightSection={<CopyButton value={value} label={`Copy ${label}`} compact />}
  />
);
