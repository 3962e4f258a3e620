import { Button } from '@mantine/core';
import { Empty } from '#ui/Empty.tsx';
import { Link } from '#ui/Link.tsx';
import { Panel } from '#ui/Panel.tsx';
import s from './Policies.module.css';
import { starters } from './starters.ts';
import { kindLooks, policiesPath } from './words.ts';

/** Before there is any policy: what most begin with, each a click away from being tried. */
export const Starters = ({ writes }: { writes: boolean }) => (
  <Panel>
    <Empty
      kind="nothing-yet"
      title="No policy yet"
      action={
        writes && (
          <Button component={Link} href={`${policiesPath}/new`} variant="default">
            Start from nothing
          </Button>
        )
      }
    >
      {writes
        ? 'Controls judge by their defaults until a policy sets something else. Most begin with these three; each is tried on the last 30 days before it is saved.'
        : 'Controls judge by their defaults until an Account Owner writes a policy.'}
    </Empty>
    {writes && (
      <ul className={s.starters} aria-label="Policies to begin with">
        {starters.map(({ id, name, says, kind }) => {
          const [, , Icon] = kindLooks[kind];
          return (
            <li key={id}>
              <Link className={s.starter} href={`${policiesPath}/new?from=${id}`}>
                <Icon size={18} stroke={1.5} aria-hidden />
                <span>
                  <b>{name}</b>
                  <span className="dim">{says}</span>
                </span>
              </Link>
            </li>
          );
        })}
      </ul>
    )}
  </Panel>
);
