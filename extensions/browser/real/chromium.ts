import { once } from 'node:events';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Browser, type BrowserContext, chromium, expect, type Worker } from '@playwright/test';

const programs = [process.env.CHROMIUM_PATH, '/usr/bin/chromium', '/usr/bin/chromium-browser'];
export const chromiumPath = programs.find((path) => path !== undefined && existsSync(path));

export interface RealChromium {
  context: BrowserContext;
  /** URL of a page of the extension. */
  page: (name: string) => string;
  /** Ends the background, as browsers do after half a minute of inactivity. */
  endWorker: () => Promise<void>;
  /** Returns all stored data of the extension, without waking its background. */
  kept: () => Promise<Record<string, unknown>>;
  /** Opens a private window, which has its own profile. */
  privateWindow: () => Promise<BrowserContext>;
  stop: () => Promise<void>;
}

/** Starts Chromium with the extension. Every https URL resolves to `port` on this machine. */
export async function startChromium(extension: string, port: number): Promise<RealChromium> {
  const profile = mkdtempSync(join(tmpdir(), 'sightline-profile-'));
  const context = await chromium.launchPersistentContext(profile, {
    ...(chromiumPath !== undefined && { executablePath: chromiumPath }),
    headless: true,
    viewport: { width: 1280, height: 900 },
    ignoreHTTPSErrors: true,
    permissions: ['clipboard-read', 'clipboard-write'],
    args: [
      '--no-sandbox',
      '--disable-gpu',
      '--disable-quic',
      '--disable-background-networking',
      '--ignore-certificate-errors',
      `--host-resolver-rules=MAP *:443 127.0.0.1:${port}`,
      `--disable-extensions-except=${extension}`,
      `--load-extension=${extension}`,
      '--remote-debugging-port=0',
    ],
  });
  const isOurs = (worker: Worker) => worker.url().startsWith('chrome-extension://');
  const first = context.serviceWorkers().find(isOurs) ?? (await context.waitForEvent('serviceworker', isOurs));
  const { host } = new URL(first.url());
  const page = (name: string) => `chrome-extension://${host}/${name}`;
  let second: Browser | undefined;

  return {
    context,
    page,
    endWorker: async () => {
      const worker = async () => {
        const { targetInfos } = (await sendDevToolsCommand(profile, 'Target.getTargets')) as {
          targetInfos: DevToolsTarget[];
        };
        return targetInfos.find(({ type, url }) => type === 'service_worker' && url === first.url());
      };
      const target = await worker();
      if (target) await sendDevToolsCommand(profile, 'Target.closeTarget', { targetId: target.targetId });
      await expect.poll(worker).toBeUndefined();
    },
    kept: async () => {
      const tab = await context.newPage();
      await tab.goto(page('manifest.json'));
      const all = await tab.evaluate(async () => {
        const { chrome } = globalThis as unknown as {
          chrome: { storage: Record<'local' | 'session', { get: () => Promise<Record<string, unknown>> }> };
        };
        return { ...(await chrome.storage.local.get()), session: await chrome.storage.session.get() };
      });
      await tab.close();
      return all;
    },
    privateWindow: async () => {
      second ??= await chromium.connectOverCDP(`http://127.0.0.1:${debuggingPort(profile)[0]}`);
      return second.newContext({ ignoreHTTPSErrors: true });
    },
    stop: async () => {
      await second?.close();
      await context.close();
      rmSync(profile, { recursive: true, force: true });
    },
  };
}

interface DevToolsTarget {
  targetId: string;
  type: string;
  url: string;
}

/**
 * Sends one DevTools command outside of Playwright's connection, since a second Playwright connection would change the
 * theme of pages.
 */
async function sendDevToolsCommand(profile: string, method: string, params: object = {}): Promise<unknown> {
  const [port, path] = debuggingPort(profile);
  const socket = new WebSocket(`ws://127.0.0.1:${port}${path}`);
  await once(socket, 'open');
  socket.send(JSON.stringify({ id: 1, method, params }));
  const [message] = (await once(socket, 'message')) as [{ data: string }];
  socket.close();
  return JSON.parse(message.data).result;
}

/** The port and path of the browser's DevTools endpoint. */
function debuggingPort(profile: string): string[] {
  return readFileSync(join(profile, 'DevToolsActivePort'), 'utf8').trim().split('\n');
}
