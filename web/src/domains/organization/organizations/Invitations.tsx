import { Button } from '@mantine/core';
import { roleNames } from '@sightline/contract/core/permissions.ts';
import {
  declineInvitation,
  listOrganizations,
  type Organization,
} from '@sightline/contract/organization/organizations.ts';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { call, keyOf } from '#lib/api.ts';
import { errorMessageOf } from '#lib/reason.ts';
import { Banner } from '#ui/Banner.tsx';
import { ConfirmDialog } from '#ui/ConfirmDialog.tsx';
import { Link } from '#ui/Link.tsx';
import { TimeAgo } from '#ui/TimeAgo.tsx';
import { toast } from '#ui/toast.ts';
import s from './Cards.module.css';
import { OrganizationName } from './Cards.tsx';

/** Lists pending invitations. Accepting one leads to the sign-in page, which creates the membership. */
export function Invitations({ invitations }: { invitations: readonly Organization[] }) {
  const [declining, setDeclining] = useState<Organization>();
  const [opened, setOpened] = useState(false);
  const ask = (organization: Organization) => {
    setDeclining(organization);
    setOpened(true);
  };
  return (
    <section className={s.card} aria-labelledby="pending">
      <h2 id="pending" className={s.heading}>
        Pending invitations
      </h2>
      {invitations.length === 0 && <p className={s.none}>No pending invitations</p>}
      <ul>
        {invitations.map((organization) => (
          <li key={organization.invitation?.invitation_id} className={s.row}>
            <OrganizationName organization={organization}>
              {roleNames[organization.role]}
              {organization.invitation && <From {...organization.invitation} />}
            </OrganizationName>
            <span className={s.answers}>
              <Button
                variant="default"
                aria-label={`Decline invitation to ${organization.displayName}`}
                onClick={() => ask(organization)}
              >
                Decline
              </Button>
              <Button
                component={Link}
                href={acceptHref(organization)}
                aria-label={`Accept invitation to ${organization.displayName}`}
              >
                Accept invitation
              </Button>
            </span>
          </li>
        ))}
      </ul>
      {declining && <Decline organization={declining} opened={opened} onClose={() => setOpened(false)} />}
    </section>
  );
}

type Invitation = NonNullable<Organization['invitation']>;

const From = ({ invitedBy, expiresAt }: Pick<Invitation, 'invitedBy' | 'expiresAt'>) => (
  <>
    {invitedBy !== null && ` · from ${invitedBy}`}, expires <TimeAgo at={expiresAt} />
  </>
);

const acceptHref = ({ id, invitation }: Organization) =>
  `/invitation?${new URLSearchParams({ invitation: invitation?.ticket_id ?? '', organization: id })}`;

interface DeclineProps {
  organization: Organization;
  opened: boolean;
  onClose: () => void;
}

function Decline({ organization: { id, displayName, invitation }, opened, onClose }: DeclineProps) {
  const queryClient = useQueryClient();
  const decline = useMutation({
    mutationFn: () => call(declineInvitation, { params: { orgId: id, invitationId: invitation?.invitation_id ?? '' } }),
    meta: { quiet: true },
    onSuccess: () => {
      onClose();
      toast.success(`The invitation to ${displayName} is declined.`);
      return queryClient.invalidateQueries({ queryKey: keyOf(listOrganizations) });
    },
    // The invitation may have been revoked or expired, so the list is refetched.
    onError: () => queryClient.invalidateQueries({ queryKey: keyOf(listOrganizations) }),
  });
  return (
    <ConfirmDialog
      opened={opened}
      onClose={onClose}
      title={`Decline the invitation to ${displayName}?`}
      confirm="Decline invitation"
      danger
      pending={decline.isPending}
      onConfirm={() => decline.mutate()}
    >
      You will need a new invitation to join later.
      {decline.error && (
        <Banner tone="error">{errorMessageOf(decline.error, 'The invitation could not be declined.')}</Banner>
      )}
    </ConfirmDialog>
  );
}
