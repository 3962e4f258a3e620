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

/** Creates the objects of the background script from the stored state. Called once per instance by `entrypoints/background.ts`. */
export async function createServices() {
  const version = browser.runtime.getManifest().version;
  const browserType = browserTypeOf(brands(), import.meta.env.BROWSER);
  let server = (await localState.get('server')) ?? '';

  const callApi = createApi({ server: () => server });
  const session = createSession({
    callApi,
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
    onDropped: (events, reason) => log.record(events, 'dropped', reason),
  });
  const sender = createSender({
    queue,
    post: (token, body) => callApi('POST', paths.events, { token, body }),
    token: session.accessToken,
    owner: session.owner,
    logEvents: log.record,
    nextTryAt: (await sessionState.get('nextTryAt')) ?? null,
    onState: ({ nextTryAt, message }) => {
      void sessionState.set('nextTryAt', nextTryAt ?? 0);
      void sessionState.set('problem', message);
    },
  });

  return {
    version,
    browserType,
    callApi,
    session,
    log,
    queue,
    sender,
    buildEvent: eventBuilder({ plugin: 'sightline-browser', source: browserType, version }),
    server: () => server,
    changeServer: async (origin: string) => {
      await localState.set('server', origin);
      server = origin;
    },
  };
}

function brands(): { brand: string }[] {
  const { userAgentData } = navigator as Navigator & { userAgentData?: { brands: { brand: string }[] } };
  return userAgentData?.brands ?? [];
}
