import type { Integration } from '@sightline/contract/sources/integrations.ts';
import { IconAlertTriangle, IconInfoCircle } from '@tabler/icons-react';
import { DocsLink } from '#ui/DocsLink.tsx';
import { HelpLink } from '#ui/HelpLink.tsx';
import { Link } from '#ui/Link.tsx';
import { TimeAgo } from '#ui/TimeAgo.tsx';
import { helpHrefOf, troubleshootingHrefOf } from './helpLinks.ts';
import { IntegrationLogo } from './IntegrationLogo.tsx';
import { IntegrationStatus } from './IntegrationStatus.tsx';
import s from './Integrations.module.css';
import { integrationUis } from './integrationUis.ts';
import { MissingRequirements } from './MissingRequirements.tsx';

/** Shows one integration: description, status, problems, missing steps, and actions. */
export function IntegrationCard({ integration }: { integration: Integration }) {
  const { name, title, description, problem, missing, notes, lastSyncAt } = integration;
  const [first, ...rest] = integration.links;
  // Cards with a custom action show every link above it.
  const help = helpHrefOf(name);
  const whatToDo = troubleshootingHrefOf(name);
  const { Action, Progress } = integrationUis.find((one) => one.name === name) ?? {};
  const above = Action ? integration.links : rest;
  return (
    <li className={s.card} aria-label={title}>
      <IntegrationLogo name={name} />
      <div className={s.body}>
        <div className={s.title}>
          <h3>{title}</h3>
          {help !== undefined && <HelpLink href={help} about={title} />}
        </div>
        <p className="dim">{description}</p>
        {problem && (
          <p className={s.problem}>
            <IconAlertTriangle size={14} aria-hidden />
            <span>
              {problem.message} {whatToDo !== undefined && <DocsLink href={whatToDo}>View remedy</DocsLink>}
            </span>
          </p>
        )}
        {missing.length > 0 && (
          <div className={s.missing}>
            <MissingRequirements sentences={missing} />
          </div>
        )}
        {notes.map((note) => (
          <p key={note} className={s.note}>
            <IconInfoCircle size={14} aria-hidden />
            {note}
          </p>
        ))}
        {Progress && <Progress name={name} status={integration.status} />}
        {(lastSyncAt || above.length > 0) && (
          <p className={s.meta}>
            {lastSyncAt && (
              <span>
                Last sync <TimeAgo at={lastSyncAt} />
              </span>
            )}
            {above.map((link) => (
              <NextStep key={link.label} {...link} of={title} />
            ))}
          </p>
        )}
      </div>
      <div className={s.foot}>
        {/* The longer label of an error leaves no space for details, and the error has priority. */}
        <IntegrationStatus status={integration.status} detail={problem ? null : integration.detail} />
        {Action ? (
          <Action integration={integration} />
        ) : (
          first && <NextStep {...first} of={title} className={s.action} />
        )}
      </div>
    </li>
  );
}

interface NextStepProps {
  label: string;
  href: string;
  of: string;
  className?: string | undefined;
}

/** A link to the next step. External links open a new tab. */
function NextStep({ label, href, of, className = 'link' }: NextStepProps) {
  const elsewhere = !href.startsWith('/');
  return (
    <Link href={href} className={className} {...(elsewhere && { target: '_blank', rel: 'noreferrer' })}>
      {label}
      <span className="vh">
        , {of}
        {elsewhere && ', opens a new tab'}
      </span>
    </Link>
  );
}
