import { Button } from '@mantine/core';
import {
  getOrganizationSecurity,
  type OrganizationSecurity,
} from '@sightline/contract/organization/organization-security.ts';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { endpointQuery } from '#lib/api.ts';
import { accountSettingsPath } from '#lib/profile.ts';
import { errorMessageOf } from '#lib/reason.ts';
import { hasPermission, useSession } from '#lib/session.ts';
import { Banner } from '#ui/Banner.tsx';
import { ConfirmDialog } from '#ui/ConfirmDialog.tsx';
import { Link } from '#ui/Link.tsx';
import { Panel } from '#ui/Panel.tsx';
import { AllowedNetworks } from './AllowedNetworks.tsx';
import { SessionPolicy } from './SessionPolicy.tsx';
import s from './Settings.module.css';
import { useUpdateSecurity } from './useUpdateSecurity.ts';

/** Security settings for members. `locked` makes them read-only. */
export function SecuritySection({ locked }: { locked: boolean }) {
  const session = useSession();
  const allowed = hasPermission(session, 'read:org-members');
  const { data } = useQuery({ ...endpointQuery(getOrganizationSecurity, {}), enabled: allowed, meta: { quiet: true } });
  const [asking, setAsking] = useState(false);
  if (!data) return null;
  const { requireSecondFactor: on } = data;
  const mayChange = !locked && hasPermission(session, 'update:org');
  return (
    <Panel title="Security">
      <div className={s.setting}>
        <div>
          <h3 className={s.what}>Second factor</h3>
          <p>{wordsOf(data)}</p>
        </div>
        {mayChange && (
          <Button variant="default" onClick={() => setAsking(true)}>
            {on ? 'Stop requiring it' : 'Require it'}
          </Button>
        )}
      </div>
      <SessionPolicy security={data} mayChange={mayChange} />
      <AllowedNetworks security={data} mayChange={mayChange} />
      {asking && <MfaPolicyDialog security={data} onClose={() => setAsking(false)} />}
    </Panel>
  );
}

function wordsOf({ requireSecondFactor, membersWithout }: OrganizationSecurity): string {
  const without =
    membersWithout === 1 ? 'One member has no second factor' : `${membersWithout} members have no second factor`;
  if (requireSecondFactor) {
    return membersWithout === 0
      ? 'Required. Every member has a second factor.'
      : `Required. ${without} and must set it up at their next sign-in.`;
  }
  return membersWithout === 0
    ? 'Not required. Every member has a second factor.'
    : `Not required. Members can sign in with only a password. ${without}.`;
}

function MfaPolicyDialog({ security, onClose }: { security: OrganizationSecurity; onClose: () => void }) {
  const required = !security.requireSecondFactor;
  const done = required ? 'A second factor is now required.' : 'A second factor is no longer required.';
  const change = useUpdateSecurity(done, onClose);
  return (
    <ConfirmDialog
      opened
      onClose={onClose}
      title={required ? 'Require a second factor?' : 'Stop requiring a second factor?'}
      confirm={required ? 'Require it' : 'Stop requiring it'}
      pending={change.isPending}
      onConfirm={() => change.mutate({ requireSecondFactor: required })}
    >
      <p>
        {required
          ? 'Members without a second factor must set one up within minutes before they can continue.'
          : 'Members can remove their second factor and sign in with only a password.'}
      </p>
      {change.error && (
        <Banner tone="error">
          {errorMessageOf(change.error, 'Not saved.')}{' '}
          <Link className="link" href={accountSettingsPath}>
            Account settings
          </Link>
        </Banner>
      )}
    </ConfirmDialog>
  );
}
