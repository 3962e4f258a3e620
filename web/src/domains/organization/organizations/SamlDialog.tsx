import { Button, FileButton, SegmentedControl, Switch, Textarea, TextInput } from '@mantine/core';
import { connectSaml, type SamlLogin as Login } from '@sightline/contract/identity/saml.ts';
import { useState } from 'react';
import { call } from '#lib/api.ts';
import { useChange } from '#lib/change.ts';
import { docsHref } from '#lib/docs.ts';
import { errorMessageOf } from '#lib/reason.ts';
import { CopyButton } from '#ui/CopyButton.tsx';
import { DocsLink } from '#ui/DocsLink.tsx';
import { FormDialog } from '#ui/FormDialog.tsx';
import { toast } from '#ui/toast.ts';
import s from './Settings.module.css';

interface SamlDialogProps {
  /** Null: a new connection. */
  login: Login | null;
  service: Login['service'];
  onClose: () => void;
}

type Source = 'url' | 'xml' | 'unchanged';

/** Connects a SAML identity provider, or changes the connection. */
export function SamlDialog({ login, service, onClose }: SamlDialogProps) {
  const [label, setLabel] = useState(login?.label ?? '');
  const [from, setFrom] = useState<Source>('url');
  const [url, setUrl] = useState('');
  const [xml, setXml] = useState('');
  const [groups, setGroups] = useState(login?.groupsAttribute ?? '');
  const [startsAtProvider, setStartsAtProvider] = useState(login?.startsAtProvider ?? false);
  const connect = useChange(
    () => {
      const metadata = from === 'unchanged' ? null : from === 'url' ? { url: url.trim() } : { xml };
      const groupsAttribute = groups.trim() === '' ? null : groups.trim();
      return call(connectSaml, { body: { label, metadata, groupsAttribute, startsAtProvider } });
    },
    () => {
      toast.success(login === null ? 'SAML is connected. Test the sign-in before you require it.' : 'SAML is changed.');
      onClose();
    },
    { quiet: true },
  );
  const isComplete = from === 'unchanged' || (from === 'url' ? url : xml).trim() !== '';
  return (
    <FormDialog
      title={login === null ? 'Connect a SAML identity provider' : 'Change the SAML identity provider'}
      submit={login === null ? 'Connect' : 'Save'}
      ready={label.trim() !== '' && isComplete}
      pending={connect.isPending}
      problem={connect.error ? problemOf(connect.error) : undefined}
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
          { value: 'xml', label: 'File or text' },
          ...(login === null ? [] : [{ value: 'unchanged', label: 'Unchanged' }]),
        ]}
        value={from}
        onChange={(value) => setFrom(value as Source)}
      />
      {from === 'url' && (
        <TextInput
          label="Metadata URL"
          value={url}
          placeholder="https://"
          onChange={({ currentTarget }) => setUrl(currentTarget.value)}
        />
      )}
      {from === 'xml' && <MetadataText value={xml} onChange={setXml} />}
      <TextInput
        label="Attribute with groups"
        description="Optional. Groups give roles: see Integrations, Directory."
        value={groups}
        maxLength={200}
        onChange={({ currentTarget }) => setGroups(currentTarget.value)}
      />
      <Switch
        label="Start from the portal of the identity provider"
        description="Its response is not used: it begins a sign-in here."
        checked={startsAtProvider}
        onChange={({ currentTarget }) => setStartsAtProvider(currentTarget.checked)}
      />
    </FormDialog>
  );
}

/** The reason of a refusal, without the name of its field. */
const problemOf = (error: Error): string =>
  errorMessageOf(error, 'Not connected. Try again.').replace(/^metadata[.a-z]*/, 'The metadata');

function MetadataText({ value, onChange }: { value: string; onChange: (xml: string) => void }) {
  const read = (file: File | null) => {
    if (file) void file.text().then(onChange);
  };
  return (
    <div className={s.metadata}>
      <FileButton accept=".xml,application/xml,text/xml,application/samlmetadata+xml" onChange={read}>
        {(props) => (
          <Button variant="default" {...props}>
            Choose file
          </Button>
        )}
      </FileButton>
      <Textarea
        label="Metadata"
        rows={6}
        value={value}
        spellCheck={false}
        onChange={({ currentTarget }) => onChange(currentTarget.value)}
      />
    </div>
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
