import { Button } from '@mantine/core';
import { hideTips } from '@sightline/contract/identity/accounts.ts';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { account } from '#lib/account.ts';
import { call } from '#lib/api.ts';
import { docsHref } from '#lib/docs.ts';
import { useFlag } from '#lib/flags.ts';
import { DocsLink } from '#ui/DocsLink.tsx';
import s from './HomePage.module.css';

/**
 * spec 2.5: quick tips after the setup until the user hides them permanently, and the notes of the current release. The
 * texts of both are in Help.
 */
export function HelpStrip({ showsTips }: { showsTips: boolean }) {
  const queryClient = useQueryClient();
  const hasExplore = useFlag('release2');
  const hide = useMutation({
    mutationFn: () => call(hideTips, {}),
    onSuccess: (me) => queryClient.setQueryData(account().queryKey, me),
  });
  return (
    <div className={s.help}>
      {showsTips && (
        <section className={s.helpLine} aria-labelledby="quick-tips">
          <h2 id="quick-tips">Quick tips</h2>
          <span>
            {hasExplore
              ? 'Select a name in a sentence of Explore to filter by it.'
              : 'Switch between light and dark theme in the account menu.'}{' '}
            <DocsLink href={docsHref('tips', 'quick-tips')}>More tips</DocsLink>
          </span>
          <Button variant="subtle" size="compact-sm" loading={hide.isPending} onClick={() => hide.mutate()}>
            Hide tips
          </Button>
        </section>
      )}
      <section className={s.helpLine} aria-labelledby="release-notes">
        <h2 id="release-notes">Release Notes</h2>
        <span>
          Version 1.0, <time dateTime="2025-04-15">April 15, 2025</time>: Tool Inventory.{' '}
          <DocsLink href={docsHref('tips', 'version-10')}>All notes</DocsLink>
        </span>
      </section>
    </div>
  );
}
