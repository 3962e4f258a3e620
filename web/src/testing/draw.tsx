import { MantineProvider } from '@mantine/core';
import { cleanup, render } from '@testing-library/react';
import type { ReactNode } from 'react';
import { afterEach } from 'vitest';
import { theme } from '#app/theme.ts';
import { LinkProvider } from '#ui/Link.tsx';

afterEach(cleanup);

/** Renders a component with the theme, without transitions; `visited` collects the targets of its links. */
export function renderWithTheme(children: ReactNode) {
  const visited: string[] = [];
  const frame = (content: ReactNode) => (
    <MantineProvider theme={theme} env="test">
      <LinkProvider actions={{ navigate: (href) => visited.push(href), preload: () => undefined }}>
        {content}
      </LinkProvider>
    </MantineProvider>
  );
  const { rerender } = render(frame(children));
  return { visited, redraw: (next: ReactNode) => rerender(frame(next)) };
}
