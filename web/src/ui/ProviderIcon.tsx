import { IconQuestionMark } from '@tabler/icons-react';
import { siBitbucket, siGithub, siGitlab } from 'simple-icons';
import { SimpleIcon } from './SimpleIcon.tsx';

interface Props {
  provider: string;
  size?: number;
  /** Set where no word beside it names the provider. */
  labelled?: boolean;
}

/** A code host's mark. Unknown: a '?' (spec 8). */
export function ProviderIcon({ provider, size = 16, labelled = false }: Props) {
  const icon = providers.get(provider);
  if (!icon) return <IconQuestionMark size={size} role="img" aria-label="Unknown provider" />;
  return <SimpleIcon path={icon.path} size={size} label={labelled ? icon.title : undefined} />;
}

const providers = new Map([
  ['github', siGithub],
  ['gitlab', siGitlab],
  ['bitbucket', siBitbucket],
]);
