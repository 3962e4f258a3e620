import { Button, UnstyledButton } from '@mantine/core';
import type { Organization } from '@sightline/contract/organizations.ts';
import { roleNames } from '@sightline/contract/permissions.ts';
import { IconArrowRight } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { Link } from '#ui/Link.tsx';
import { PageTitle } from '#ui/PageTitle.tsx';
import { Face } from '#ui/Person.tsx';
import { Tag } from '#ui/Tag.tsx';
import s from './Cards.module.css';

/** The words above the cards. */
export const Welcome = ({ title, children }: { title: string; children: ReactNode }) => (
  <div className={s.welcome}>
    <PageTitle title={title} className={s.title} />
    <p>{children}</p>
  </div>
);

interface JoinedProps {
  organizations: readonly Organization[];
  activeId: string | undefined;
  onChoose: (id: string) => void;
}

/** One's organizations; the current one is marked, another one is signed in to. */
export const Joined = ({ organizations, activeId, onChoose }: JoinedProps) => (
  <section className={s.card} aria-labelledby="joined">
    <h2 id="joined" className={s.heading}>
      Your organizations
    </h2>
    <ul>
      {organizations.map((organization) => {
        const active = organization.id === activeId;
        return (
          <li key={organization.id} aria-current={active || undefined}>
            <UnstyledButton className={s.row ?? ''} disabled={active} onClick={() => onChoose(organization.id)}>
              <Named {...organization} />
              {active ? <Tag>Current</Tag> : <IconArrowRight size={16} className={s.go} aria-hidden />}
            </UnstyledButton>
          </li>
        );
      })}
    </ul>
  </section>
);

/** Invitations that wait for an answer. */
export const Invitations = ({ invitations }: { invitations: readonly Organization[] }) => (
  <section className={s.card} aria-labelledby="pending">
    <h2 id="pending" className={s.heading}>
      Pending invitations
    </h2>
    {invitations.length === 0 && <p className={s.none}>No pending invitations</p>}
    <ul>
      {invitations.map((organization) => (
        <li key={organization.invitation?.invitation_id} className={s.row}>
          <Named {...organization} />
          <Button
            component={Link}
            href={acceptHref(organization)}
            aria-label={`Accept invitation to ${organization.displayName}`}
          >
            Accept invitation
          </Button>
        </li>
      ))}
    </ul>
  </section>
);

/** The foot of the cards: what else one can do here. */
export const Ways = ({ children }: { children: ReactNode }) => (
  <div className={s.end}>
    <div>{children}</div>
    <Link className="link" href="/logout">
      Use another account
    </Link>
  </div>
);

const acceptHref = ({ id, invitation }: Organization) =>
  `/invitation?${new URLSearchParams({ invitation: invitation?.ticket_id ?? '', organization: id })}`;

const Named = ({ displayName, logoUrl, role }: Organization) => (
  <>
    <Face name={displayName} picture={logoUrl ?? undefined} size={36} square />
    <span className={s.text}>
      <b className="truncate">{displayName}</b>
      <span>{roleNames[role]}</span>
    </span>
  </>
);
