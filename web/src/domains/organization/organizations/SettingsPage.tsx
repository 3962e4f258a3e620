import { getOrganization } from '@sightline/contract/organization/organizations.ts';
import { useQuery } from '@tanstack/react-query';
import { endpointQuery } from '#lib/api.ts';
import { useFlag } from '#lib/flags.ts';
import { isOwner, useSession } from '#lib/session.ts';
import { Banner } from '#ui/Banner.tsx';
import { Failure } from '#ui/Failure.tsx';
import { Panel } from '#ui/Panel.tsx';
import { DangerZone } from './DangerZone.tsx';
import { GeneralForm } from './GeneralForm.tsx';
import { SecuritySection } from './SecuritySection.tsx';
import s from './Settings.module.css';
import { SingleSignOn } from './SingleSignOn.tsx';

/** spec 2.8, General: visible to all members, editable by owners. */
export function SettingsPage() {
  const {
    data: organization,
    error,
    refetch,
  } = useQuery({ ...endpointQuery(getOrganization, {}), meta: { quiet: true } });
  const owner = isOwner(useSession());
  const extended = useFlag('extendedSettings');
  if (error && !organization) {
    return (
      <Panel>
        <Failure title="The organization could not be loaded" error={error} onRetry={() => void refetch()} />
      </Panel>
    );
  }
  if (!organization) return null;
  const archived = organization.archivedAt !== null;
  return (
    <div className={s.page}>
      {!owner && (
        <Banner tone="info">
          Only an account owner can change this. Ask {named.format(organization.ownerEmails.slice(0, 3))}.
        </Banner>
      )}
      <GeneralForm organization={organization} locked={!owner || archived} />
      <SecuritySection locked={archived} />
      <SingleSignOn locked={archived} />
      {owner && extended && !archived && <DangerZone organization={organization} />}
    </div>
  );
}

const named = new Intl.ListFormat('en', { type: 'disjunction' });
