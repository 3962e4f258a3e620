import { type Provider, providerNames } from '@sightline/contract/core/providers.ts';
import { IconQuestionMark } from '@tabler/icons-react';
import { lazy, Suspense } from 'react';
// Imported individually: the package's only module would add the icons of all tools to the first screen.
import bitbucket from 'simple-icons/icons/bitbucket.svg?raw';
import github from 'simple-icons/icons/github.svg?raw';
import gitlab from 'simple-icons/icons/gitlab.svg?raw';
import { providerName } from './providerName.ts';
import { SimpleIcon } from './SimpleIcon.tsx';

interface ProviderIconProps {
  provider: string;
  size?: number;
  /** Set if no adjacent text names the provider. */
  labelled?: boolean;
}

/** The icon of a code host. Unknown: a '?' (spec 8). */
export function ProviderIcon({ provider, size = 16, labelled = false }: ProviderIconProps) {
  const path = paths.get(provider);
  const label = labelled ? providerName(provider) : undefined;
  if (path !== undefined) return <SimpleIcon path={path} size={size} label={label} />;
  if (!Object.hasOwn(providerNames, provider))
    return <IconQuestionMark size={size} role="img" aria-label="Unknown provider" />;
  return (
    <Suspense fallback={<SimpleIcon path="" size={size} label={label} />}>
      <OtherProviderIcon provider={provider as Provider} size={size} label={label} />
    </Suspense>
  );
}

const pathOf = (svg: string) => / d="([^"]+)"/.exec(svg)?.[1] ?? '';

// On the first screen; the icons of other code hosts are loaded when one of them is shown.
const OtherProviderIcon = lazy(async () => ({ default: (await import('./OtherProviderIcon.tsx')).OtherProviderIcon }));

const paths = new Map([
  ['github', pathOf(github)],
  ['gitlab', pathOf(gitlab)],
  ['bitbucket', pathOf(bitbucket)],
]);
