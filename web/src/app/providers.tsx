import './mantine.css';
import './fonts.css';
import './tokens.css';
import './base.css';
import { MantineProvider } from '@mantine/core';
import { Notifications } from '@mantine/notifications';
import { type QueryClient, QueryClientProvider } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { ClockProvider } from '#ui/Clock.tsx';
import { toastDuration } from '#ui/toast.ts';
import { cssVariables, theme } from './theme.ts';

export const Providers = ({ queryClient, children }: { queryClient: QueryClient; children: ReactNode }) => (
  <MantineProvider
    theme={theme}
    cssVariablesResolver={cssVariables}
    defaultColorScheme="auto"
    deduplicateCssVariables={false}
  >
    <QueryClientProvider client={queryClient}>
      <ClockProvider>{children}</ClockProvider>
    </QueryClientProvider>
    <Notifications position="bottom-left" autoClose={toastDuration} limit={4} containerWidth={380} />
  </MantineProvider>
);
