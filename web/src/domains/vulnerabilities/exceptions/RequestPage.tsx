import { Button, TextInput } from '@mantine/core';
import { controlIds } from '@sightline/contract/core/control-ids.ts';
import { requestWaiver } from '@sightline/contract/vulnerabilities/exceptions.ts';
import { MAX_WAIVER_DAYS, MIN_WAIVER_REASON_LENGTH } from '@sightline/contract/vulnerabilities/triage.ts';
import { useState } from 'react';
import { z } from 'zod';
import { call } from '#lib/api.ts';
import { docsHref } from '#lib/docs.ts';
import { errorMessageOf } from '#lib/reason.ts';
import { useUrlQuery } from '#lib/url-query.ts';
import { Banner } from '#ui/Banner.tsx';
import { Comment } from '#ui/Comment.tsx';
import { dateFieldAfterDays, endOfDay } from '#ui/days.ts';
import { Empty } from '#ui/Empty.tsx';
import { Facts } from '#ui/Facts.tsx';
import { Link, useNavigate } from '#ui/Link.tsx';
import { PageHeader } from '#ui/PageHeader.tsx';
import { Panel } from '#ui/Panel.tsx';
import { toast } from '#ui/toast.ts';
import s from './Exceptions.module.css';
import { useLeaveChange } from './useLeaveChange.ts';

const about = z.object({ control: z.enum(['', ...controlIds]).default(''), subject: z.string().default('') });
// The last day is whole, and must end within the longest time.
const furthest = MAX_WAIVER_DAYS - 1;

/** Asks that a row of a control be left out until a day; somebody else approves. What it is for is in the address. */
export function RequestPage() {
  const [{ control, subject }] = useUrlQuery(about);
  return (
    <>
      <PageHeader
        title="Request waiver"
        back={{ label: 'Waivers', href: '/exceptions' }}
        help={{ href: docsHref('policies', 'waivers'), about: 'waivers' }}
      />
      <Panel>
        {control === '' || subject === '' ? (
          <Empty
            kind="nothing-yet"
            title="Select an item first"
            action={
              <Button component={Link} href="/evidence" variant="default">
                Open overview
              </Button>
            }
          >
            A waiver applies to one evaluated item. Open the control and request the waiver from the item.
          </Empty>
        ) : (
          <Form control={control} subject={subject} />
        )}
      </Panel>
    </>
  );
}

function Form({ control, subject }: { control: (typeof controlIds)[number]; subject: string }) {
  const [day, setDay] = useState(dateFieldAfterDays(30));
  const [reason, setReason] = useState('');
  const until = day >= dateFieldAfterDays(1) && day <= dateFieldAfterDays(furthest) ? endOfDay(day) : undefined;
  const navigate = useNavigate();
  const request = useLeaveChange(
    (end: string) => call(requestWaiver, { body: { control, subject, reason, until: end } }),
    () => {
      toast.success('Request sent. Another Account Owner or Digest Reviewer must approve it.');
      navigate('/exceptions');
    },
  );
  const ready = until !== undefined && reason.trim().length >= MIN_WAIVER_REASON_LENGTH;
  return (
    <form
      className={s.form}
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        if (ready && !request.isPending) request.mutate(until);
      }}
    >
      <div className={s.asked}>
        <Facts
          side
          items={[
            [
              'Control',
              <Link key="control" className="link" href={`/evidence/controls/${control}`}>
                {control}
              </Link>,
            ],
            ['For', <code key="for">{subject}</code>],
          ]}
        />
      </div>
      <TextInput
        type="date"
        label="Waive until"
        w={220}
        value={day}
        min={dateFieldAfterDays(1)}
        max={dateFieldAfterDays(furthest)}
        error={until === undefined && `Choose a day from tomorrow to ${furthest} days ahead`}
        onChange={({ currentTarget }) => setDay(currentTarget.value)}
      />
      <Comment
        label="Reason"
        description={`${MIN_WAIVER_REASON_LENGTH} characters or more`}
        placeholder="For the approver and the audit: which measures limit the risk until then?"
        required
        value={reason}
        onChange={setReason}
      />
      {request.error && (
        <Banner tone="error">{errorMessageOf(request.error, 'Not sent. Your input is unchanged.')}</Banner>
      )}
      <div className={s.end}>
        <Button type="submit" disabled={!ready} loading={request.isPending}>
          Send request
        </Button>
        <span className="dim">It applies from the approval. Earlier failures are not waived.</span>
      </div>
    </form>
  );
}
