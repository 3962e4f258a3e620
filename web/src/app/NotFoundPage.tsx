import { Button } from '@mantine/core';
import { IconMapOff } from '@tabler/icons-react';
import { Focus } from '#ui/Focus.tsx';
import { Link } from '#ui/Link.tsx';
import { Notice } from '#ui/Notice.tsx';

/** Any unknown path. */
export const NotFoundPage = ({ legal }: { legal: { terms: string; privacy: string; contact: string } }) => (
  <Focus legal={legal}>
    <NotFoundNotice />
  </Focus>
);

/** The same beside the sidebar. */
export const NotFoundNotice = () => (
  <Notice
    title="404 Not Found"
    icon={<IconMapOff size={19} stroke={1.6} />}
    actions={
      <Button component={Link} href="/">
        Go to Home
      </Button>
    }
  >
    There is no page at this address. It may have moved, or you may not have access to it.
  </Notice>
);
