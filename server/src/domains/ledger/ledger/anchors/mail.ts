import { UpstreamFailed } from '#core/errors.ts';
import { findOwnerAddresses } from '#core/owners.ts';
import { renderMail } from '#core/pages/mail.ts';
import type { Services } from '#core/services.ts';
import { confirmedOf } from './addresses.ts';
import type { Kind, Leaving, SettingsOf } from './kind.ts';

type MailSettings = SettingsOf<'mail'>;

/** Mails the checkpoint to the owners, and to named addresses that confirmed: each gets a mail of their own. */
export const mail: Kind<MailSettings> = {
  check: async () => undefined,
  async leave(services, leaving) {
    const { orgId, settings } = leaving;
    const { owners, name, confirmed } = await services.database.withOrg(orgId, async (tx) => ({
      ...(await findOwnerAddresses(tx, orgId)),
      confirmed: await confirmedOf(tx, orgId, settings.addresses),
    }));
    const addresses = [...new Set([...owners.map((one) => one.toLowerCase()), ...confirmed])];
    let failed: Error | undefined;
    let sent = 0;
    for (const to of addresses) {
      try {
        await services.mail.send('subscription', messageTo(services, to, name, leaving));
        sent += 1;
      } catch (error) {
        failed = error as Error;
        services.log.warn({ err: failed }, 'a ledger checkpoint could not be emailed');
      }
    }
    if (sent === 0) {
      throw UpstreamFailed(
        failed ? 'The mail server of this installation rejected it.' : 'The anchor has no confirmed recipient.',
      );
    }
    return { receipt: null, message: `Emailed to ${sent} of ${addresses.length}.` };
  },
};

function messageTo({ config }: Services, to: string, name: string, { checkpoint }: Leaving<MailSettings>) {
  const { size, epoch, note } = checkpoint;
  return renderMail(to, `Checkpoint of the ledger of ${name}: ${size.toLocaleString('en')} entries`, {
    before: [
      `Signed checkpoint of the ledger of ${name} at size ${size.toLocaleString('en')}, epoch ${epoch}.`,
      'Keep this email. It proves later whether the ledger still contains exactly these entries as its prefix.',
    ],
    exact: note,
    action: 'Open the ledger',
    link: `${config.PUBLIC_URL}/ledger`,
    after: [
      'The ledger is tamper-evident: later changes are detectable. It does not prove that recorded data is true or complete.',
    ],
  });
}
