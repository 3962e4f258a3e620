import { Button } from '@mantine/core';
import type { Organization } from '@sightline/contract/organization/organizations.ts';
import { IconPlugConnected } from '@tabler/icons-react';
import { useState } from 'react';
import { accessToken } from '#lib/session.ts';
import { Notice } from '#ui/Notice.tsx';
import s from './Authorize.module.css';
import { tokenLinkOf } from './authorization-request.ts';
import { redirectTo } from './redirect.ts';
import { SignInSummary } from './Who.tsx';

interface WithTokenProps {
  scheme: string;
  program: string;
  organization: Organization;
}

/** spec 2.1: puts the stored access token into the link. Sends nothing before the user confirms. */
export function TokenRedirect({ scheme, program, organization }: WithTokenProps) {
  const [opened, setOpened] = useState(false);
  const open = async () => {
    const token = await accessToken();
    if (token === undefined) return;
    redirectTo(tokenLinkOf(scheme, token));
    setOpened(true);
  };
  return (
    <Notice
      title={`Sign in to ${program}?`}
      icon={<IconPlugConnected size={19} stroke={1.6} />}
      actions={<Button onClick={() => void open()}>Open {program}</Button>}
    >
      <SignInSummary device="" organization={organization} />
      <p className={s.status}>
        {program} uses an outdated sign-in method. For up to ten minutes it has all your permissions. Continue only if
        you just started this in {program}.
      </p>
      {opened && (
        <p role="status" className={s.status}>
          If nothing opened, check that {program} is installed on this machine.
        </p>
      )}
    </Notice>
  );
}
