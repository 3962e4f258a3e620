import formbody from '@fastify/formbody';
import type { FastifyInstance, FastifyReply } from 'fastify';
import { z } from 'zod';
import { recordOperatorEntry } from '#core/operator-log.ts';
import { renderNoticePage } from '#core/pages/frame.ts';
import { sendPage } from '#core/pages/security.ts';
import type { Services } from '#core/services.ts';
import { HostRefused } from '#providers/code-host.ts';
import { appManifest, convertManifest, newAppURL } from '#providers/github/app-manifest.ts';
import { consumeOperatorCode, createOperatorCode } from './operator-codes.ts';
import { createAppPage, setupPath, setupStartPage } from './setup-pages.ts';

/** Purposes of setup codes: of the command line, and of the round trip to GitHub. */
export const setupCodePurpose = 'github-app';
const returnPurpose = 'github-app return';

const text = z.string().max(200).catch('');
const setupForm = z.object({ code: text, organization: text }).catch({ code: '', organization: '' });
const callbackQuery = z.object({ code: text, state: text }).catch({ code: '', state: '' });
const organizationName = /^[a-z\d](?:[a-z\d-]{0,38})?$/i;

/**
 * Registers the pages that create the GitHub app of this server. The operator enters a setup code, GitHub creates the
 * app from our manifest, and the server stores its secrets encrypted. Not endpoints of the contract: the setup code
 * authorizes the operator without a sign-in.
 */
export async function githubSetupRoutes(app: FastifyInstance, services: Services): Promise<void> {
  const { config, database, githubApps, log } = services;
  const { place } = githubApps;
  const doneURL = `${config.PUBLIC_URL}${setupPath}/done`;
  const sendNotice = (
    reply: FastifyReply,
    {
      status,
      title,
      line,
      back = setupPath,
    }: { status: number; title: string; line: string; back?: string | undefined },
  ) =>
    sendPage(
      config,
      reply.status(status),
      renderNoticePage(title, [line], {
        href: back,
        label: back === setupPath ? 'Start again' : 'Go to integrations',
      }),
    );
  const sendAlreadySetUp = (reply: FastifyReply) =>
    sendNotice(reply, {
      status: 200,
      title: 'The GitHub app is set up',
      line: 'An Account Owner connects GitHub next.',
      back: '/integrations',
    });

  await app.register(async (pages) => {
    await pages.register(formbody, { bodyLimit: 20_000 });

    pages.get(setupPath, async (request, reply) => {
      if (await githubApps.find()) return sendAlreadySetUp(reply);
      return sendPage(config, reply, setupStartPage({ ...setupForm.parse(request.query), wrong: undefined }));
    });

    pages.post(setupPath, async (request, reply) => {
      if (await githubApps.find()) return sendAlreadySetUp(reply);
      const { code, organization } = setupForm.parse(request.body);
      const input = { code, organization: organization.trim() };
      const sendFormError = (field: 'code' | 'organization', wrong: string) =>
        sendPage(config, reply.status(400), setupStartPage({ ...input, wrong: { field, text: wrong } }));
      if (input.organization !== '' && !organizationName.test(input.organization)) {
        return sendFormError('organization', 'Enter the name from its GitHub URL, or leave it empty.');
      }
      const state = await database.global(async (tx) =>
        (await consumeOperatorCode(tx, setupCodePurpose, code)) ? createOperatorCode(tx, returnPurpose) : undefined,
      );
      if (state === undefined) {
        return sendFormError('code', 'The code is wrong, was already used, or expired. Create another one.');
      }
      // GitHub accepts up to 34 characters.
      const name = `Sightline ${new URL(config.PUBLIC_URL).hostname}`.slice(0, 34);
      const target = newAppURL(place, input.organization, state);
      const manifest = appManifest(config.PUBLIC_URL, name, doneURL);
      return sendPage(config, reply, createAppPage(target, manifest), { formTarget: place.url });
    });

    pages.get(`${setupPath}/done`, async (request, reply) => {
      const { code, state } = callbackQuery.parse(request.query);
      if (await githubApps.find()) return sendAlreadySetUp(reply);
      const isOurs = await database.global((tx) => consumeOperatorCode(tx, returnPurpose, state));
      if (!isOurs || code === '') {
        return sendNotice(reply, {
          status: 400,
          title: 'Expired',
          line: 'The response of GitHub expired or was already used.',
        });
      }
      try {
        const settings = await convertManifest(place, code);
        await database.global(async (tx) => {
          if (!(await githubApps.keep(tx, settings))) return;
          // The command that created the code recorded the operator.
          await recordOperatorEntry(tx, 'setup page', {
            action: 'github_app.set_up',
            subject: { kind: 'github_app', id: settings.appId },
            data: { slug: settings.slug, url: place.url },
          });
        });
      } catch (error) {
        log.warn({ err: error }, 'the GitHub app could not be set up');
        const why = error instanceof HostRefused ? 'GitHub rejected its own code.' : 'GitHub did not respond.';
        return sendNotice(reply, {
          status: 502,
          title: 'The app could not be set up',
          line: `${why} Delete the app there and start again.`,
        });
      }
      return sendAlreadySetUp(reply);
    });
  });
}
