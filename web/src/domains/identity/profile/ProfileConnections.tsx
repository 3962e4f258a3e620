import type { Account } from '@sightline/contract/identity/accounts.ts';
import { useExtensions } from '#lib/presence.ts';
import { ExtensionStatusItems } from '#ui/ExtensionStatus.tsx';
import { Panel } from '#ui/Panel.tsx';
import { ProviderIcon } from '#ui/ProviderIcon.tsx';
import { RowName, RowTitle } from '#ui/RowTitle.tsx';
import { StatusDot } from '#ui/StatusBadge.tsx';
import s from './Profile.module.css';

/** Shows the identity at the code host, and whether the extensions are connected. */
export function ProfileConnections({ me }: { me: Account }) {
  const status = useExtensions();
  const { github } = me.traits;
  const address = me.linkedIdentities.find(({ provider }) => provider === 'github')?.profileData.html_url;
  return (
    <Panel title="Connected" flush>
      <ul className={s.connections}>
        {github && (
          <li>
            <RowTitle glyph={<ProviderIcon provider="github" size={20} labelled />} meta={github.name ?? 'GitHub'}>
              {address === undefined ? (
                <RowName>{github.login}</RowName>
              ) : (
                <a className="link" href={address} target="_blank" rel="noreferrer">
                  <RowName>{github.login}</RowName>
                  <span className="vh">, opens in a new tab</span>
                </a>
              )}
            </RowTitle>
            <StatusDot tone="green">Connected</StatusDot>
          </li>
        )}
        {status && <ExtensionStatusItems status={status} />}
      </ul>
    </Panel>
  );
}
