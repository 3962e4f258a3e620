import { Button } from '@mantine/core';
import { completeOnboarding } from '@sightline/contract/identity/accounts.ts';
import { programName } from '@sightline/contract/identity/extensions.ts';
import { listDownloads } from '@sightline/contract/tools/downloads.ts';
import { IconBrandVscode, IconExternalLink } from '@tabler/icons-react';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useRouter } from '@tanstack/react-router';
import { account } from '#lib/account.ts';
import { call, endpointQuery } from '#lib/api.ts';
import { docsHref } from '#lib/docs.ts';
import { useExtensions, useStatusWatch } from '#lib/presence.ts';
import { errorMessageOf } from '#lib/reason.ts';
import { marketplace } from '#lib/site.ts';
import { setStored } from '#lib/storage.ts';
import { Banner } from '#ui/Banner.tsx';
import { DisabledReason } from '#ui/DisabledReason.tsx';
import { StatusDot } from '#ui/StatusBadge.tsx';
import { EditorInstructions } from './EditorInstructions.tsx';
import s from './Setup.module.css';
import { StepCard } from './StepCard.tsx';

/** Step 2 of contributors: shows 'Get from Marketplace' until the extension connects, then continues (spec 2.4). */
export function InstallEditor() {
  const router = useRouter();
  const queryClient = useQueryClient();
  useStatusWatch();
  const extensions = useExtensions();
  const downloads = useQuery({ ...endpointQuery(listDownloads, {}), meta: { quiet: true } }).data ?? [];
  const connected = extensions?.ide_status === 'connected';
  const finish = useMutation({
    mutationFn: () => call(completeOnboarding, {}),
    onSuccess: async (me) => {
      setStored('onboardingStarted', undefined);
      queryClient.setQueryData(account().queryKey, me);
      await router.navigate({ href: '/', replace: true });
    },
    meta: { quiet: true },
  });
  return (
    <StepCard
      title="Install the editor extension"
      text="It reports to your organization which tools contributed to a change. It sends no code, and you can pause it at any time."
      more={{ href: docsHref('privacy'), words: 'Collected data, field by field' }}
    >
      <div className={s.body}>
        <div className={s.host}>
          <IconBrandVscode size={28} stroke={1.5} aria-hidden />
          <div className={s.hostText}>
            <h2>Visual Studio Code</h2>
            <p role="status">
              <StatusDot tone={connected ? 'green' : 'yellow'}>
                {connected ? `Connected: ${programName(extensions.ide_type ?? 'vscode')}` : 'Not connected'}
              </StatusDot>
            </p>
            {!connected && <p>This page updates automatically.</p>}
          </div>
          {!connected && <FromMarketplace />}
        </div>
        {!connected && (
          <EditorInstructions
            files={downloads.filter(({ target }) => target === 'vscode')}
            published={marketplace() !== undefined}
          />
        )}
        {finish.error && (
          <Banner tone="error">{errorMessageOf(finish.error, 'The setup could not be finished.')}</Banner>
        )}
      </div>
      <div className={s.foot}>
        {connected ? (
          <Button loading={finish.isPending} onClick={() => finish.mutate()}>
            Continue to your workspace
          </Button>
        ) : (
          <Button variant="subtle" loading={finish.isPending} onClick={() => finish.mutate()}>
            I'll do this later
          </Button>
        )}
      </div>
    </StepCard>
  );
}

function FromMarketplace() {
  const href = marketplace();
  const words = (
    <>
      Get from Marketplace<span className="vh">, opens in a new tab</span>
    </>
  );
  if (href === undefined) {
    return (
      <DisabledReason reason="The operator of this server has not configured a marketplace link.">
        <Button disabled>Get from Marketplace</Button>
      </DisabledReason>
    );
  }
  return (
    <Button
      component="a"
      href={href}
      target="_blank"
      rel="noreferrer"
      rightSection={<IconExternalLink size={14} aria-hidden />}
    >
      {words}
    </Button>
  );
}
