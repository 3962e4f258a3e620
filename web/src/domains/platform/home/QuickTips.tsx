import { Button } from '@mantine/core';
import { hideTips } from '@sightline/contract/identity/accounts.ts';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { account } from '#lib/account.ts';
import { call } from '#lib/api.ts';
import { useFlag } from '#lib/flags.ts';
import { hasPermission, useSession } from '#lib/session.ts';
import { Link } from '#ui/Link.tsx';
import { Panel } from '#ui/Panel.tsx';
import s from './HomePage.module.css';

/** spec 2.5: shown after the setup until the user hides them permanently. */
export function QuickTips() {
  const queryClient = useQueryClient();
  const releaseTwo = useFlag('release2');
  const vulnerabilities = useFlag('vulnerabilities');
  const connects = hasPermission(useSession(), 'manage:integrations');
  const hide = useMutation({
    mutationFn: () => call(hideTips, {}),
    onSuccess: (me) => queryClient.setQueryData(account().queryKey, me),
  });
  return (
    <Panel
      title="Quick tips"
      aside={
        <Button variant="subtle" size="compact-sm" loading={hide.isPending} onClick={() => hide.mutate()}>
          Hide tips
        </Button>
      }
    >
      <ul className={s.tips}>
        {releaseTwo && (
          <>
            <li>
              <Link className="link" href="/explore">
                Explore
              </Link>{' '}
              shows every recorded event in order. Select a name in a sentence to filter by it.
            </li>
            <li>
              Each repository under{' '}
              <Link className="link" href="/repositories">
                Repositories
              </Link>{' '}
              lists its pull requests and the people who commit to it.
            </li>
          </>
        )}
        {vulnerabilities && connects && (
          <li>
            Connect a code scanner under{' '}
            <Link className="link" href="/integrations/security-scanners">
              Integrations
            </Link>
            , or upload its results. Findings are listed under{' '}
            <Link className="link" href="/vulnerabilities">
              Vulnerabilities
            </Link>
            .
          </li>
        )}
        <li>Switch between light and dark theme in the account menu.</li>
      </ul>
    </Panel>
  );
}
