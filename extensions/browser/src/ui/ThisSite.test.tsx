// @vitest-environment happy-dom
import { render } from 'preact';
import { beforeEach, expect, it, vi } from 'vitest';
import { fakeBrowser } from 'wxt/testing/fake-browser';
import type { PopupCommand } from '../messages.ts';
import { ThisSite } from './ThisSite.tsx';

const requestPermission = vi.fn(async (_question: { origins: string[] }) => true);
let commands: PopupCommand[] = [];

beforeEach(() => {
  fakeBrowser.reset();
  requestPermission.mockClear();
  Object.assign(fakeBrowser, { permissions: { request: requestPermission } });
  commands = [];
  render(null, document.body);
});

async function show(url: string | undefined, permitted = true): Promise<void> {
  vi.spyOn(fakeBrowser.tabs, 'query').mockResolvedValue([{ url }] as never);
  const sites = [{ host: 'github.com', name: 'GitHub', group: 'Code hosts', permitted }];
  const act = async (command: PopupCommand) => void commands.push(command);
  render(<ThisSite sites={sites} act={act} />, document.body);
  await vi.waitFor(() => expect(document.body.textContent).toContain('This site'), 20_000);
}
const onSwitch = () => document.querySelector<HTMLButtonElement>('[role=switch]');

it('disables a site by the entry that covers it', async () => {
  await show('https://gist.github.com/ada/1');
  expect(onSwitch()?.getAttribute('aria-checked')).toBe('true');
  expect(onSwitch()?.getAttribute('aria-label')).toBe('Report github.com');
  onSwitch()?.click();
  expect(commands).toEqual([{ ask: 'remove-site', host: 'github.com' }]);
  expect(requestPermission).not.toHaveBeenCalled();
});

it('enables another site and requests permission for it only', async () => {
  await show('https://www.acme.example/page?x=1');
  expect(onSwitch()?.getAttribute('aria-checked')).toBe('false');
  onSwitch()?.click();
  expect(commands).toEqual([{ ask: 'add-site', host: 'acme.example' }]);
  expect(
    requestPermission.mock.calls[0]?.[0].origins.every((origin) =>
      /^https?:\/\/(\*\.)?acme\.example\/\*$/.test(origin),
    ),
  ).toBe(true);
});

it('requests permission again for a site without it', async () => {
  await show('https://github.com/', false);
  expect(onSwitch()?.getAttribute('aria-checked')).toBe('false');
  onSwitch()?.click();
  expect(requestPermission).toHaveBeenCalledOnce();
});

it.each([['about:blank'], ['chrome://settings'], ['file:///etc/hosts'], [undefined]])(
  'offers no switch for %s',
  async (url) => {
    await show(url);
    expect(onSwitch()).toBeNull();
    expect(document.body.textContent).toContain('never reported');
  },
);
