import { vi } from 'vitest';
import { fakeBrowser } from 'wxt/testing/fake-browser';
import { createServices, type Services } from '../background/services.ts';
import { localState } from '../storage.ts';

export interface TestRequest {
  path: string;
  body: unknown;
  token: string | null;
}

interface Script {
  id: string;
  matches?: string[];
}

export interface BrowserScene {
  services: Services;
  /** All requests to the server, in order. */
  asked: TestRequest[];
  /** Granted host permissions, as match patterns. */
  permitted: Set<string> | 'all';
  idle: 'active' | 'idle' | 'locked';
  /** Responses of the server by path; 404 otherwise. */
  answers: Record<string, (body: unknown) => { status: number; body?: unknown }>;
  /** Title of the toolbar button. */
  title: string;
  /** Registered content scripts. */
  scripts: Map<string, Script>;
}

export const server = 'https://sightline.example';
const ada = {
  account: { id: 'account-1', name: 'Ada Byron', email: 'ada@example.org' },
  organization: { id: 'org-1', displayName: 'Acme' },
};
export const refreshToken = 'refresh-token-that-must-stay-here';

/** Starts the background in a browser without stored state, with a server that accepts everything. */
export async function startBackground({ signedIn = true } = {}): Promise<BrowserScene> {
  fakeBrowser.reset();
  const made: Omit<BrowserScene, 'services'> = {
    asked: [],
    permitted: 'all',
    idle: 'active',
    title: '',
    scripts: new Map(),
    answers: {
      '/api/v2/extensions/token': () => ({ status: 200, body: { ...ada, accessToken: 'access-1', refreshToken } }),
      '/api/v2/extensions/token/renew': () => ({ status: 200, body: { ...ada, accessToken: 'access-1' } }),
      '/api/v2/extensions/token/revoke': () => ({ status: 204 }),
      '/api/v2/extensions/settings': () => ({ status: 200, body: { sites: ['github.com', 'gitlab.com'] } }),
      '/api/v2/user/heartbeat': () => ({ status: 204 }),
      '/api/v2/events/user': (events) => ({
        status: 202,
        body: { accepted: (events as unknown[]).length, duplicates: 0, rejected: [] },
      }),
    },
  };
  fakeBrowserApis(made);
  await localState.set('server', server);
  if (signedIn) await localState.set('signIn', { refreshToken, ...ada });
  return Object.assign(made, { services: await createServices() });
}

// Fakes the browser APIs that fakeBrowser lacks, and the server.
function fakeBrowserApis(made: Omit<BrowserScene, 'services'>): void {
  const { scripts } = made;
  Object.assign(fakeBrowser, {
    permissions: {
      contains: async ({ origins = [] }: { origins?: string[] }) => {
        const { permitted } = made;
        return permitted === 'all' || origins.every((origin) => permitted.has(origin));
      },
      request: async () => true,
      onAdded: neverFires,
      onRemoved: neverFires,
    },
    idle: { queryState: async () => made.idle, onStateChanged: neverFires },
    action: {
      setBadgeText: async () => undefined,
      setTitle: async ({ title }: { title: string }) => {
        made.title = title;
      },
    },
    scripting: {
      getRegisteredContentScripts: async () => [...scripts.values()],
      registerContentScripts: async ([script]: Script[]) => script && scripts.set(script.id, script),
      updateContentScripts: async ([script]: Script[]) => script && scripts.set(script.id, script),
      unregisterContentScripts: async () => scripts.clear(),
      executeScript: async () => [],
    },
  });
  fakeBrowser.runtime.getManifest = () => ({ manifest_version: 3, name: 'Sightline', version: '1.0.0' });
  vi.stubGlobal('fetch', async (url: URL, init: RequestInit) => {
    const body = init.body === undefined ? undefined : JSON.parse(String(init.body));
    const headers = new Headers(init.headers);
    made.asked.push({ path: url.pathname, body, token: headers.get('authorization') });
    const answer = made.answers[url.pathname]?.(body) ?? { status: 404 };
    return new Response(answer.body === undefined ? null : JSON.stringify(answer.body), { status: answer.status });
  });
}

const neverFires = { addListener: () => undefined };

/** A tab as reported by the browser. */
export const tab = (url: string, more: object = {}) =>
  ({ id: 7, index: 0, active: true, incognito: false, url, ...more }) as Parameters<
    typeof import('../background/pages.ts').recordPageVisit
  >[1];
