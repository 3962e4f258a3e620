import type { Account } from '@sightline/contract/accounts.ts';
import { getExtensionStatus } from '@sightline/contract/presence.ts';
import { useQuery } from '@tanstack/react-query';
import { ask } from '#lib/api.ts';
import { Panel } from '#ui/Panel.tsx';
import { ProviderIcon } from '#ui/ProviderIcon.tsx';
import { RowName, RowTitle } from '#ui/RowTitle.tsx';
import { StatusDot } from '#ui/StatusBadge.tsx';
import { TimeAgo } from '#ui/TimeAgo.tsx';
import s from './Profile.module.css';

/** The identity at the code host, and whether the extensions report. */
export function Connections({ me }: { me: Account }) {
  const status = useQuery({ ...ask(getExtensionStatus, {}), meta: { quiet: true } }).data;
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
        {status && (
          <>
            <Extension
              name="Editor extension"
              connected={status.ide_status === 'connected'}
              heard={status.ide_timestamp}
              type={status.ide_type}
            />
            <Extension
              name="Browser extension"
              connected={status.browser_status === 'connected'}
              heard={status.browser_timestamp}
              type={status.browser_type}
            />
          </>
        )}
      </ul>
    </Panel>
  );
}

interface ExtensionProps {
  name: string;
  connected: boolean;
  heard: string | null;
  type: string | null;
}

const Extension = ({ name, connected, heard, type }: ExtensionProps) => (
  <li>
    <div>
      <p className={s.extension}>{name}</p>
      <p className={s.heard}>
        {type !== null && `${type}. `}
        {heard === null ? 'Never heard of' : <>Last heard of {<TimeAgo at={heard} />}</>}
      </p>
    </div>
    <StatusDot tone={connected ? 'green' : 'yellow'}>{connected ? 'Connected' : 'Not connected'}</StatusDot>
  </li>
);
