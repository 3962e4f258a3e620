import formbody from '@fastify/formbody';
import type { FastifyInstance, FastifyReply } from 'fastify';
import { z } from 'zod';
import { recordOperator } from '#core/operator-log.ts';
import { notice } from '#core/pages/frame.ts';
import { sendPage } from '#core/pages/security.ts';
import type { Services } from '#core/services.ts';
import { HostRefused } from '#providers/code-host.ts';
import { appManifest, convertManifest, newAppURL } from '#providers/github/app-manifest.ts';
import { makeOperatorCode, useOperatorCode } from './operator-codes.ts';
import { sendPageTo, setupPath, startPage } from './setup-pages.ts';

/** Purposes of operator codes: of the one the command line gives, and of the one that goes to GitHub and comes back. */
export const setupPurpose = 'github-app';
const returnPurpose = 'github-app return';

const text = z.string().max(200).catch('');
const asked = z.object({ code: text, organization: text }).catch({ code: '', organization: '' });
const returned = z.object({ code: text, state: text }).catch({ code: '', state: '' });
const organizationName = /^[a-z\d](?:[a-z\d-]{0,38})?$/i;

/**
 * Making the GitHub app of this installation, in the browser of whoever operates it: they show a code of the command line,
 * GitHub makes the app from what we send along, and its secrets come back to be kept sealed. Not endpoints of the contract:
 * nobody needs to be signed in, the code is the proof.
 */
export async function setupRoutes(app: FastifyInstance, services: Services): Promise<void> {
  const { config, database, githubApps, log } = services;
  const { place } = githubApps;
  const doneURL = `${config.PUBLIC_URL}${setupPath}/done`;
  const say = (
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
      notice(title, [line], {
        href: back,
        label: back === setupPath ? 'Start again' : 'Go to integrations',
      }),
    );
  const sayThereIsOne = (reply: FastifyReply) =>
    say(reply, {
      status: 200,
      title: 'The GitHub app is set up',
      line: 'An Account Owner connects GitHub next.',
      back: '/integrations',
    });

  await app.register(async (pages) => {
    await pages.register(formbody, { bodyLimit: 20_000 });

    pages.get(setupPath, async (request, reply) => {
      if (await githubApps.find()) return sayThereIsOne(reply);
      return sendPage(config, reply, startPage({ ...asked.parse(request.query), wrong: undefined }));
    });

    pages.post(setupPath, async (request, reply) => {
      if (await githubApps.find()) return sayThereIsOne(reply);
      const { code, organization } = asked.parse(request.body);
      const given = { code, organization: organization.trim() };
      const again = (field: 'code' | 'organization', wrong: string) =>
        sendPage(config, reply.status(400), startPage({ ...given, wrong: { field, text: wrong } }));
      if (given.organization !== '' && !organizationName.test(given.organization)) {
        return again('organization', 'Enter the name from its GitHub URL, or leave it empty.');
      }
      const state = await database.global(async (tx) =>
        (await useOperatorCode(tx, setupPurpose, code)) ? makeOperatorCode(tx, returnPurpose) : undefined,
      );
      if (state === undefined) {
        return again('code', 'The code is wrong, was already used, or expired. Create another one.');
      }
      // GitHub takes up to 34 characters.
      const name = `Sightline ${new URL(config.PUBLIC_URL).hostname}`.slice(0, 34);
      const target = newAppURL(place, given.organization, state);
      const manifest = appManifest(config.PUBLIC_URL, name, doneURL);
      return sendPage(config, reply, sendPageTo(target, manifest), { formTarget: place.url });
    });

    pages.get(`${setupPath}/done`, async (request, reply) => {
      const { code, state } = returned.parse(request.query);
      if (await githubApps.find()) return sayThereIsOne(reply);
      const isOurs = await database.global((tx) => useOperatorCode(tx, returnPurpose, state));
      if (!isOurs || code === '') {
        return say(reply, {
          status: 400,
          title: 'Expired',
          line: 'The response of GitHub expired or was already used.',
        });
      }
      try {
        const settings = await convertManifest(place, code);
        await database.global(async (tx) => {
          if (!(await githubApps.keep(tx, settings))) return;
          // Who that is was written down when the code was made.
          await recordOperator(tx, 'setup page', {
            action: 'github_app.set_up',
            subject: { kind: 'github_app', id: settings.appId },
            data: { slug: settings.slug, url: place.url },
          });
        });
      } catch (error) {
        log.warn({ err: error }, 'the GitHub app could not be set up');
        const why = error instanceof HostRefused ? 'GitHub rejected its own code.' : 'GitHub did not respond.';
        return say(reply, {
          status: 502,
          title: 'The app could not be set up',
          line: `${why} Delete the app there and start again.`,
        });
      }
      return sayThereIsOne(reply);
    });
  });
}
