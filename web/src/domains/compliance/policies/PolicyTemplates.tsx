import { Button } from '@mantine/core';
import { Empty } from '#ui/Empty.tsx';
import { Link } from '#ui/Link.tsx';
import { Panel } from '#ui/Panel.tsx';
import s from './Policies.module.css';
import { policiesPath, policyKindTexts } from './policyLabels.ts';
import { policyTemplates } from './policyTemplates.ts';

/** Offers policy templates while the organization has no policies. */
export const PolicyTemplates = ({ writes }: { writes: boolean }) => (
  <Panel>
    <Empty
      kind="nothing-yet"
      title="No policies"
      action={
        writes && (
          <Button component={Link} href={`${policiesPath}/new`} variant="default">
            Create from scratch
          </Button>
        )
      }
    >
      {writes
        ? 'Controls use default parameters until a policy changes them. Start with one of these; you can simulate each on the last 30 days before you save it.'
        : 'Controls use default parameters until an Account Owner creates a policy.'}
    </Empty>
    {writes && (
      <ul className={s.starters} aria-label="Starter policies">
        {policyTemplates.map(({ id, name, description, kind }) => {
          const [, , Icon] = policyKindTexts[kind];
          return (
            <li key={id}>
              <Link className={s.starter} href={`${policiesPath}/new?from=${id}`}>
                <Icon size={18} stroke={1.5} aria-hidden />
                <span>
                  <b>{name}</b>
                  <span className="dim">{description}</span>
                </span>
              </Link>
            </li>
          );
        })}
      </ul>
    )}
  </Panel>
);
