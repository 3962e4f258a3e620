import { supportEmail } from '#lib/site.ts';
import { Section } from './Section.tsx';

/** By hand, by mail (spec 2.12). */
export function DeleteAccount() {
  const email = supportEmail();
  return (
    <Section id="deletion" title="Account deletion">
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
