import { createApi, paths } from '@sightline/telemetry/api.ts';
import { eventBuilder } from '@sightline/telemetry/events.ts';
import { createLog } from '@sightline/telemetry/log.ts';
import { createQueue } from '@sightline/telemetry/queue.ts';
import { createSender } from '@sightline/telemetry/sender.ts';
import { createSession } from '@sightline/telemetry/session.ts';
import { browser } from 'wxt/browser';
import { browserTypeOf } from '../browser-type.ts';
import { held, kept } from '../storage.ts';
import { createBrowserStore } from './store.ts';

export type Services = Awaited<ReturnType<typeof createServices>>;

/** Created once per background instance, from the persisted state. */
export async function createServices() {
  const version = browser.runtime.getManifest().version;
  const type = browserTypeOf(brands(), import.meta.env.BROWSER);
  let server = (await kept.get('server')) ?? '';

  const ask = createApi({ server: () => server });
  const session = createSession({
    ask,
    version,
    load: async () => (await kept.get('signIn')) ?? null,
    save: (saved) => kept.set('signIn', saved),
    cache: {
      load: async () => (await held.get('access')) ?? null,
      save: (access) => held.set('access', access),
    },
  });

  const log = createLog({ onChange: () => void kept.set('log', log.entries()) });
  log.restore((await kept.get('log')) ?? []);
  const queue = createQueue({
    store: createBrowserStore(),
    onDropped: (events, reason) => log.note(events, 'dropped', reason),
  });
  const sender = createSender({
    queue,
    post: (token, body) => ask('POST', paths.events, { token, body }),
    token: session.accessToken,
    owner: session.owner,
    note: log.note,
    nextTryAt: (await held.get('notBefore')) ?? null,
    onState: ({ nextTryAt, message }) => {
      void held.set('notBefore', nextTryAt ?? 0);
      void held.set('problem', message);
    },
  });

  return {
    version,
    type,
    ask,
    session,
    log,
    queue,
    sender,
    build: eventBuilder({ plugin: 'sightline-browser', source: type, version }),
    server: () => server,
    moveTo: async (origin: string) => {
      await kept.set('server', origin);
      server = origin;
    },
  };
}

function brands(): { brand: string }[] {
  const { userAgentData } = navigator as Navigator & { userAgentData?: { brands: { brand: string }[] } };
  return userAgentData?.brands ?? [];
}
