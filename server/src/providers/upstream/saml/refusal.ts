import type { SamlProblem } from '@sightline/contract/identity/saml.ts';
import { UpstreamRefused } from '../upstream.ts';

/** A refused response, with the reason for the owners of the organization. */
export class SamlRefused extends UpstreamRefused {
  readonly reason: SamlProblem;
  constructor(reason: SamlProblem, detail: string) {
    super(detail);
    this.reason = reason;
  }
}
