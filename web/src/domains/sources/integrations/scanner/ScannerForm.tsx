import { Button, TextInput } from '@mantine/core';
import type { ScannerName } from '@sightline/contract/core/scan-sources.ts';
import type { Integration, ScannerSettings } from '@sightline/contract/sources/integrations.ts';
import { scannerForms } from '@sightline/contract/sources/scanner-forms.ts';
import { IconCircleCheck } from '@tabler/icons-react';
import { Banner } from '#ui/Banner.tsx';
import { SecretForm, SecretInput, SecretRequirements, secretFieldProps } from '../SecretForm.tsx';
import s from '../Setup.module.css';
import type { ScannerField } from './scannerRules.ts';
import { useScannerForm } from './useScannerForm.ts';

interface ScannerFormProps {
  scanner: ScannerName;
  /** Null before the first connection. */
  settings: ScannerSettings | null;
  /** The host used without a base URL. */
  defaultURL: string;
  /** Links to create a key. */
  links: Integration['links'];
  onDirty: (dirty: boolean) => void;
  onCancel: () => void;
  onConnected: () => void;
}

/** Edits the fields of a scanner: account, key and base URL (spec 5). */
export function ScannerForm({
  scanner,
  settings,
  defaultURL,
  links,
  onDirty,
  onCancel,
  onConnected,
}: ScannerFormProps) {
  const form = useScannerForm(scanner, settings, defaultURL, onConnected);
  const { tenant, apiKey, baseURL, summary, needs, keyPlace } = scannerForms[scanner];
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
      <p className="dim">{summary}</p>
      {tenant && (
        <TextInput
          {...field('tenant')}
          label={tenant.label}
          required={tenant.isRequired}
          description={tenant.hint}
          data-autofocus={!settings || undefined}
        />
      )}
      <SecretInput
        {...field('apiKey')}
        label={apiKey.label}
        noun={apiKey.noun}
        end={settings?.keyEnd}
        data-autofocus={settings || !tenant ? true : undefined}
      />
      <TextInput
        {...field('baseURL')}
        label={baseURL.label}
        required={defaultURL === ''}
        type="url"
        inputMode="url"
        placeholder={defaultURL}
        description={baseURL.hint}
      />
      <div role="status" className={s.result}>
        {works && (
          <p className={s.works}>
            <IconCircleCheck size={16} aria-hidden />
            {connectionText(works.projects, apiKey.noun)}
          </p>
        )}
      </div>
      {problem && <Banner tone="error">{problem}</Banner>}
      <SecretRequirements title="Required permissions" needs={needs}>
        <p>
          {keyPlace}
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

function connectionText(projects: number | null, noun: string): string {
  if (projects === null) return 'Connection succeeded.';
  if (projects === 0) return `Connection succeeded, but the ${noun} has access to no project.`;
  return `Connection succeeded: the ${noun} has access to ${projects === 1 ? 'one project' : `${projects} projects`}.`;
}
