import { domainToASCII } from 'node:url';

const local = /^[A-Za-z0-9!#$%&'*+/=?^_`{|}~-]+(\.[A-Za-z0-9!#$%&'*+/=?^_`{|}~-]+)*$/;
const domain = /^([a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z0-9-]{2,63}$/;

/**
 * Normalizes an address as accounts store it: lower case, domain in ASCII, within the lengths of RFC 5321; undefined if
 * invalid. The local part must be ASCII before it is lowered: the Kelvin sign, another mailbox, would become a `k`.
 */
export function normalizeEmail(given: string): string | undefined {
  const [name = '', host = '', ...rest] = given.trim().split('@');
  const ascii = domainToASCII(host);
  if (rest.length > 0 || name.length > 64 || !local.test(name) || !domain.test(ascii)) return undefined;
  const email = `${name.toLowerCase()}@${ascii}`;
  return email.length <= 254 ? email : undefined;
}

/** The domain of a normalized address. */
export const domainOf = (email: string): string => email.slice(email.lastIndexOf('@') + 1);
