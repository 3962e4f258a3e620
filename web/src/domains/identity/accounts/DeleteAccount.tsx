import { useSession } from '#lib/session.ts';
import { supportEmail } from '#lib/site.ts';
import { Link } from '#ui/Link.tsx';
import { Section } from './Section.tsx';

/** By hand, by mail (spec 2.12). */
export function DeleteAccount() {
  const email = supportEmail();
  const active = useSession()?.organization !== undefined;
  return (
    <Section id="deletion" title="Account deletion">
      {active && (
        <p>
          What this organization recorded about you, and how to have it erased together with this account, is under{' '}
          <Link className="link" href="/me/collected">
            Collected about you
          </Link>
          .
        </p>
      )}
      {email === undefined ? (
        <p>To have your account deleted, ask the people who run this server. They do it by hand.</p>
      ) : (
        <p>
          To have your account deleted, write to{' '}
          <a className="link" href={`mailto:${email}?subject=${encodeURIComponent('Delete my Sightline account')}`}>
            {email}
          </a>{' '}
          from the address of this account. It is done by hand; you get an answer.
        </p>
      )}
    </Section>
  );
}
