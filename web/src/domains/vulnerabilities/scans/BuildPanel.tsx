import { SegmentedControl } from '@mantine/core';
import type { RepositoryDetail } from '@sightline/contract/sources/repositories.ts';
import { useState } from 'react';
import { docsHref } from '#lib/docs.ts';
import { isOwner, useSession } from '#lib/session.ts';
import { CopyButton } from '#ui/CopyButton.tsx';
import { DocsLink } from '#ui/DocsLink.tsx';
import { Link } from '#ui/Link.tsx';
import { Panel } from '#ui/Panel.tsx';
import s from './Scans.module.css';
import { type BuildService, buildServices, buildStep } from './steps.ts';

/** Shows the build step that uploads the results of every run. */
export function BuildPanel({ repository }: { repository: RepositoryDetail }) {
  const [service, setService] = useState<BuildService>('github');
  const owner = isOwner(useSession());
  const { provider, fullName } = repository;
  const step = buildStep(service, { origin: window.location.origin, provider, fullName });
  return (
    <Panel title="Send results from your build" aside={<CopyButton compact value={step} label="Copy step" />}>
      <SegmentedControl
        aria-label="Build service"
        data={buildServices.map((one) => ({ ...one }))}
        value={service}
        onChange={(chosen) => setService(chosen as BuildService)}
        transitionDuration={120}
        fullWidth
      />
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: wide code must be scrollable by keyboard */}
      <section className={s.code} tabIndex={0} aria-label="Step to copy">
        <pre>{step}</pre>
      </section>
      <p className={s.meta}>
        Store an access key as the secret <span className="mono">SIGHTLINE_KEY</span> of your build.{' '}
        {owner ? (
          <>
            <Link className={s.link} href="/organization/access-keys">
              Create an access key
            </Link>
            .
          </>
        ) : (
          'An account owner can create one.'
        )}{' '}
        <DocsLink href={docsHref('integrations-sarif', 'upload-from-a-build')}>Upload instructions</DocsLink>
      </p>
    </Panel>
  );
}
