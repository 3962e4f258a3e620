import type { Secrets } from '#core/secrets.ts';

const place = { org: '-', table: 'invitation', field: 'ticket' };

/** What stands for an invitation where its secret token is not known any more; only the invited person can use it. */
export const ticketOf = (secrets: Secrets, orgId: string, invitationId: string): string =>
  secrets.seal(place, Buffer.from(`${orgId} ${invitationId}`)).toString('base64url');

/** The organisation and the invitation of a ticket, apart by a space; undefined for a token out of a mail, or nonsense. */
export function openTicket(secrets: Secrets, ticket: string): string | undefined {
  try {
    return secrets.open(place, Buffer.from(ticket, 'base64url')).toString();
  } catch {
    return undefined;
  }
}
