import { roleIds, roleNames } from '@sightline/contract/core/permissions.ts';
import { roleDescriptions } from '@sightline/contract/organization/roles.ts';
import { formatTime } from '#core/day.ts';
import { type Html, html } from '#core/pages/html.ts';
import { renderMail } from '#core/pages/mail.ts';
import type { MailMessage } from '#providers/mail.ts';

export interface InvitationMail {
  to: string;
  organization: string;
  /** An https URL; if null, the email shows the initials of the organization. */
  logo: string | null;
  role: string;
  inviter: { name: string; email: string } | undefined;
  expiresAt: Date;
  link: string;
}

export function invitationMail({
  to,
  organization,
  logo,
  role,
  inviter,
  expiresAt,
  link,
}: InvitationMail): MailMessage {
  const inviterText = inviter ? inviterLabel(inviter) : 'An Account Owner';
  const roleDescription = roleDescriptions[roleIds.find((id) => roleNames[id] === role) ?? 'rol_contributor'];
  return renderMail(to, `Join ${organization} on Sightline`, {
    head: headOf(organization, logo),
    before: [`${inviterText} invites you to join ${organization} on Sightline as ${role}.`, roleDescription],
    action: 'View invitation',
    link,
    after: [
      `The invitation is only for ${to}. It is valid once, until ${formatTime(expiresAt)}.`,
      'If you do not know the sender, ignore this email.',
    ],
  });
}

/** Users choose their own name. One that reads like a link is replaced with the email address. */
const inviterLabel = ({ name, email }: { name: string; email: string }) =>
  name.length > 80 || /[:/@\\]|\p{L}\.\p{L}{2,}|[\p{C}]/u.test(name) ? email : `${name} (${email})`;

function headOf(organization: string, logo: string | null): Html {
  const box = 'width:48px;height:48px;border-radius:8px';
  const picture = logo?.startsWith('https://')
    ? html`<img src="${logo}" alt="" width="48" height="48" style="${box};object-fit:contain">`
    : html`<div style="${box};background:#e8edf9;color:#1f3f8f;font-size:20px;line-height:48px;font-weight:600;text-align:center" aria-hidden="true">${initialsOf(organization)}</div>`;
  return html`<div style="margin:0 0 16px">${picture}</div>
<p style="margin:0 0 24px;font-size:18px;font-weight:600">${organization}</p>`;
}

const initialsOf = (name: string) =>
  name
    .split(/[^\p{L}\p{N}]+/u)
    .filter((word) => word !== '')
    .slice(0, 2)
    .map((word) => word.charAt(0).toUpperCase())
    .join('') || '•';
