import type { Provider } from '@sightline/contract/core/providers.ts';
import { IconBrandAzure } from '@tabler/icons-react';
import bitbucket from 'simple-icons/icons/bitbucket.svg?raw';
import gerrit from 'simple-icons/icons/gerrit.svg?raw';
import gitea from 'simple-icons/icons/gitea.svg?raw';
import { SimpleIcon } from './SimpleIcon.tsx';

interface OtherProviderIconProps {
  provider: Provider;
  size: number;
  label: string | undefined;
}

/** The icon of a code host that is not on the first screen. */
export function OtherProviderIcon({ provider, size, label }: OtherProviderIconProps) {
  if (provider === 'azure-devops')
    return <IconBrandAzure size={size} role="img" aria-label={label} aria-hidden={label === undefined} />;
  return <SimpleIcon path={paths.get(provider) ?? ''} size={size} label={label} />;
}

const pathOf = (svg: string) => / d="([^"]+)"/.exec(svg)?.[1] ?? '';

const paths = new Map<string, string>([
  ['gitea', pathOf(gitea)],
  ['bitbucket-data-center', pathOf(bitbucket)],
  ['gerrit', pathOf(gerrit)],
]);
