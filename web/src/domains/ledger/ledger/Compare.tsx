import { Button, Textarea, TextInput } from '@mantine/core';
import { ApiError } from '@sightline/contract/core/client.ts';
import { getLedgerCheckpoint, getLedgerConsistency, type Ledger } from '@sightline/contract/ledger/ledger.ts';
import { IconArrowsDiff } from '@tabler/icons-react';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { call } from '#lib/api.ts';
import { errorMessageOf } from '#lib/reason.ts';
import { Banner } from '#ui/Banner.tsx';
import { Panel } from '#ui/Panel.tsx';
import s from './Ledger.module.css';
import { VerificationSteps } from './Steps.tsx';
import { unreachable, useWitnessKeys } from './useLedger.ts';
import type { VerificationResult } from './verify.ts';

interface ConsistencyDraft {
  earlier: string;
  later: string;
}

/** Checks in the browser whether the ledger extends an earlier checkpoint that the user stored. */
export function CheckConsistency({ ledger }: { ledger: Ledger }) {
  const [earlier, setEarlier] = useState('');
  const [later, setLater] = useState('');
  const witnesses = useWitnessKeys();
  const compare = useMutation({
    mutationFn: (draft: ConsistencyDraft) => compared(draft, ledger, witnesses),
    meta: { quiet: true },
  });
  const isValid = earlier.trim() !== '' && /^\d*$/.test(later.trim());
  return (
    <Panel title="Check consistency">
      <form
        className={s.form}
        onSubmit={(event) => {
          event.preventDefault();
          if (isValid) compare.mutate({ earlier, later });
        }}
      >
        <Textarea
          label="An earlier checkpoint"
          description="Paste a checkpoint that you saved, with its signatures, or enter the size of one that was signed here."
          value={earlier}
          autosize
          minRows={3}
          maxRows={8}
          spellCheck={false}
          className={s.mono ?? ''}
          onChange={({ currentTarget }) => {
            setEarlier(currentTarget.value);
            compare.reset();
          }}
        />
        <div className={s.line}>
          <TextInput
            label="Later checkpoint size"
            placeholder={ledger.checkpoint ? `${ledger.checkpoint.size}, the newest` : ''}
            value={later}
            inputMode="numeric"
            autoComplete="off"
            error={/^\d*$/.test(later.trim()) ? undefined : 'Enter a number'}
            onChange={({ currentTarget }) => {
              setLater(currentTarget.value);
              compare.reset();
            }}
          />
          <Button
            type="submit"
            variant="default"
            leftSection={<IconArrowsDiff size={15} aria-hidden />}
            disabled={!isValid}
            loading={compare.isPending}
          >
            Check consistency
          </Button>
        </div>
      </form>
      {compare.error && (
        <div className={s.found}>
          <Banner tone="error">
            {compare.error instanceof ApiError ? errorMessageOf(compare.error, unreachable) : compare.error.message}
          </Banner>
        </div>
      )}
      {compare.data && (
        <div className={s.found}>
          <VerificationSteps verified={compare.data} />
        </div>
      )}
    </Panel>
  );
}

async function compared(
  { earlier, later }: ConsistencyDraft,
  ledger: Ledger,
  witnesses: readonly string[],
): Promise<VerificationResult> {
  const { checkpointSizeOf: sizeOf, verifyConsistency: verifyGrowth } = await import('./verify.ts');
  const given = earlier.trim();
  const older = /^\d+$/.test(given) ? await checkpointOf(Number(given)) : `${given}\n`;
  const from = (() => {
    try {
      return sizeOf(older);
    } catch {
      throw new Error('Not a valid checkpoint. Paste all lines, from the log name to the last signature.');
    }
  })();
  const newer = await checkpointOf(later.trim() === '' ? undefined : Number(later.trim()));
  const to = sizeOf(newer);
  if (from > to) {
    throw new Error(
      `Your checkpoint has ${from.toLocaleString('en')} entries and the later one only ${to.toLocaleString('en')}. If the later one is the newest, this ledger lost entries.`,
    );
  }
  const { proof } = await call(getLedgerConsistency, { query: { from, to } });
  return verifyGrowth({ older, newer, proof, keys: ledger.keys, witnesses });
}

const checkpointOf = async (size: number | undefined): Promise<string> =>
  (await call(getLedgerCheckpoint, { query: size === undefined ? {} : { size } })) as string;
