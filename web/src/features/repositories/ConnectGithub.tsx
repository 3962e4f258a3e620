import { Button } from '@mantine/core';
import { initiateGithubInstall } from '@sightline/contract/github.ts';
import { useMutation } from '@tanstack/react-query';
import { call } from '#lib/api.ts';
import { ProviderIcon } from '#ui/ProviderIcon.tsx';

/** Starts the installation of the GitHub app; GitHub sends the person back to the repositories. */
export function ConnectGithub({ sandbox }: { sandbox: boolean }) {
  const connect = useMutation({
    mutationFn: () => call(initiateGithubInstall, { query: { redirectURL: '/repositories' } }),
    onSuccess: ({ installationURL }) => window.location.assign(installationURL),
  });
  return (
    <Button
      leftSection={<ProviderIcon provider="github" size={15} />}
      // Until the browser has left, a second click would start a second installation.
      loading={connect.isPending || connect.isSuccess}
      onClick={() => connect.mutate()}
    >
      {sandbox ? 'Connect Sandbox GitHub' : 'Connect GitHub'}
    </Button>
  );
}
