import { Button, TextInput } from '@mantine/core';
import type { CheckmarxSettings, Integration } from '@sightline/contract/sources/integrations.ts';
import { IconCircleCheck } from '@tabler/icons-react';
import { Banner } from '#ui/Banner.tsx';
import { SecretForm, SecretInput, SecretRequirements, secretFieldProps } from '../SecretForm.tsx';
import s from '../Setup.module.css';
import type { ScannerField } from './scannerRules.ts';
import { useScannerForm } from './useScannerForm.ts';

interface ScannerFormProps {
  /** Null before the first connection. */
  settings: CheckmarxSettings | null;
  /** The host used without a base URL. */
  defaultURL: string;
  /** Links to create a key. */
  links: Integration['links'];
  onDirty: (dirty: boolean) => void;
  onCancel: () => void;
  onConnected: () => void;
}

/** Edits tenant, key and, for a host other than the default, the base URL (spec 5). */
export function ScannerForm({ settings, defaultURL, links, onDirty, onCancel, onConnected }: ScannerFormProps) {
  const form = useScannerForm(settings, defaultURL, onConnected);
  const { problem, works } = form;
  const field = (name: ScannerField) => ({ ...secretFieldProps(form, name), onBlur: () => form.leave(name) });
  return (
    <SecretForm
      form={form}
      onDirty={onDirty}
      actions={
        <>
          <Button
            variant="default"
            disabled={!form.ready || form.connecting}
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
        Scans are imported hourly, and immediately when Checkmarx One reports them. Sightline never changes projects or
        findings there.
      </p>
      <TextInput {...field('tenant')} label="Tenant name" required data-autofocus={!settings || undefined} />
      <SecretInput
        {...field('apiKey')}
        label="API key"
        noun="key"
        end={settings?.keyEnd}
        data-autofocus={settings ? true : undefined}
      />
      <TextInput
        {...field('baseURL')}
        label="Base API URL"
        type="url"
        inputMode="url"
        placeholder={defaultURL}
        description="Only if it differs from the URL in your key."
      />
      <div role="status" className={s.result}>
        {works && (
          <p className={s.works}>
            <IconCircleCheck size={16} aria-hidden />
            {connectionText(works.projects)}
          </p>
        )}
      </div>
      {problem && <Banner tone="error">{problem}</Banner>}
      <SecretRequirements title="Required permissions" needs={needs}>
        <p>
          In Checkmarx One, create one under Settings, Identity and Access Management, API Keys.
          {links.map(({ label, href }) => (
            <span key={href}>
              {' '}
              <a className="link" href={href} target="_blank" rel="noreferrer">
                {label}
              </a>
            </span>
          ))}
        </p>
      </SecretRequirements>
    </SecretForm>
  );
}

const needs = ['View projects', 'View scans and results', 'Manage webhooks, for immediate import of scans (optional)'];

function connectionText(projects: number | null): string {
  if (projects === null) return 'Connection succeeded.';
  if (projects === 0) return 'Connection succeeded, but the key has access to no project.';
  return `Connection succeeded: the key has access to ${projects === 1 ? 'one project' : `${projects} projects`}.`;
}
