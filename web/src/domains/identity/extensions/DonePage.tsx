import { IconPlugConnected } from '@tabler/icons-react';
import { legal } from '#lib/site.ts';
import { Focus } from '#ui/Focus.tsx';
import { Notice } from '#ui/Notice.tsx';

/** The browser extension reads its code from this address and closes the tab. */
export const DonePage = () => (
  <Focus legal={legal}>
    <Notice title="You can close this tab" icon={<IconPlugConnected size={19} stroke={1.6} />}>
      The extension continues and closes this tab. If it does not, open the extension to see whether you are signed in.
    </Notice>
  </Focus>
);
