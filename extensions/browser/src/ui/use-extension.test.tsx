// @vitest-environment happy-dom
import { render } from 'preact';
import { expect, it, vi } from 'vitest';
import { fakeBrowser } from 'wxt/testing/fake-browser';
import type { ExtensionState } from '../messages.ts';
import { useExtension } from './use-extension.ts';

function Page() {
  const extension = useExtension();
  return <p>{extension?.state.problem ?? 'nothing yet'}</p>;
}

it('shows the response to the last request, also if an earlier one arrives later', async () => {
  const answers: ((state: ExtensionState) => void)[] = [];
  vi.spyOn(fakeBrowser.runtime, 'sendMessage').mockImplementation(
    () => new Promise<ExtensionState>((resolve) => answers.push(resolve)) as never,
  );
  render(<Page />, document.body);
  await vi.waitFor(() => expect(answers).toHaveLength(1), 20_000);
  await fakeBrowser.storage.local.set({ pause: null });
  await vi.waitFor(() => expect(answers).toHaveLength(2), 20_000);
  answers[1]?.({ problem: 'new' } as ExtensionState);
  await vi.waitFor(() => expect(document.body.textContent).toBe('new'), 20_000);
  answers[0]?.({ problem: 'old' } as ExtensionState);
  await fakeBrowser.storage.local.set({ pause: { until: null } });
  await vi.waitFor(() => expect(answers).toHaveLength(3), 20_000);
  expect(document.body.textContent).toBe('new');
});
