import { Button } from '@mantine/core';
import { resendVerification } from '@sightline/contract/identity/accounts.ts';
import { IconMail } from '@tabler/icons-react';
import { useMutation } from '@tanstack/react-query';
import { useSearch } from '@tanstack/react-router';
import { useEffect, useState } from 'react';
import { call } from '#lib/api.ts';
import { hasOutbox, legal } from '#lib/site.ts';
import { Banner } from '#ui/Banner.tsx';
import { Focus } from '#ui/Focus.tsx';
import { Notice } from '#ui/Notice.tsx';

/** spec 2.1: shown after sign-up until the email address is confirmed. */
export function VerifyPage() {
  const { user_id: userId } = useSearch({ strict: false });
  return (
    <Focus legal={legal}>
      <Notice
        title="Confirm your email"
        icon={<IconMail size={19} stroke={1.6} />}
        actions={
          <>
            {userId !== undefined && <Resend userId={userId} />}
            {hasOutbox() && (
              <Button variant="default" component="a" href="/outbox">
                Open the local outbox
              </Button>
            )}
            <a className="link" href={legal.contact}>
              Contact us
            </a>
          </>
        }
      >
        An email was sent to your address. Open the link in it to confirm that the address is yours, then sign in.
      </Notice>
    </Focus>
  );
}

/** Seconds between two emails to one address; the server enforces the same limit. */
const coolDown = 60;

function Resend({ userId }: { userId: string }) {
  const [left, setLeft] = useState(0);
  const resend = useMutation({
    mutationFn: () => call(resendVerification, { body: { userId } }),
    meta: { quiet: true },
    onSuccess: () => setLeft(coolDown),
  });
  useEffect(() => {
    if (left === 0) return;
    const timer = setTimeout(() => setLeft(left - 1), 1000);
    return () => clearTimeout(timer);
  }, [left]);
  return (
    <>
      {resend.isError && <Banner tone="error">The email could not be sent. Try again in a minute.</Banner>}
      {resend.isSuccess && <p role="status">Another email was sent.</p>}
      <Button loading={resend.isPending} disabled={left > 0} onClick={() => resend.mutate()}>
        {left > 0 ? `Resend email in ${left} s` : 'Resend email'}
      </Button>
    </>
  );
}
