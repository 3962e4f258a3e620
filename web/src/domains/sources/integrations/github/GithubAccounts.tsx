import { Button } from '@mantine/core';
import { disconnectGithub, type GithubInstallation } from '@sightline/contract/sources/github.ts';
import { useState } from 'react';
import { call } from '#lib/api.ts';
import { useGithubInstall } from '#lib/github-install.ts';
import { errorMessageOf } from '#lib/reason.ts';
import { Banner } from '#ui/Banner.tsx';
import { ExternalLink } from '#ui/ExternalLink.tsx';
import { TimeAgo } from '#ui/TimeAgo.tsx';
import { ConfirmDisconnect } from '../ConfirmDisconnect.tsx';
import { categoryPath } from '../categories.ts';
import setup from '../Setup.module.css';
import s from './Accounts.module.css';

interface GithubAccountsProps {
  accounts: readonly GithubInstallation[];
  onClose: () => void;
}

/** Lists the connected accounts with their status, a link to their settings on GitHub, and Disconnect. */
export function GithubAccounts({ accounts, onClose }: GithubAccountsProps) {
  const [leaving, setLeaving] = useState<GithubInstallation>();
  const install = useGithubInstall(`${categoryPath('source-code-management')}?setup=github`, { quiet: true });
  return (
    <div className={setup.form}>
      <div className={setup.fields}>
        <p className="dim">
          The app is installed separately on each account and reads what that account permits. It never changes code.
        </p>
        {accounts.length === 0 && <p>No connected accounts.</p>}
        <ul className={s.accounts}>
          {accounts.map((account) => (
            <li key={account.id} aria-label={account.account}>
              <div>
                <h3>{account.account}</h3>
                <p className="dim">
                  {account.suspendedAt === null ? (
                    <>
                      {account.repositories === 1 ? '1 repository' : `${account.repositories} repositories`}, connected{' '}
                      <TimeAgo at={account.connectedAt} />
                    </>
                  ) : (
                    <>
                      Suspended <TimeAgo at={account.suspendedAt} />: no new data is imported. Resume it in its
                      settings.
                    </>
                  )}
                </p>
                <ExternalLink href={account.settingsURL}>Settings on GitHub</ExternalLink>
              </div>
              <Button
                variant="default"
                aria-label={`Disconnect GitHub, ${account.account}`}
                onClick={() => setLeaving(account)}
              >
                Disconnect
              </Button>
            </li>
          ))}
        </ul>
        {install.error && (
          <Banner tone="error">{errorMessageOf(install.error, 'The connection could not be started.')}</Banner>
        )}
      </div>
      <div className={setup.actions}>
        <span className={setup.spring} />
        <Button variant="default" onClick={onClose}>
          Close
        </Button>
        <Button loading={install.leaving} onClick={install.start}>
          {accounts.length === 0 ? 'Connect an account' : 'Connect another account'}
        </Button>
      </div>
      {leaving && (
        <ConfirmDisconnect
          opened
          onClose={() => setLeaving(undefined)}
          name={`GitHub, ${leaving.account}`}
          disconnect={() => call(disconnectGithub, { params: { installationId: leaving.id } })}
          kept="Imported data is kept."
        >
          <p>
            The app is uninstalled from {leaving.account} on GitHub, its webhooks stop, and no new data is imported.
            Imported data is kept, and the import continues from there after you connect again.
          </p>
        </ConfirmDisconnect>
      )}
    </div>
  );
}
