import { UnstyledButton } from '@mantine/core';
import type { ApiError } from '@sightline/contract/core/client.ts';
import type { ReactNode } from 'react';
import s from './AsOf.module.css';
import { Banner } from './Banner.tsx';
import { Link } from './Link.tsx';
import { absoluteTime } from './time.ts';

interface AsOfBannerProps {
  asOf: {
    ledgerSize: string | undefined;
    facts:
      | { epoch: number; size: number; recordedAt: string; checkpoint: { size: number; signedAt: string } }
      | undefined;
    failure: ApiError | undefined;
    currentHref: string;
    saveCheckpoint: (() => void) | undefined;
  };
  /** Which facts were not recorded, and which are those of today. */
  children: ReactNode;
}

/** The ledger size of a list with its time and checkpoint, and the link to the current list. Hidden for the current list. */
export function AsOfBanner({ asOf, children }: AsOfBannerProps) {
  const { ledgerSize, facts, failure, currentHref, saveCheckpoint } = asOf;
  if (ledgerSize === undefined) return null;
  return (
    <Banner tone={failure ? 'warning' : 'info'}>
      <div className={s.banner}>
        {facts ? (
          <p>
            <b>At ledger size {integer.format(facts.size)}</b>
            {facts.epoch > 1 && ` in epoch ${facts.epoch}`}, recorded {timeOf(facts.recordedAt)}.{' '}
            {saveCheckpoint ? (
              <UnstyledButton className="link" fz="inherit" onClick={saveCheckpoint}>
                Download checkpoint {integer.format(facts.checkpoint.size)}
              </UnstyledButton>
            ) : (
              `Checkpoint ${integer.format(facts.checkpoint.size)}`
            )}
            , signed {timeOf(facts.checkpoint.signedAt)}.
          </p>
        ) : (
          <p>
            <b>At ledger size {ledgerSize.split('.').at(-1)}</b>
            {failure && <>. {failure.refusal?.message ?? 'The server could not be reached. Check your connection.'}</>}
          </p>
        )}
        {!failure && <p className="dim">{children}</p>}
        <p>
          <Link className="link" href={currentHref}>
            Show the current list
          </Link>
        </p>
      </div>
    </Banner>
  );
}

const integer = new Intl.NumberFormat('en-US');
const timeOf = (at: string) => <time dateTime={at}>{absoluteTime(Date.parse(at))}</time>;
