import { Button, TextInput } from '@mantine/core';
import { ApiError } from '@sightline/contract/core/client.ts';
import { getLedgerProof, type Ledger, listLedgerEntries } from '@sightline/contract/ledger/ledger.ts';
import { IconDownload, IconSearch } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { z } from 'zod';
import { call } from '#lib/api.ts';
import { errorMessageOf } from '#lib/reason.ts';
import { useUrlQuery } from '#lib/url-query.ts';
import { useExport } from '#lib/use-export.ts';
import { Banner } from '#ui/Banner.tsx';
import { CopyButton } from '#ui/CopyButton.tsx';
import { Panel } from '#ui/Panel.tsx';
import { toast } from '#ui/toast.ts';
import { integerFormat } from './anchorLabels.ts';
import s from './Ledger.module.css';
import { useWitnessKeys } from './useLedger.ts';
import { VerificationSteps } from './VerificationSteps.tsx';
import type { VerificationResult } from './verify.ts';

const address = z.object({ entry: z.string().max(40).default('') });

/** Finds an entry by ID or index, and verifies its text and inclusion proof in the browser. */
export function FindEntry({ ledger }: { ledger: Ledger }) {
  const [{ entry }, setQuery] = useUrlQuery(address);
  const [typed, setTyped] = useState(entry);
  const term = typed.trim();
  const witnesses = useWitnessKeys();
  const found = useQuery({
    queryKey: ['ledger lookup', entry, ledger.origin, witnesses],
    queryFn: () => find(entry, ledger, witnesses),
    enabled: entry !== '',
    retry: false,
    meta: { quiet: true },
  });
  const isValid = /^\d{1,15}$|^[0-9a-f]{8}-([0-9a-f]{4}-){3}[0-9a-f]{12}$/i.test(term);
  return (
    <Panel title="Find entry">
      <form
        className={s.line}
        onSubmit={(event) => {
          event.preventDefault();
          if (term === entry) void found.refetch();
          else if (isValid) setQuery({ entry: term });
        }}
      >
        <TextInput
          label="Entry"
          description={`ID of an audit entry, or an index from 0 to ${integerFormat.format(Math.max(0, ledger.size - 1))}`}
          value={typed}
          autoComplete="off"
          spellCheck={false}
          error={term !== '' && !isValid && term.length > 15 ? 'Enter an ID or a number' : undefined}
          onChange={({ currentTarget }) => setTyped(currentTarget.value)}
        />
        <Button
          type="submit"
          variant="default"
          leftSection={<IconSearch size={15} aria-hidden />}
          disabled={!isValid}
          loading={found.isFetching}
        >
          Find entry
        </Button>
      </form>
      {entry !== '' && found.error && (
        <div className={s.found}>
          <Banner tone="error">{wordsOf(found.error)}</Banner>
        </div>
      )}
      {entry !== '' && found.data && <Found found={found.data} />}
    </Panel>
  );
}

interface FoundEntry {
  id: string;
  index: number;
  kind: string;
  text: string;
  verified: VerificationResult;
}

function Found({ found: { id, index, kind, text, verified } }: { found: FoundEntry }) {
  const proof = useExport(getLedgerProof, () =>
    toast.success('The proof is saved. It can be verified without this server.'),
  );
  return (
    <div className={s.found}>
      <p>
        Entry {integerFormat.format(index)}, <code>{kind}</code>
      </p>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: long text must scroll by the keyboard */}
      <section className={s.text} tabIndex={0} aria-label="Entry text">
        <pre>{text}</pre>
      </section>
      <VerificationSteps verified={verified} />
      <div className={s.actions}>
        <Button
          variant="default"
          leftSection={<IconDownload size={15} aria-hidden />}
          onClick={() => proof.start({ params: { entryId: id } })}
        >
          Download proof
        </Button>
        <CopyButton value={text} label="Copy text" />
      </div>
    </div>
  );
}

async function find(term: string, ledger: Ledger, witnesses: readonly string[]): Promise<FoundEntry> {
  // Hashing and signature code is loaded on demand, because no other page needs it.
  const { entryPositionOf: placeOf, verifyEntry } = await import('./verify.ts');
  const isIndex = /^\d+$/.test(term);
  const from = isIndex ? Number(term) : undefined;
  const [entryAtIndex] = from === undefined ? [] : await call(listLedgerEntries, { query: { from, to: from + 1 } });
  if (isIndex && !entryAtIndex) throw new Error(`The ledger has no entry at index ${term}.`);
  const id = entryAtIndex?.id ?? term.toLowerCase();
  const proof = (await call(getLedgerProof, { params: { entryId: id } })) as string;
  const log = placeOf(proof);
  const [entry] =
    entryAtIndex && entryAtIndex.index === log.index && log.epoch === ledger.epoch
      ? [entryAtIndex]
      : await call(listLedgerEntries, { query: { from: log.index, to: log.index + 1, epoch: log.epoch } });
  if (!entry) throw new Error('The entry does not match its proof.');
  const keys = ledger.epochs.find(({ epoch }) => epoch === log.epoch)?.keys ?? [];
  const verified = verifyEntry(entry.entry, proof, keys, witnesses);
  return { id, index: entry.index, kind: entry.kind, text: entry.entry, verified };
}

const wordsOf = (error: Error): string => (error instanceof ApiError ? errorMessageOf(error) : error.message);
