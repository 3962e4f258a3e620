import { providerNames } from '@sightline/contract/core/providers.ts';
import {
  IconApi,
  IconBook2,
  IconDeviceDesktop,
  IconGitBranch,
  IconKeyboard,
  IconLink,
  IconLogout,
  IconMoon,
  IconPlugConnected,
  IconSun,
  IconSwitchHorizontal,
  IconUserPlus,
} from '@tabler/icons-react';
import type { PaletteCommand, PaletteContext } from './screens.ts';

/** The global actions. */
export function actionsOf(context: PaletteContext): PaletteCommand[] {
  const { may, flags } = context;
  const all: (PaletteCommand & { on?: boolean })[] = [
    {
      id: 'invite',
      label: 'Invite people',
      Icon: IconUserPlus,
      run: '/organization/members',
      on: may('create:invitation'),
      synonyms: 'add members',
    },
    {
      id: 'add-repositories',
      label: 'Enable repositories',
      Icon: IconGitBranch,
      run: '/organization/repositories',
      on: may('manage:integrations') && flags.releaseTwo,
      synonyms: 'add track',
    },
    {
      id: 'connect',
      label: 'Connect an integration',
      Icon: IconPlugConnected,
      run: '/integrations',
      on: may('manage:integrations'),
      synonyms: `${Object.values(providerNames).join(' ').toLowerCase()} checkmarx sonarqube semgrep snyk dependency-track jira linear slack teams`,
    },
    {
      id: 'copy-link',
      label: 'Copy the link to this page',
      Icon: IconLink,
      run: context.onCopyLink,
      synonyms: 'share address url',
    },
    {
      id: 'shortcuts',
      label: 'Show keyboard shortcuts',
      Icon: IconKeyboard,
      keys: ['?'],
      run: context.onShortcuts,
      synonyms: 'help keys',
    },
    {
      id: 'documentation',
      label: 'Open the documentation',
      Icon: IconBook2,
      run: () => void window.open(context.documentationHref, '_blank', 'noreferrer'),
      synonyms: 'help docs manual',
    },
    {
      id: 'api-reference',
      label: 'Open the API reference',
      Icon: IconApi,
      run: () => void window.open('/api/docs', '_blank', 'noreferrer'),
      synonyms: 'docs openapi rest endpoints',
    },
    {
      id: 'light',
      label: 'Light theme',
      Icon: IconSun,
      run: () => context.onTheme('light'),
      synonyms: 'appearance bright mode',
    },
    {
      id: 'dark',
      label: 'Dark theme',
      Icon: IconMoon,
      run: () => context.onTheme('dark'),
      synonyms: 'appearance night mode',
    },
    {
      id: 'system',
      label: 'System theme',
      Icon: IconDeviceDesktop,
      run: () => context.onTheme('auto'),
      synonyms: 'appearance auto mode',
    },
    ...context.organizations
      .filter(({ id }) => id !== context.activeId)
      .map(({ id, name }) => ({
        id: `organization ${id}`,
        label: `Switch to ${name}`,
        Icon: IconSwitchHorizontal,
        run: () => context.onOrganization(id),
        synonyms: 'organization',
      })),
    { id: 'logout', label: 'Logout', Icon: IconLogout, run: context.onLogout, synonyms: 'sign out leave' },
  ];
  return all.filter(({ on = true }) => on).map(({ on: _, ...command }) => command);
}
