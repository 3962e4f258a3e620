import { AccountSection } from './Section.tsx';

/** Replaces settings that an external issuer manages: logins, password, second factor, sessions. */
export const ExternalIssuerNotice = ({ authority }: { authority: string }) => (
  <AccountSection id="identity" title="Authentication and identity">
    <p>
      You sign in through{' '}
      <a href={authority} target="_blank" rel="noreferrer">
        {new URL(authority).host}
      </a>
      . Manage your password, second factor and sessions there.
    </p>
  </AccountSection>
);
