import type { MemberListItem } from '@sightline/contract/organization/members.ts';
import { useNow } from '#ui/Clock.tsx';
import { Person } from '#ui/Person.tsx';

/** Who it is; under the name the address, for an invitation who sent it and until when it holds. */
export function MemberName({ member, isYou }: { member: MemberListItem; isYou: boolean }) {
  const now = useNow();
  return (
    <Person
      name={member.name}
      picture={member.picture ?? undefined}
      detail={member.invitation_id === null ? (member.email ?? 'No email address') : invitedText(member, now)}
      isYou={isYou}
      size={32}
    />
  );
}

function invitedText({ invitedBy, expiresAt, delivery }: MemberListItem, now: number): string {
  if (delivery === 'failed') return 'The email was not sent. Sightline tries again';
  const by = invitedBy ? `Invited by ${invitedBy.name}` : 'Invited';
  if (expiresAt === null) return by;
  const hours = Math.round((Date.parse(expiresAt) - now) / 3_600_000);
  if (hours < 0) return `${by}, expired ${ago(-hours)} ago`;
  return `${by}, expires in ${ago(hours)}`;
}

const ago = (hours: number) => {
  if (hours < 1) return 'less than an hour';
  const [count, noun] = hours < 48 ? [hours, 'hour'] : [Math.round(hours / 24), 'day'];
  return `${count} ${noun}${count === 1 ? '' : 's'}`;
};
