import { Button } from '@mantine/core';
import { useGithubInstall } from '#lib/github-install.ts';
import { ProviderIcon } from '#ui/ProviderIcon.tsx';

/** Starts the installation of the GitHub app, which redirects back to the repositories. */
export function ConnectGithub({ sandbox }: { sandbox: boolean }) {
  const { start, leaving } = useGithubInstall('/repositories');
  return (
    <Button leftSection={<ProviderIcon provider="github" size={15} />} loading={leaving} onClick={start}>
      {sandbox ? 'Connect Sandbox GitHub' : 'Connect GitHub'}
    </Button>
  );
}
