import { Button, PasswordInput, TextInput } from '@mantine/core';
import type { CheckmarxSettings, Integration } from '@sightline/contract/integrations.ts';
import { IconCircleCheck, IconShieldLock } from '@tabler/icons-react';
import { type FormEvent, useEffect, useRef, useState } from 'react';
import { Banner } from '#ui/Banner.tsx';
import s from './Setup.module.css';
import type { ScannerField } from './scannerRules.ts';
import { useScannerForm } from './useScannerForm.ts';

interface Props {
  /** Null where it is connected for the first time. */
  settings: CheckmarxSettings | null;
  /** The host that is asked without a base URL. */
  defaultURL: string;
  /** Where a key can be had. */
  links: Integration['links'];
  onDirty: (dirty: boolean) => void;
  onCancel: () => void;
  onConnected: () => void;
}

/** Tenant, key and, for another host than the default, its base URL (spec 5). */
export function ScannerForm({ settings, defaultURL, links, onDirty, onCancel, onConnected }: Props) {
  const form = useScannerForm(settings, defaultURL, onConnected);
  const { dirty, errors, faulty, problem, works } = form;
  const [shown, setShown] = useState(false);
  const first = useRef<HTMLInputElement>(null);
  useEffect(() => onDirty(dirty), [dirty, onDirty]);
  // The drawer looks for what to focus when it opens, which may be before the form is known.
  useEffect(() => first.current?.focus(), []);
  const element = useRef<HTMLFormElement>(null);
  // Where the answer finds fault, the person goes on; said to those who cannot see it, too.
  useEffect(() => {
    if (faulty !== undefined) element.current?.querySelector<HTMLInputElement>(`[name="${faulty}"]`)?.focus();
  }, [faulty]);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (form.ready && !form.connecting) form.connect();
  };
  const field = (name: ScannerField) => ({
    name,
    value: form.draft[name],
    error: errors[name],
    // Said by us: the password field leaves it out.
    'aria-invalid': errors[name] !== undefined,
    spellCheck: false,
    autoCapitalize: 'none',
    onChange: ({ currentTarget }: { currentTarget: HTMLInputElement }) => form.change(name, currentTarget.value),
    onBlur: () => form.leave(name),
  });
  return (
    <form ref={element} className={s.form} onSubmit={submit} noValidate>
      <div className={s.fields}>
        <p className="dim">
          Scans are read every hour, and at once when Checkmarx One reports them. Projects and findings there are never
          changed.
        </p>
        <TextInput
          {...field('tenant')}
          label="Tenant name"
          required
          autoComplete="off"
          ref={settings ? undefined : first}
          data-autofocus={!settings || undefined}
        />
        <PasswordInput
          {...field('apiKey')}
          label="API key"
          required
          autoComplete="off"
          data-1p-ignore
          data-lpignore="true"
          description={
            settings
              ? `Stored encrypted, and never shown again. The one in use ends in ${settings.keyEnd}.`
              : 'Stored encrypted, and never shown again.'
          }
          visible={shown}
          onVisibilityChange={setShown}
          visibilityToggleButtonProps={{ 'aria-label': shown ? 'Hide the key' : 'Show the key', tabIndex: 0 }}
          ref={settings ? first : undefined}
          data-autofocus={settings ? true : undefined}
        />
        <TextInput
          {...field('baseURL')}
          label="Base API URL"
          type="url"
          inputMode="url"
          autoComplete="off"
          placeholder={defaultURL}
          description="Only where it is another than your key names."
        />
        <div role="status" className={s.result}>
          {works && (
            <p className={s.works}>
              <IconCircleCheck size={16} aria-hidden />
              {worksWords(works.projects)}
            </p>
          )}
        </div>
        {problem && <Banner tone="error">{problem}</Banner>}
        <div className={s.scopes}>
          <h3>
            <IconShieldLock size={15} aria-hidden />
            What the key must allow
          </h3>
          <ul>
            <li>View projects</li>
            <li>View scans and results</li>
            <li>Manage webhooks, so that a scan arrives as soon as it ends (optional)</li>
          </ul>
          <p>
            In Checkmarx One, make one under Settings, Identity and Access Management, API Keys.
            {links.map(({ label, href }) => (
              <span key={href}>
                {' '}
                <a className="link" href={href} target="_blank" rel="noreferrer">
                  {label}
                </a>
              </span>
            ))}
          </p>
        </div>
      </div>
      <div className={s.actions}>
        <Button variant="default" disabled={!form.ready || form.connecting} loading={form.testing} onClick={form.test}>
          Test connection
        </Button>
        <span className={s.spring} />
        <Button variant="default" onClick={onCancel}>
          Cancel
        </Button>
        <Button type="submit" disabled={!form.ready || form.testing} loading={form.connecting}>
          Connect
        </Button>
      </div>
    </form>
  );
}

function worksWords(projects: number | null): string {
  if (projects === null) return 'It works.';
  if (projects === 0) return 'It works, but the key sees no project yet.';
  return `It works: the key sees ${projects === 1 ? 'one project' : `${projects} projects`}.`;
}
