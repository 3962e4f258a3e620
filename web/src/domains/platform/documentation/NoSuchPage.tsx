import { Button } from '@mantine/core';
import { IconFileOff } from '@tabler/icons-react';
import { Link } from '#ui/Link.tsx';
import { Notice } from '#ui/Notice.tsx';

/** Shown for an unknown address below `/docs`. */
export const NoSuchPage = () => (
  <Notice
    title="404 Not Found"
    icon={<IconFileOff size={19} stroke={1.6} />}
    actions={
      <Button component={Link} href="/docs/getting-started">
        Go to Getting started
      </Button>
    }
  >
    There is no documentation page at this address. Search, or select a page from the list.
  </Notice>
);
