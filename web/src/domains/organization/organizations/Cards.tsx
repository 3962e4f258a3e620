import { UnstyledButton } from '@mantine/core';
import { roleNames } from '@sightline/contract/core/permissions.ts';
import type { Organization } from '@sightline/contract/organization/organizations.ts';
import { IconArrowRight } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { Link } from '#ui/Link.tsx';
import { PageTitle } from '#ui/PageTitle.tsx';
import { Face } from '#ui/Person.tsx';
import { Tag } from '#ui/Tag.tsx';
import s from './Cards.module.css';

/** The text above the cards. */
export const WelcomeHeading = ({ title, children }: { title: string; children: ReactNode }) => (
  <div className={s.welcome}>
    <PageTitle title={title} className={s.title} />
    <p>{children}</p>
  </div>
);

interface JoinedProps {
  organizations: readonly Organization[];
  activeId: string | undefined;
  onChoose: (id: string) => void;
  /** Renders the menu of an organization. Without it, organizations can only be selected. */
  menu?: (organization: Organization) => ReactNode;
}

/**
 * Lists the user's organizations and marks the current one. Selecting another signs in to it, or opens the address that it
 * moved to.
 */
export const OrganizationList = ({ organizations, activeId, onChoose, menu }: JoinedProps) => (
  <section className={s.card} aria-labelledby="joined">
    <h2 id="joined" className={s.heading}>
      Your organizations
    </h2>
    <ul>
      {organizations.map((organization) => {
        const active = organization.id === activeId;
        return (
          <li key={organization.id} className={s.joined} aria-current={active || undefined}>
            {organization.movedTo === null ? (
              <UnstyledButton className={s.row ?? ''} disabled={active} onClick={() => onChoose(organization.id)}>
                <OrganizationName organization={organization}>
                  {roleNames[organization.role]}
                  {organization.archivedAt !== null && ' · Archived'}
                </OrganizationName>
                {active ? <Tag>Current</Tag> : <IconArrowRight size={16} className={s.go} aria-hidden />}
              </UnstyledButton>
            ) : (
              <UnstyledButton component="a" className={s.row ?? ''} href={organization.movedTo}>
                <OrganizationName organization={organization}>
                  Moved to {new URL(organization.movedTo).host}
                </OrganizationName>
                <IconArrowRight size={16} className={s.go} aria-hidden />
              </UnstyledButton>
            )}
            {organization.movedTo === null && menu && <span className={s.menu}>{menu(organization)}</span>}
          </li>
        );
      })}
    </ul>
  </section>
);

/** Further actions below the cards. */
export const CardFooter = ({ children }: { children: ReactNode }) => (
  <div className={s.end}>
    <div>{children}</div>
    <Link className="link" href="/logout">
      Use another account
    </Link>
  </div>
);

interface NamedProps {
  organization: Pick<Organization, 'displayName' | 'logoUrl'>;
  /** The second line. */
  children: ReactNode;
}

/** Logo and name of an organization, with one line below. */
export const OrganizationName = ({ organization: { displayName, logoUrl }, children }: NamedProps) => (
  <>
    <Face name={displayName} picture={logoUrl ?? undefined} size={36} square />
    <span className={s.text}>
      <b className="truncate">{displayName}</b>
      <span>{children}</span>
    </span>
  </>
);
