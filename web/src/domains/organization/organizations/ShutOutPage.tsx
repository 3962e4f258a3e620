import { Button } from '@mantine/core';
import { IconDoorOff } from '@tabler/icons-react';
import { useState } from 'react';
import { signIn } from '#lib/sign-in.ts';
import { legal } from '#lib/site.ts';
import { Banner } from '#ui/Banner.tsx';
import { Focus } from '#ui/Focus.tsx';
import { Link } from '#ui/Link.tsx';
import { Notice } from '#ui/Notice.tsx';

/** Shown to users with a token for an organization that no longer grants them access. */
export function AccessRevokedPage() {
  const [failed, setFailed] = useState(false);
  return (
    <Focus legal={legal}>
      {failed && <Banner tone="error">The sign-in page did not answer. Try again in a moment.</Banner>}
      <Notice
        title="You no longer have access"
        icon={<IconDoorOff size={19} stroke={1.6} />}
        actions={
          <>
            <Button onClick={() => void signIn({ path: '/' }).catch(() => setFailed(true))}>
              Go to your organizations
            </Button>
            <Link className="link" href="/logout">
              Use another account
            </Link>
          </>
        }
      >
        You left this organization, an Account Owner deactivated or removed you, or the organization was archived. For
        questions, contact an Account Owner.
      </Notice>
    </Focus>
  );
}
