import { Button, Textarea } from '@mantine/core';
import {
  type DigestDetail,
  type DigestItemDecision,
  getDigest,
  reviewDigest,
} from '@sightline/contract/compliance/digests.ts';
import type { ApiError } from '@sightline/contract/core/client.ts';
import { IconSignature } from '@tabler/icons-react';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { call, keyOf } from '#lib/api.ts';
import { Banner } from '#ui/Banner.tsx';
import { Empty } from '#ui/Empty.tsx';
import { Panel } from '#ui/Panel.tsx';
import { toast } from '#ui/toast.ts';
import s from './Digests.module.css';
import { FlaggedItem } from './FlaggedItem.tsx';

/** Lists all flagged items, to be expanded and decided one by one, and the sign-off. No bulk sign-off exists. */
export function ReviewForm({ digest, maySign }: { digest: DigestDetail; maySign: boolean }) {
  const [choices, setChoices] = useState<ReadonlyMap<string, DigestItemDecision>>(new Map());
  const [note, setNote] = useState('');
  const queries = useQueryClient();
  const open = digest.items.filter(({ decision }) => decision === null);
  const mine = open.filter(({ isMine }) => isMine);
  const theirs = open.filter(({ isMine }) => !isMine);
  const left = theirs.filter(({ subject }) => !choices.has(subject)).length;
  const signing = useMutation<DigestDetail, ApiError, 'reviewed' | 'follow_up'>({
    mutationFn: (decision) =>
      call(reviewDigest, {
        params: { digestId: digest.id },
        body: {
          bodySha256: digest.bodySha256,
          decision,
          note: note.trim(),
          items: [...choices].map(([subject, choice]) => ({ subject, choice })),
        },
      }),
    meta: { quiet: true },
    onSuccess: ({ state }) => {
      toast.success(
        state === 'signed'
          ? 'The digest is signed off.'
          : 'Your review is saved. Another reviewer decides on the remaining items.',
      );
      void queries.invalidateQueries({ queryKey: keyOf(getDigest) });
    },
  });
  const canSign = maySign && digest.state !== 'signed' && (theirs.length > 0 || open.length === 0);
  return (
    <Panel flush title="Flagged" aside={<span className="dim">{wordsOf(digest)}</span>}>
      {digest.items.length === 0 ? (
        <Empty kind="nothing-yet" title="No flagged items">
          No rule was broken in this week. The digest still needs a sign-off.
        </Empty>
      ) : (
        <ol className={s.items}>
          {digest.items.map((item) => (
            <FlaggedItem
              key={item.subject}
              item={item}
              choice={choices.get(item.subject)}
              onChoose={
                canSign && item.decision === null && !item.isMine
                  ? (choice) => setChoices(new Map([...choices, [item.subject, choice]]))
                  : undefined
              }
            />
          ))}
        </ol>
      )}
      {signing.error && (
        <div className={s.refused}>
          <Banner tone="error">
            {signing.error.refusal?.message ?? 'The server could not be reached. Nothing was signed.'}
          </Banner>
        </div>
      )}
      {maySign && mine.length > 0 && (
        <p className={s.mine}>
          You contributed to {mine.length === 1 ? 'one of them' : `${mine.length} of them`}. Another reviewer decides on{' '}
          {mine.length === 1 ? 'it' : 'those'}.
        </p>
      )}
      {canSign && (
        <div className={s.sign}>
          <Textarea
            label="Note"
            description="Saved with your review and shown to readers of the evidence."
            autosize
            minRows={2}
            maxLength={2000}
            value={note}
            onChange={({ currentTarget }) => setNote(currentTarget.value)}
          />
          <div className={s.buttons}>
            <Button
              leftSection={<IconSignature size={16} aria-hidden />}
              disabled={left > 0}
              loading={signing.isPending && signing.variables === 'reviewed'}
              onClick={() => signing.mutate('reviewed')}
            >
              Mark reviewed
            </Button>
            <Button
              variant="default"
              disabled={left > 0}
              loading={signing.isPending && signing.variables === 'follow_up'}
              onClick={() => signing.mutate('follow_up')}
            >
              Mark for follow-up
            </Button>
            {left > 0 && (
              <span className="dim" role="status">
                {left === 1 ? '1 item is' : `${left} items are`} not decided yet
              </span>
            )}
          </div>
        </div>
      )}
    </Panel>
  );
}

const wordsOf = ({ flagged, decided }: DigestDetail) => (flagged === 0 ? '' : `${decided} of ${flagged} decided`);
