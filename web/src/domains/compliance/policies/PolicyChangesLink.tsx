import { Button } from '@mantine/core';
import { listPolicyChanges } from '@sightline/contract/compliance/policy-changes.ts';
import { useQuery } from '@tanstack/react-query';
import { endpointQuery } from '#lib/api.ts';
import { Count } from '#ui/Count.tsx';
import { Link } from '#ui/Link.tsx';
import { policyChangesPath } from './policyChangeTexts.ts';

/** A link to the changes that need an approval, with the number of pending ones. */
export function PolicyChangesLink() {
  const pending = useQuery({
    ...endpointQuery(listPolicyChanges, { query: { perPage: 5 } }),
    meta: { quiet: true },
  }).data?.total;
  return (
    <Button
      component={Link}
      href={policyChangesPath}
      variant="default"
      {...(pending ? { rightSection: <Count>{pending}</Count>, 'aria-label': `Changes, ${pending} pending` } : {})}
    >
      Changes
    </Button>
  );
}
