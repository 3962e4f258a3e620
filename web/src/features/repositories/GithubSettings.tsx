import { Button } from '@mantine/core';
import type { getGithubStatus } from '@sightline/contract/github.ts';
import { IconSettings } from '@tabler/icons-react';
import type { z } from 'zod';
import { ConnectGithub } from './ConnectGithub.tsx';

export type GithubStatus = z.output<typeof getGithubStatus.response>;

/** For owners: the app's settings on GitHub where it is installed, else the way to install it. */
export function GithubSettings({ status }: { status: GithubStatus }) {
  if (!status.active) return status.state !== 'not_configured' && <ConnectGithub variant="default" />;
  if (status.settingsURL === null) return null;
  return (
    <Button
      component="a"
      href={status.settingsURL}
      target="_blank"
      rel="noreferrer"
      variant="default"
      leftSection={<IconSettings size={15} aria-hidden />}
    >
      Settings
      <span className="vh"> of the GitHub app, opens a new tab</span>
    </Button>
  );
}
