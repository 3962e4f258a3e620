import './mantine.css';
import './fonts.css';
import './tokens.css';
import './base.css';
import './waiting.css';
import { MantineProvider } from '@mantine/core';
import { type QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { lazy, type ReactNode, Suspense } from 'react';
import { afterFirstScreen } from '#lib/first-screen.ts';
import { loadPersonPicture, loadPicture } from '#lib/pictures.ts';
import { ClockProvider } from '#ui/Clock.tsx';
import { type LoadPicture, PictureLoader, personIn } from '#ui/pictures.ts';
import { cssVariables, theme } from './theme.ts';

// Messages shown before remain in their store until then.
const Toasts = lazy(async () => {
  await afterFirstScreen();
  return { default: (await import('./Toasts.tsx')).Toasts };
});

const loadAnyPicture: LoadPicture = (address) => {
  const person = personIn(address);
  return person === undefined ? loadPicture(address) : loadPersonPicture(person);
};

export const Providers = ({ queryClient, children }: { queryClient: QueryClient; children: ReactNode }) => (
  <MantineProvider
    theme={theme}
    cssVariablesResolver={cssVariables}
    defaultColorScheme="auto"
    deduplicateCssVariables={false}
  >
    <QueryClientProvider client={queryClient}>
      <PictureLoader value={loadAnyPicture}>
        <ClockProvider>{children}</ClockProvider>
      </PictureLoader>
    </QueryClientProvider>
    <Suspense>
      <Toasts />
    </Suspense>
  </MantineProvider>
);
