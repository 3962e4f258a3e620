import { Button } from '@mantine/core';
import { type CopilotSource, readCopilotUsage } from '@sightline/contract/tools/copilot-usage.ts';
import { call } from '#lib/api.ts';
import { useChange } from '#lib/change.ts';
import { docsHref } from '#lib/docs.ts';
import { useMayManageIntegrations } from '#lib/rights.ts';
import { Banner } from '#ui/Banner.tsx';
import { DocsLink } from '#ui/DocsLink.tsx';
import { ExternalLink } from '#ui/ExternalLink.tsx';
import { TimeAgo } from '#ui/TimeAgo.tsx';
import { toast } from '#ui/toast.ts';

/** Starts a reading now. Renders nothing for members who may not manage integrations. */
export function ReadCopilotButton() {
  const mayRead = useMayManageIntegrations();
  const read = useChange(
    () => call(readCopilotUsage, {}),
    () => toast.success('The reports are being read.'),
  );
  if (!mayRead) return null;
  return (
    <Button variant="default" loading={read.isPending} onClick={() => read.mutate()}>
      Read now
    </Button>
  );
}

/** The state of the last reading, if not everything was read, and what to do. */
export function CopilotSourceNotice({ source }: { source: CopilotSource }) {
  const { state, reason, account, checkedAt } = source;
  if (state === null || state === 'read' || state === 'no_reports') return null;
  const details = reason ?? undefined;
  if (state === 'not_permitted')
    return (
      <Banner tone="warning" details={details}>
        GitHub does not permit reading the Copilot usage of {account}. An owner there grants the app{' '}
        <b>Organization Copilot metrics: read</b> on{' '}
        <ExternalLink href={source.settingsURL}>its permissions page</ExternalLink>, and the policy{' '}
        <b>Copilot usage metrics</b> must be enabled.{' '}
        <DocsLink href={docsHref('agents', 'github-copilot-usage')}>Learn more</DocsLink>
      </Banner>
    );
  return (
    <Banner tone={state === 'failed' ? 'error' : 'info'} details={details}>
      {state === 'failed'
        ? `Reports of ${account} could not be read, so days may be missing. Sightline tries again.`
        : `GitHub limits requests for ${account}, so days may be missing. The reading continues by itself.`}
      {checkedAt !== null && (
        <>
          {' Last reading: '}
          <TimeAgo at={checkedAt} />.
        </>
      )}
    </Banner>
  );
}
