import { PasswordInput, Textarea, TextInput } from '@mantine/core';
import type { AuditStreamForm } from './draft.ts';

type TextField = Exclude<keyof AuditStreamForm, 'kind' | 'startFrom'>;

interface StreamFieldsProps {
  draft: AuditStreamForm;
  isNew: boolean;
  set: (patch: Partial<AuditStreamForm>) => void;
}

/** What one kind needs. */
export function StreamFields({ draft, isNew, set }: StreamFieldsProps) {
  const field = (name: TextField, label: string, placeholder = '', description?: string) => (
    <TextInput
      label={label}
      placeholder={placeholder}
      {...(description !== undefined && { description })}
      value={draft[name]}
      maxLength={2000}
      autoComplete="off"
      spellCheck={false}
      onChange={({ currentTarget }) => set({ [name]: currentTarget.value })}
    />
  );
  if (draft.kind === 'https') {
    return field(
      'url',
      'URL',
      'https://siem.example.com/audit',
      'Batches are sent to this URL by POST, as signed JSON.',
    );
  }
  if (draft.kind === 'syslog') {
    return (
      <>
        {field('host', 'Host', 'syslog.example.com')}
        {field('port', 'Port')}
        <Textarea
          label="Certificate authority"
          description="As PEM. Leave empty if the certificate of the receiver is publicly trusted."
          value={draft.certificates}
          maxLength={40_000}
          autosize
          minRows={2}
          maxRows={6}
          spellCheck={false}
          onChange={({ currentTarget }) => set({ certificates: currentTarget.value })}
        />
      </>
    );
  }
  return (
    <>
      {field('url', 'Service URL', 'https://s3.eu-central-1.amazonaws.com')}
      {field('region', 'Region', 'eu-central-1')}
      {field('bucket', 'Bucket', 'audit-log')}
      {field('prefix', 'Prefix', 'sightline/', 'Optional: prefix of every key.')}
      {field('accessKeyId', 'Access key ID')}
      <PasswordInput
        label="Secret access key"
        description={
          isNew
            ? 'Of an identity that can only write objects. It is stored encrypted and never shown again.'
            : 'Leave empty to keep the current one. A different URL requires it again.'
        }
        value={draft.secret}
        maxLength={2000}
        autoComplete="off"
        onChange={({ currentTarget }) => set({ secret: currentTarget.value })}
      />
    </>
  );
}
