import { Button } from '@mantine/core';
import type { getGithubStatus } from '@sightline/contract/sources/github.ts';
import { IconSettings } from '@tabler/icons-react';
import type { z } from 'zod';

export type GithubStatus = z.output<typeof getGithubStatus.response>;

/** For owners: a link to the settings of the installed app on GitHub. */
export function GithubSettings({ status }: { status: GithubStatus }) {
  if (!status.active || status.settingsURL === null) return null;
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
