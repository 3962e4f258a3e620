import { Button, Checkbox, Select } from '@mantine/core';
import { listConnections } from '@sightline/contract/identity/identities.ts';
import { getSamlLogin } from '@sightline/contract/identity/saml.ts';
import { listMembers } from '@sightline/contract/organization/members.ts';
import {
  getOrganizationSecurity,
  type OrganizationSecurity,
} from '@sightline/contract/organization/organization-security.ts';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { endpointQuery } from '#lib/api.ts';
import { errorMessageOf } from '#lib/reason.ts';
import { hasPermission, useSession } from '#lib/session.ts';
import { outsideIssuer } from '#lib/site.ts';
import { FormDialog } from '#ui/FormDialog.tsx';
import { Panel } from '#ui/Panel.tsx';
import { Domains } from './Domains.tsx';
import { SamlLogin } from './SamlLogin.tsx';
import s from './Settings.module.css';
import { useUpdateSecurity } from './useUpdateSecurity.ts';

/** The login that members must use. `locked` makes it read-only. */
export function SingleSignOn({ locked }: { locked: boolean }) {
  const session = useSession();
  const allowed = hasPermission(session, 'read:org-members');
  const { data } = useQuery({ ...endpointQuery(getOrganizationSecurity, {}), enabled: allowed, meta: { quiet: true } });
  const { data: connections } = useQuery({ ...endpointQuery(listConnections, {}), meta: { quiet: true } });
  const saml = useQuery({
    ...endpointQuery(getSamlLogin, {}),
    enabled: hasPermission(session, 'update:org'),
    meta: { quiet: true },
  }).data?.login;
  const [isChanging, setChanging] = useState(false);
  // Members already sign in at the outside issuer.
  if (!data || !connections || outsideIssuer()) return null;
  const logins = [
    ...(saml ? [{ connection: saml.connection, label: saml.label, kind: 'saml' as const, sandbox: false }] : []),
    ...connections.filter(({ kind }) => kind !== 'password'),
  ];
  const mayChangeDomains = !locked && hasPermission(session, 'update:org');
  const mayChange = mayChangeDomains && logins.length > 0;
  const label = logins.find(({ connection }) => connection === data.ssoConnection)?.label ?? data.ssoConnection;
  const verified = data.domains.filter(({ verifiedAt }) => verifiedAt !== null);
  return (
    <Panel title="Single sign-on">
      <div className={s.setting}>
        <div>
          <h3 className={s.what}>Required provider</h3>
          <p>
            {logins.length === 0
              ? notOffered
              : describe(
                  label,
                  verified.map(({ domain }) => domain),
                  data,
                )}
          </p>
        </div>
        {mayChange && (
          <Button variant="default" onClick={() => setChanging(true)}>
            {data.ssoConnection === null ? 'Require a provider' : 'Change'}
          </Button>
        )}
      </div>
      <SamlLogin hasDomain={verified.length > 0} mayChange={mayChangeDomains} />
      {/* A directory needs verified domains too. */}
      <Domains domains={data.domains} mayChange={mayChangeDomains} />
      {isChanging && <SsoDialog security={data} logins={logins} onClose={() => setChanging(false)} />}
    </Panel>
  );
}

const notOffered =
  'No identity provider is available. Connect one by SAML, or ask the operator of this server to configure one.';

function describe(
  label: string | null,
  domains: readonly string[],
  { breakGlassOwners }: OrganizationSecurity,
): string {
  if (label === null)
    return domains.length === 0
      ? 'Members can use any sign-in method. To require a provider, first verify a domain of your organization.'
      : 'Members can use any sign-in method.';
  const names = breakGlassOwners.map(({ name }) => name);
  return `Members sign in with ${label} and an address of ${either.format(domains)}. ${both.format(names)} can sign in without it, with password and second factor.`;
}

const either = new Intl.ListFormat('en', { type: 'disjunction' });
const both = new Intl.ListFormat('en', { type: 'conjunction' });

interface DialogProps {
  security: OrganizationSecurity;
  logins: readonly { connection: string; label: string }[];
  onClose: () => void;
}

function SsoDialog({ security, logins, onClose }: DialogProps) {
  const [connection, setConnection] = useState(security.ssoConnection ?? '');
  const [owners, setOwners] = useState(security.breakGlassOwners.map(({ id }) => id));
  const query = { role: ['rol_owner' as const], status: ['active' as const], perPage: 100 };
  const members = useQuery({ ...endpointQuery(listMembers, { query }), meta: { quiet: true } });
  const save = useUpdateSecurity(
    connection === '' ? 'Members can now use any sign-in method.' : 'The provider is now required.',
    onClose,
  );
  const choices = (members.data?.rows ?? []).flatMap(({ user_id: value, name: label }) =>
    value === null ? [] : [{ value, label }],
  );
  return (
    <FormDialog
      title="Require a provider"
      submit="Save"
      ready={connection === '' || owners.length > 0}
      pending={save.isPending}
      problem={save.error ? errorMessageOf(save.error, 'Not saved. Try again.') : undefined}
      onClose={onClose}
      onSubmit={() => save.mutate({ ssoConnection: connection === '' ? null : connection, breakGlassOwners: owners })}
    >
      <p>
        Members with a session of another provider must sign in again, and their extensions are disconnected. The
        provider must confirm an address of a verified domain.
      </p>
      <Select
        label="Provider"
        data={[
          { value: '', label: 'Members can use any sign-in method' },
          ...logins.map(({ connection: value, label }) => ({ value, label })),
        ]}
        value={connection}
        allowDeselect={false}
        onChange={(value) => setConnection(value ?? '')}
      />
      <Checkbox.Group
        label="Break-glass owners"
        description="They can sign in with password and second factor if the provider is not available. Account Owners are notified by email."
        value={owners}
        onChange={setOwners}
      >
        <div className={s.owners}>
          {choices.map(({ value, label }) => (
            <Checkbox key={value} value={value} label={label} />
          ))}
        </div>
      </Checkbox.Group>
    </FormDialog>
  );
}
