import { createApi, paths } from '@sightline/telemetry/api.ts';
import { eventBuilder } from '@sightline/telemetry/events.ts';
import { createLog } from '@sightline/telemetry/log.ts';
import { createQueue } from '@sightline/telemetry/queue.ts';
import { createSender } from '@sightline/telemetry/sender.ts';
import { createSession } from '@sightline/telemetry/session.ts';
import { browser } from 'wxt/browser';
import { browserTypeOf } from '../browser-type.ts';
import { localState, sessionState } from '../storage.ts';
import { createBrowserStore } from './store.ts';

export type Services = Awaited<ReturnType<typeof createServices>>;

/** Created once per background instance, from the persisted state. */
export async function createServices() {
  const version = browser.runtime.getManifest().version;
  const type = browserTypeOf(brands(), import.meta.env.BROWSER);
  let server = (await localState.get('server')) ?? '';

  const ask = createApi({ server: () => server });
  const session = createSession({
    ask,
    version,
    load: async () => (await localState.get('signIn')) ?? null,
    save: (saved) => localState.set('signIn', saved),
    cache: {
      load: async () => (await sessionState.get('access')) ?? null,
      save: (access) => sessionState.set('access', access),
    },
  });

  const log = createLog({ onChange: () => void localState.set('log', log.entries()) });
  log.restore((await localState.get('log')) ?? []);
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
    nextTryAt: (await sessionState.get('notBefore')) ?? null,
    onState: ({ nextTryAt, message }) => {
      void sessionState.set('notBefore', nextTryAt ?? 0);
      void sessionState.set('problem', message);
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
      await localState.set('server', origin);
      server = origin;
    },
  };
}

function brands(): { brand: string }[] {
  const { userAgentData } = navigator as Navigator & { userAgentData?: { brands: { brand: string }[] } };
  return userAgentData?.brands ?? [];
}
