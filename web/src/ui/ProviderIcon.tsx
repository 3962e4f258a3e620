import { IconQuestionMark } from '@tabler/icons-react';
// Imported individually: the package's only module would add the icons of all tools to the first screen.
import bitbucket from 'simple-icons/icons/bitbucket.svg?raw';
import github from 'simple-icons/icons/github.svg?raw';
import gitlab from 'simple-icons/icons/gitlab.svg?raw';
import { SimpleIcon } from './SimpleIcon.tsx';

interface ProviderIconProps {
  provider: string;
  size?: number;
  /** Set if no adjacent text names the provider. */
  labelled?: boolean;
}

/** The icon of a code host. Unknown: a '?' (spec 8). */
export function ProviderIcon({ provider, size = 16, labelled = false }: ProviderIconProps) {
  const icon = providers.get(provider);
  if (!icon) return <IconQuestionMark size={size} role="img" aria-label="Unknown provider" />;
  return <SimpleIcon path={icon.path} size={size} label={labelled ? icon.title : undefined} />;
}

const pathOf = (svg: string) => / d="([^"]+)"/.exec(svg)?.[1] ?? '';

const providers = new Map([
  ['github', { title: 'GitHub', path: pathOf(github) }],
  ['gitlab', { title: 'GitLab', path: pathOf(gitlab) }],
  ['bitbucket', { title: 'Bitbucket', path: pathOf(bitbucket) }],
]);
