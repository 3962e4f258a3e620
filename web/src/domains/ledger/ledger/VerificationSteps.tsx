import { IconCircleCheck, IconCircleX } from '@tabler/icons-react';
import { TimeAgo } from '#ui/TimeAgo.tsx';
import s from './Ledger.module.css';
import type { VerificationResult } from './verify.ts';

/** Lists the steps of a verification in the browser, with a sentence about its limits. */
export const VerificationSteps = ({ verified: { ok, steps, signers } }: { verified: VerificationResult }) => (
  <div className={s.steps} role="status">
    <ol>
      {steps.map((step) => (
        <li key={step.message} data-ok={step.ok}>
          {step.ok ? <IconCircleCheck size={16} aria-hidden /> : <IconCircleX size={16} aria-hidden />}
          <span>
            <span className="vh">{step.ok ? 'Holds: ' : 'Failed: '}</span>
            {step.message}
          </span>
        </li>
      ))}
    </ol>
    {ok ? (
      <p className="dim">
        Checked in this browser.{' '}
        {signers
          .filter(({ at }) => at !== undefined)
          .map(({ name, at }) => (
            <span key={name}>
              Cosigned by {name} <TimeAgo at={at ?? ''} />.{' '}
            </span>
          ))}
        It proves what was recorded and when, not that it is true.
      </p>
    ) : (
      <p className={s.wrong}>
        <strong>Verification failed.</strong> Save this result and contact the operator of this server. Do not rely on
        the data.
      </p>
    )}
  </div>
);
