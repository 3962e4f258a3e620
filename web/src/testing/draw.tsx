import { MantineProvider } from '@mantine/core';
import { cleanup, render } from '@testing-library/react';
import type { ReactNode } from 'react';
import { afterEach } from 'vitest';
import { theme } from '#app/theme.ts';
import { LinkProvider } from '#ui/Link.tsx';

afterEach(cleanup);

/** Draws a component under the theme, without transitions; `visited` collects where its links went. */
export function draw(children: ReactNode) {
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
