// @vitest-environment happy-dom
import { MantineProvider } from '@mantine/core';
import { QueryClientProvider } from '@tanstack/react-query';
import { cleanup, fireEvent, render, screen, waitFor } from '@testing-library/react';
import { useState } from 'react';
import { afterEach, expect, test } from 'vitest';
import { LinkProvider } from '#ui/Link.tsx';
import { createQueryClient } from '../query-client.ts';
import { mainEntries } from '../shell/navigation.ts';
import { theme } from '../theme.ts';
import { Palette } from './Palette.tsx';

afterEach(cleanup);

const flags = { vulnerabilities: true, releaseTwo: true, notifications: true };
const nothing = () => undefined;
const context = {
  entries: mainEntries(flags),
  has: () => true,
  may: () => false,
  flags,
  organizations: [],
  activeId: 'kestrel',
  profileHref: undefined,
  documentationHref: '/docs',
  onOrganization: nothing,
  onTheme: nothing,
  onShortcuts: nothing,
  onCopyLink: nothing,
  onLogout: nothing,
};

function Opened() {
  const [opened, setOpened] = useState(true);
  return <Palette context={context} opened={opened} onClose={() => setOpened(false)} />;
}

// With transitions, unlike other tests, since it tests the state after them.
test('focuses the title of the chosen page if the page keeps its title', async () => {
  const visited: string[] = [];
  render(
    <QueryClientProvider client={createQueryClient()}>
      <MantineProvider theme={theme}>
        <LinkProvider actions={{ navigate: (href) => visited.push(href), preload: nothing }}>
          <main>
            <h1 tabIndex={-1}>Kestrel Payments</h1>
          </main>
          <Opened />
        </LinkProvider>
      </MantineProvider>
    </QueryClientProvider>,
  );
  const box = await screen.findByRole('combobox');
  await waitFor(() => expect(document.activeElement).toBe(box));
  fireEvent.keyDown(box, { key: 'Enter' });
  await waitFor(() => expect(screen.queryByRole('combobox')).toBeNull());
  expect(visited).toEqual(['/']);
  await waitFor(() => expect(document.activeElement).toBe(screen.getByRole('heading', { name: 'Kestrel Payments' })));
});
