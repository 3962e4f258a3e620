import { IconQuestionMark } from '@tabler/icons-react';
// One by one: the package's only module would bring the marks of every tool into the first screen.
import bitbucket from 'simple-icons/icons/bitbucket.svg?raw';
import github from 'simple-icons/icons/github.svg?raw';
import gitlab from 'simple-icons/icons/gitlab.svg?raw';
import { SimpleIcon } from './SimpleIcon.tsx';

interface ProviderIconProps {
  provider: string;
  size?: number;
  /** Set where no word beside it names the provider. */
  labelled?: boolean;
}

/** A code host's mark. Unknown: a '?' (spec 8). */
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
