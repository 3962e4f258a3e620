import type { MemberListItem } from '@sightline/contract/organization/members.ts';
import { useNow } from '#ui/Clock.tsx';
import { Person } from '#ui/Person.tsx';

/** Shows name and address of a member; for an invitation, also its sender and expiry. */
export function MemberName({ member, isYou }: { member: MemberListItem; isYou: boolean }) {
  const now = useNow();
  return (
    <Person
      name={member.name}
      id={member.user_id ?? undefined}
      picture={member.picture ?? undefined}
      detail={member.invitation_id === null ? (member.email ?? 'No email address') : invitedText(member, now)}
      isYou={isYou}
      size={32}
    />
  );
}

function invitedText({ invitedBy, expiresAt, delivery }: MemberListItem, now: number): string {
  if (delivery === 'failed') return 'The email was not sent. Sightline tries again';
  const inviterText = invitedBy ? `Invited by ${invitedBy.name}` : 'Invited';
  if (expiresAt === null) return inviterText;
  const hours = Math.round((Date.parse(expiresAt) - now) / 3_600_000);
  if (hours < 0) return `${inviterText}, expired ${ago(-hours)} ago`;
  return `${inviterText}, expires in ${ago(hours)}`;
}

const ago = (hours: number) => {
  if (hours < 1) return 'less than an hour';
  const [count, noun] = hours < 48 ? [hours, 'hour'] : [Math.round(hours / 24), 'day'];
  return `${count} ${noun}${count === 1 ? '' : 's'}`;
};
