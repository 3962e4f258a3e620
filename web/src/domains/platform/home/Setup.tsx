import { Button } from '@mantine/core';
import { type Provider, providerNames } from '@sightline/contract/core/providers.ts';
import type { OnboardingFacts, OnboardingStatus } from '@sightline/contract/organization/onboarding.ts';
import { listProviderRepos, type ProviderRepos } from '@sightline/contract/sources/repositories.ts';
import { IconCheck } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { organizations } from '#lib/account.ts';
import { endpointQuery } from '#lib/api.ts';
import { docsHref } from '#lib/docs.ts';
import { useSession } from '#lib/session.ts';
import { HelpLink } from '#ui/HelpLink.tsx';
import { Link } from '#ui/Link.tsx';
import { Panel } from '#ui/Panel.tsx';
import { Progress } from '#ui/Progress.tsx';
import s from './HomePage.module.css';

interface SetupStep {
  title: string;
  done: boolean;
  text: ReactNode;
  action?: { label: string; href: string };
}

/** Lists the remaining setup steps of an owner, from the same facts as onboarding. */
export function OrganizationSetup({ status, facts }: { status: OnboardingStatus; facts: OnboardingFacts }) {
  const activeId = useSession()?.organization;
  const active = useQuery(organizations()).data?.find(({ id }) => id === activeId);
  const hosts = useQuery({ ...endpointQuery(listProviderRepos, {}), select: hostsOf }).data;
  const connected = status !== 'no-scm';
  const { providerRepositories = 0, trackedRepositories = 0 } = facts;
  return (
    <Checklist
      title="Set up your organization"
      help={docsHref('getting-started', '3-as-an-account-owner-connect-the-code')}
      steps={[
        { title: 'Create the organization', done: true, text: active?.displayName },
        {
          title: 'Connect version control',
          done: connected,
          text: connected ? hosts : 'Import commits and pull requests from your code host.',
          action: { label: 'Connect', href: '/onboarding/setup/2' },
        },
        {
          title: 'Add repositories as projects',
          done: trackedRepositories > 0,
          text: connected
            ? `${trackedRepositories} of ${providerRepositories} enabled`
            : 'Select the repositories to record.',
          ...(connected && { action: { label: 'Add repositories', href: '/onboarding/setup/3' } }),
        },
      ]}
    />
  );
}

/** "GitHub: acme, widgets; GitLab: acme". */
const hostsOf = ({ providerRepos }: { providerRepos: ProviderRepos }): string =>
  Object.entries(providerRepos)
    .map(([provider, owners]) => `${providerNames[provider as Provider]}: ${Object.keys(owners).join(', ')}`)
    .join('; ');

/** Lists the missing steps of a contributor profile. */
export const ProfileSetup = ({ facts }: { facts: OnboardingFacts }) => (
  <Checklist
    title="Set up your profile"
    help={docsHref('getting-started', '3-as-a-code-contributor-connect-your-identity')}
    steps={[
      // Without GitHub repositories, commits are attributed by email address, so no identity needs to be linked.
      ...(facts.usesGithub === false && !facts.hasGithubIdentity ? [] : [identityStep(facts)]),
      {
        title: 'Install the editor extension',
        done: facts.hasEditor ?? false,
        text: facts.hasEditor ? 'Connected' : 'Required to record which tools contributed to commits.',
        action: { label: 'Get the extension', href: '/onboarding/setup/2' },
      },
    ]}
  />
);

const identityStep = ({ hasGithubIdentity }: OnboardingFacts): SetupStep => ({
  title: 'Connect your GitHub identity',
  done: hasGithubIdentity,
  text: hasGithubIdentity ? 'Connected' : 'Links your commits and pull requests to you.',
  action: { label: 'Connect GitHub', href: '/onboarding/setup/1' },
});

function Checklist({ title, help, steps }: { title: string; help: string; steps: readonly SetupStep[] }) {
  const done = steps.filter((step) => step.done).length;
  const next = steps.findIndex((step) => !step.done);
  return (
    <Panel
      flush
      title={title}
      aside={
        <span className={s.progress}>
          <span className="num">
            {done} of {steps.length} done
          </span>
          <span className={s.meter}>
            <Progress label="Setup" done={done} total={steps.length} words="" steps />
          </span>
          <HelpLink href={help} about="setting up" />
        </span>
      }
    >
      <ol>
        {steps.map((step, index) => (
          <li
            key={step.title}
            className={s.step}
            data-done={step.done || undefined}
            data-next={index === next || undefined}
          >
            <span className={s.tick}>
              {step.done ? <IconCheck size={13} stroke={2.5} role="img" aria-label="Done" /> : index + 1}
            </span>
            <div className={s.body}>
              <h3>{step.title}</h3>
              {step.text && <p>{step.text}</p>}
            </div>
            {!step.done && step.action && (
              <Button variant={index === next ? 'filled' : 'default'} component={Link} href={step.action.href}>
                {step.action.label}
              </Button>
            )}
          </li>
        ))}
      </ol>
    </Panel>
  );
}
