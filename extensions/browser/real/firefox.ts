import { spawn } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from '@playwright/test';
import { type MarionetteCommand, marionette } from './marionette.ts';

const programs = [process.env.FIREFOX_PATH, '/usr/bin/firefox-esr', '/usr/bin/firefox'];
export const firefoxPath = programs.find((path) => path !== undefined && existsSync(path));

const uuid = '6f1d0a52-2f0b-4c43-9a51-0d4bb3a6b6c1';
const id = 'browser@sightline.dev';
const elementKey = 'element-6066-11e4-a52e-4f735466cecf';

export interface RealFirefox {
  /** Opens and activates a new tab or a private window. */
  open: (how?: { private: boolean }) => Promise<void>;
  go: (url: string) => Promise<void>;
  url: () => Promise<string>;
  /** Runs a script in the page and returns its `return` value. */
  run: (script: string, ...values: unknown[]) => Promise<unknown>;
  fill: (selector: string, text: string) => Promise<void>;
  click: (selector: string) => Promise<void>;
  /** Sets the file of a file input. */
  choose: (selector: string, path: string) => Promise<void>;
  /** Presses Control and a key. */
  control: (key: string) => Promise<void>;
  /** Runs a script in the browser chrome and returns the argument of `done`. */
  inside: (script: string) => Promise<unknown>;
  /** Accepts the permission prompt of the browser. */
  agree: () => Promise<void>;
  switchTo: (part: string) => Promise<void>;
  close: () => Promise<void>;
  options: string;
  kept: () => Promise<Record<string, unknown>>;
  /** Ends the background page, as Firefox does after half a minute of inactivity. */
  endBackground: () => Promise<void>;
  stop: () => Promise<void>;
}

/** Starts Firefox, optionally with the extension. The given hosts resolve to this machine. */
export async function startFirefox(extension: string | undefined, hosts: string[]): Promise<RealFirefox> {
  const profile = mkdtempSync(join(tmpdir(), 'sightline-firefox-'));
  writeFileSync(join(profile, 'user.js'), preferences(hosts));
  const firefox = spawn(
    firefoxPath ?? '',
    ['--headless', '--no-remote', '--marionette', '-remote-allow-system-access', '--profile', profile, 'about:blank'],
    { stdio: 'ignore' },
  );
  const ended = new Promise((resolve) => firefox.once('exit', resolve));
  const portFile = join(profile, 'MarionetteActivePort');
  await expect.poll(() => existsSync(portFile), { timeout: 60_000 }).toBe(true);
  const { command, close } = await marionette(Number(readFileSync(portFile, 'utf8')));
  await command('WebDriver:NewSession', { acceptInsecureCerts: true });
  if (extension !== undefined) await command('Addon:Install', { path: extension, temporary: true });
  return {
    ...pages(command),
    ...chromeCommands(command),
    stop: async () => {
      await command('Marionette:Quit', { flags: ['eForceQuit'] }).catch(() => undefined);
      close();
      await ended;
      rmSync(profile, { recursive: true, force: true });
    },
  };
}

const value = (answer: unknown) => (answer as { value: unknown }).value;

