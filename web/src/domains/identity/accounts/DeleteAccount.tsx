import { useSession } from '#lib/session.ts';
import { supportEmail } from '#lib/site.ts';
import { Link } from '#ui/Link.tsx';
import { AccountSection } from './Section.tsx';

/** Support deletes accounts manually on request by email (spec 2.12). */
export function DeleteAccount() {
  const email = supportEmail();
  const active = useSession()?.organization !== undefined;
  return (
    <AccountSection id="deletion" title="Account deletion">
      {active && (
        <p>
          To see recorded data about you and to request its deletion together with this account, open{' '}
          <Link className="link" href="/me/personal-data">
            Your data
          </Link>
          .
        </p>
      )}
      {email === undefined ? (
        <p>To delete your account, contact the operator of this server.</p>
      ) : (
        <p>
          To delete your account, write to{' '}
          <a className="link" href={`mailto:${email}?subject=${encodeURIComponent('Delete my Sightline account')}`}>
            {email}
          </a>{' '}
          from the address of this account. You will receive a reply.
        </p>
      )}
    </AccountSection>
  );
}
