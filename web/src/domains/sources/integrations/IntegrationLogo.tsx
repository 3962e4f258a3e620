import { connectableHosts } from '@sightline/contract/core/providers.ts';
import { IconBrandSlack, IconBrandTeams, IconFileUpload, IconSearch, IconUsersGroup } from '@tabler/icons-react';
import { lazy, type ReactNode, Suspense } from 'react';
import { ProviderIcon } from '#ui/ProviderIcon.tsx';
import s from './Integrations.module.css';

// The icons of all brands are larger than the page.
const BrandIcon = lazy(async () => ({ default: (await import('#ui/BrandIcon.tsx')).BrandIcon }));

/** The logo of an integration in a frame. */
export const IntegrationLogo = ({ name }: { name: string }) => (
  <span className={s.mark} aria-hidden>
    {glyphs[name] ??
      (isHost(name) ? (
        <ProviderIcon provider={name} size={18} />
      ) : (
        <Suspense>
          <BrandIcon name={brandOf[name] ?? name} size={18} />
        </Suspense>
      ))}
  </span>
);

const isHost = (name: string): boolean => connectableHosts.some((host) => host === name);

const glyphs: Record<string, ReactNode> = {
  sarif: <IconFileUpload size={19} stroke={1.6} />,
  semgrep: <IconSearch size={19} stroke={1.6} />,
  directory: <IconUsersGroup size={19} stroke={1.6} />,
  slack: <IconBrandSlack size={19} stroke={1.6} />,
  teams: <IconBrandTeams size={19} stroke={1.6} />,
};

const brandOf: Record<string, string> = { 'code-scanning': 'github', 'secret-scanning': 'github' };