function pages(command: MarionetteCommand) {
  const run = async (script: string, ...args: unknown[]) =>
    value(await command('WebDriver:ExecuteScript', { script, args, sandbox: null }));
  const find = async (selector: string): Promise<{ id: string }> => {
    let found: unknown;
    await expect(async () => {
      found = value(await command('WebDriver:FindElement', { using: 'css selector', value: selector }));
    }).toPass({ timeout: 30_000 });
    return { id: (found as Record<string, string>)[elementKey] ?? '' };
  };
  const switchTo = async (part: string) => {
    await expect(async () => {
      for (const handle of (await command('WebDriver:GetWindowHandles')) as string[]) {
        await command('WebDriver:SwitchToWindow', { handle, focus: true });
        if (String(value(await command('WebDriver:GetCurrentURL'))).includes(part)) return;
      }
      throw new Error(`No tab shows ${part}`);
    }).toPass({ timeout: 30_000 });
  };
  return {
    run,
    switchTo,
    open: async (how = { private: false }) => {
      const type = how.private ? 'window' : 'tab';
      const made = (await command('WebDriver:NewWindow', { type, focus: true, ...how })) as { handle: string };
      await command('WebDriver:SwitchToWindow', { handle: made.handle, focus: true });
    },
    go: async (url: string) => void (await command('WebDriver:Navigate', { url })),
    url: async () => String(value(await command('WebDriver:GetCurrentURL'))),
    fill: async (selector: string, text: string) => {
      const element = await find(selector);
      await command('WebDriver:ElementClear', element);
      await command('WebDriver:ElementSendKeys', { ...element, text });
    },
    click: async (selector: string) => void (await command('WebDriver:ElementClick', await find(selector))),
    choose: async (selector: string, path: string) =>
      void (await command('WebDriver:ElementSendKeys', { ...(await find(selector)), text: path })),
    control: async (key: string) => {
      const keys = [
        { type: 'keyDown', value: '\uE009' },
        { type: 'keyDown', value: key },
        { type: 'keyUp', value: key },
        { type: 'keyUp', value: '\uE009' },
      ];
      await command('WebDriver:PerformActions', { actions: [{ type: 'key', id: 'keyboard', actions: keys }] });
    },
    close: async () => {
      const [next] = (await command('WebDriver:CloseWindow')) as string[];
      await command('WebDriver:SwitchToWindow', { handle: next, focus: true });
    },
  };
}

/** Commands in the browser chrome. */
function chromeCommands(command: MarionetteCommand) {
  const inside = async (script: string) => {
    await command('Marionette:SetContext', { value: 'chrome' });
    try {
      return value(await command('WebDriver:ExecuteAsyncScript', { script: `const done = arguments[0]; ${script}` }));
    } finally {
      await command('Marionette:SetContext', { value: 'content' });
    }
  };
  return {
    inside,
    options: `moz-extension://${uuid}/options.html`,
    agree: async () => {
      await expect(async () => {
        const clicked = await inside(`
          const { panel } = Services.wm.getMostRecentWindow('navigator:browser').PopupNotifications;
          const notification = panel.state === 'open' ? panel.firstElementChild : null;
          notification?.button.click();
          done(notification !== null);`);
        expect(clicked).toBe(true);
      }).toPass({ timeout: 15_000 });
    },
    kept: async () =>
      JSON.parse(
        String(
          await inside(`
            const { extension } = WebExtensionPolicy.getByID('${id}');
            const { ExtensionStorageIDB } = ChromeUtils.importESModule('resource://gre/modules/ExtensionStorageIDB.sys.mjs');
            const principal = ExtensionStorageIDB.getStoragePrincipal(extension);
            ExtensionStorageIDB.open(principal, false)
              .then(async (db) => { const all = await db.get(); db.close(); done(JSON.stringify(all)); })
              .catch((error) => done(JSON.stringify({ error: String(error) })));`),
        ),
      ) as Record<string, unknown>,
    endBackground: async () => {
      await inside(`WebExtensionPolicy.getByID('${id}').extension.terminateBackground().then(() => done(true));`);
    },
  };
}

const preferences = (hosts: string[]) =>
  Object.entries({
    'marionette.port': 0,
    'network.dns.localDomains': hosts.join(','),
    'extensions.webextensions.uuids': JSON.stringify({ [id]: uuid }),
    'extensions.background.idle.timeout': 30_000,
    'browser.shell.checkDefaultBrowser': false,
    'browser.aboutwelcome.enabled': false,
    'datareporting.policy.dataSubmissionEnabled': false,
    'security.notification_enable_delay': 0,
    // Firefox preloads the HSTS state of known sites, and would reject our certificates for them.
    'network.stricttransportsecurity.preloadlist': false,
    'security.cert_pinning.enforcement_level': 0,
    'app.update.auto': false,
  })
    .map(([name, setting]) => `user_pref(${JSON.stringify(name)}, ${JSON.stringify(setting)});`)
    .join('\n');
