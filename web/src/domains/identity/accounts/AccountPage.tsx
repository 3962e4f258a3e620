import { useQuery } from '@tanstack/react-query';
import { account } from '#lib/account.ts';
import { useFlag } from '#lib/flags.ts';
import { outsideIssuer } from '#lib/site.ts';
import { Failure } from '#ui/Failure.tsx';
import { PageHeader } from '#ui/PageHeader.tsx';
import { Panel } from '#ui/Panel.tsx';
import s from './Account.module.css';
import { DeleteAccount } from './DeleteAccount.tsx';
import { Downloads } from './Downloads.tsx';
import { ConnectedExtensions } from './Extensions.tsx';
import { FullName } from './FullName.tsx';
import { LoginIdentities } from './Identities.tsx';
import { ExternalIssuerNotice } from './OutsideLogin.tsx';
import { PasswordSection } from './Password.tsx';
import { SecondFactor } from './SecondFactor.tsx';
import { Sessions } from './Sessions.tsx';
import { SimilarAccounts } from './SimilarAccounts.tsx';

/** Sections that only the built-in identity provider supports. */
const builtInSections = [
  { id: 'second-factor', label: 'Second factor' },
  { id: 'password', label: 'Password' },
  { id: 'sessions', label: 'Active sessions' },
];

/** spec 2.12. Every section has its own address. */
export function AccountPage() {
  const { data: me, error, refetch } = useQuery({ ...account(), meta: { quiet: true } });
  const linking = useFlag('accountLinking');
  const outside = outsideIssuer();
  const sections = [
    { id: 'profile', label: 'Full name and email' },
    { id: 'identity', label: 'Authentication and identity' },
    ...(linking && !outside ? [{ id: 'linking', label: 'Account linking' }] : []),
    ...(outside ? [] : builtInSections),
    { id: 'extensions', label: 'Connected extensions' },
    { id: 'downloads', label: 'Get extensions' },
    { id: 'deletion', label: 'Account deletion' },
  ];
  return (
    <>
      <PageHeader title="Account settings" note={me?.email} />
      <div className={s.columns}>
        <nav aria-label="On this page" className={s.contents}>
          <ul>
            {sections.map(({ id, label }) => (
              <li key={id}>
                <a href={`#${id}`}>{label}</a>
              </li>
            ))}
          </ul>
        </nav>
        <div className={s.sections}>
          {error && !me ? (
            <Panel>
              <Failure title="Your account could not be loaded" error={error} onRetry={() => void refetch()} />
            </Panel>
          ) : (
            <FullName me={me} />
          )}
          {outside ? (
            <ExternalIssuerNotice authority={outside.authority} />
          ) : (
            <>
              <LoginIdentities />
              {linking && <SimilarAccounts />}
              <SecondFactor />
              <PasswordSection me={me} />
              <Sessions />
            </>
          )}
          <ConnectedExtensions />
          <Downloads />
          <DeleteAccount />
        </div>
      </div>
    </>
  );
}
