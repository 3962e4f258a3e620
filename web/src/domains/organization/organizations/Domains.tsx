import { Button, TextInput } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import {
  addOrganizationDomain,
  type OrganizationDomain,
  removeOrganizationDomain,
  verifyOrganizationDomain,
} from '@sightline/contract/organization/organization-security.ts';
import { useRef, useState } from 'react';
import { call } from '#lib/api.ts';
import { errorMessageOf } from '#lib/reason.ts';
import { Banner } from '#ui/Banner.tsx';
import { ConfirmDialog } from '#ui/ConfirmDialog.tsx';
import { CopyButton } from '#ui/CopyButton.tsx';
import { StatusDot } from '#ui/StatusBadge.tsx';
import s from './Settings.module.css';
import { useSecurityChange } from './useUpdateSecurity.ts';

/** Lists the domains of the organization and verifies their ownership. */
export function Domains({ domains, mayChange }: { domains: readonly OrganizationDomain[]; mayChange: boolean }) {
  const [text, setText] = useState('');
  const input = useRef<HTMLInputElement>(null);
  const add = useSecurityChange(
    (domain: string) => call(addOrganizationDomain, { body: { domain } }),
    'The domain is added. Verify it next.',
    () => setText(''),
  );
  return (
    <div className={s.domains}>
      {domains.length > 0 && (
        <ul>
          {domains.map((one) => (
            <Domain key={one.domain} domain={one} mayChange={mayChange} onRemoved={() => input.current?.focus()} />
          ))}
        </ul>
      )}
      {mayChange && (
        <form
          className={s.addDomain}
          noValidate
          onSubmit={(event) => {
            event.preventDefault();
            if (text.trim() !== '') add.mutate(text);
          }}
        >
          <TextInput
            ref={input}
            label="Domain"
            placeholder="example.org"
            value={text}
            error={add.error ? errorMessageOf(add.error, 'The domain could not be added. Try again.') : undefined}
            onChange={({ currentTarget }) => {
              add.reset();
              setText(currentTarget.value);
            }}
          />
          <Button type="submit" variant="default" disabled={text.trim() === ''} loading={add.isPending}>
            Add domain
          </Button>
        </form>
      )}
    </div>
  );
}

function Domain({
  domain: { domain, verifiedAt, verifiedBy, record },
  mayChange,
  onRemoved,
}: {
  domain: OrganizationDomain;
  mayChange: boolean;
  /** The button that had the focus is gone then. */
  onRemoved: () => void;
}) {
  const [asking, { open: ask, close: keep }] = useDisclosure();
  const params = { domain };
  const verify = useSecurityChange(() => call(verifyOrganizationDomain, { params }), `${domain} is verified.`);
  const remove = useSecurityChange(
    () => call(removeOrganizationDomain, { params }),
    `${domain} is removed.`,
    onRemoved,
  );
  const error = verify.error ?? remove.error;
  return (
    <li className={s.domain}>
      <div className={s.domainHead}>
        <span className={s.what}>{domain}</span>
        <StatusDot tone={verifiedAt === null ? 'gray' : 'green'}>
          {verifiedAt === null ? 'Not verified' : verifiedBy === 'dns' ? 'Verified by DNS' : 'Verified by the operator'}
        </StatusDot>
        {mayChange && (
          <span className={s.domainActions}>
            {verifiedAt === null && (
              <Button
                variant="default"
                size="compact-sm"
                aria-label={`Verify ${domain}`}
                loading={verify.isPending}
                onClick={() => verify.mutate(undefined)}
              >
                Verify
              </Button>
            )}
            <Button
              variant="default"
              size="compact-sm"
              aria-label={`Remove ${domain}`}
              loading={remove.isPending}
              onClick={() => (verifiedAt === null ? remove.mutate(undefined) : ask())}
            >
              Remove
            </Button>
          </span>
        )}
      </div>
      {verifiedAt === null && mayChange && (
        <p>
          Add a TXT record <code>{record.name}</code> <CopyButton compact value={record.name} label="Copy name" /> with
          the value <code>{record.value}</code> <CopyButton compact value={record.value} label="Copy value" />, then
          verify.
        </p>
      )}
      <ConfirmDialog
        opened={asking}
        onClose={keep}
        title={`Remove ${domain}?`}
        confirm="Remove"
        danger
        pending={remove.isPending}
        onConfirm={() => remove.mutate(undefined, { onSettled: keep })}
      >
        Members can no longer sign in with addresses of this domain through an identity provider of the organization. To
        allow it again, add and verify the domain.
      </ConfirmDialog>
      {error && <Banner tone="error">{errorMessageOf(error, 'The action failed. Try again.')}</Banner>}
    </li>
  );
}
